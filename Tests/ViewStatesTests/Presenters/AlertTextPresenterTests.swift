import Domain
import TestSupport
import Testing

@testable import ViewStates

@Suite("Alert rules and alerts as sentences")
struct AlertTextPresenterTests {
    @Test(
        "a rule has one sentence in each language",
        arguments: [
            (
                "BTC > 150000000", "BTC 150,000,000원 이상으로 상승",
                "BTC rises to 150,000,000 KRW or above"
            ),
            ("BTC < 140000000", "BTC 140,000,000원 이하로 하락", "BTC falls to 140,000,000 KRW or below"),
            (
                "BTC <> 145000000", "BTC 145,000,000원 도달",
                "BTC reaches 145,000,000 KRW from above or below"
            ),
            (
                "BTC 140000000..150000000", "BTC 140,000,000~150,000,000원 이탈",
                "BTC leaves 140,000,000 to 150,000,000 KRW"
            ),
            (
                "ETH_BTC > 0.05", "ETH/BTC 0.05000000 BTC 이상으로 상승",
                "ETH/BTC rises to 0.05000000 BTC or above"
            ),
            (
                "BTC 30M > 3%", "BTC 30분 변동률 +3% 이상으로 상승",
                "BTC 30m change rises to +3% or above"
            ),
            (
                "ETH_BTC 24H < -7.5%", "ETH/BTC 24시간 변동률 -7.5% 이하로 하락",
                "ETH/BTC 24h change falls to -7.5% or below"
            ),
            (
                "favorites MID -5..5", "관심 마켓 어제대비 변동률 -5~+5% 이탈",
                "Any favorite's change today leaves -5 to +5%"
            ),
            (
                "BTC turnover 5m > 3x", "BTC 5분 거래대금 평균의 3배 이상으로 증가",
                "BTC 5m turnover rises to 3x its average or above"
            ),
            (
                "BTC spread > 10bp", "BTC 호가차 10bp 이상으로 확대",
                "BTC spread widens to 10bp or above"
            ),
            (
                "favorites spread < 2.5bp", "관심 마켓 호가차 2.5bp 이하로 축소",
                "Any favorite's spread narrows to 2.5bp or below"
            ),
            (
                "all strength > 150%", "전체 마켓 체결강도 150% 이상으로 상승",
                "Any market's volume strength rises to 150% or above"
            ),
            ("ETH_BTC deposit opens", "ETH 입금 재개", "ETH deposits open"),
            ("XRP deposit closes", "XRP 입금 중단", "XRP deposits close"),
            ("XRP withdrawal opens", "XRP 출금 재개", "XRP withdrawals open"),
            ("favorites withdrawal closes", "관심 마켓 출금 중단", "Any favorite's withdrawals close"),
            ("BTC caution set", "BTC 유의 지정", "BTC investment warning is set"),
            ("all caution lifted", "전체 마켓 유의 해제", "Any market's investment warning is lifted"),
            ("BTC alert set", "BTC 경보 지정", "BTC exchange alert is set"),
            ("BTC alert lifted", "BTC 경보 해제", "BTC exchange alert is lifted"),
            ("all listed", "전체 마켓 상장", "Any market is listed"),
            ("BTC delisted", "BTC 거래지원 종료", "BTC is delisted"),
            ("BTC suspended", "BTC 거래 중단", "BTC trading is suspended"),
            ("favorites resumed", "관심 마켓 거래 재개", "Any favorite's trading resumes"),
            (
                "portfolio > 10000000", "보유자산 평가금액 10,000,000원 이상으로 증가",
                "Portfolio value rises to 10,000,000 KRW or above"
            ),
            (
                "portfolio return < -5%", "보유자산 수익률 -5% 이하로 하락",
                "Portfolio return falls to -5% or below"
            ),
            (
                "BTC return > 10%", "BTC 수익률 +10% 이상으로 상승",
                "BTC return rises to +10% or above"
            ),
        ]
    )
    func rules(text: String, korean: String, english: String) throws {
        let rule = try AlertRule.parse(text, feed: .live)
        #expect(AlertTextPresenter.rule(rule, .korean) == korean)
        #expect(AlertTextPresenter.rule(rule, .english) == english)
        #expect(AlertTextPresenter.condition(of: rule, .korean) == korean)
    }

    @Test(
        "options follow the condition",
        arguments: [
            ("again 0s", "반복", "repeats"),
            ("again 90s", "반복(90초 간격)", "again after 90s"),
            ("again 10m", "반복(10분 간격)", "again after 10m"),
            (
                "again 2h ticks 1", "반복(2시간 간격) · 1틱 넘게 되돌린 뒤",
                "again after 2h · once more than 1 tick back"
            ),
            (
                "again 7d ticks 3", "반복(7일 간격) · 3틱 넘게 되돌린 뒤",
                "again after 7d · once more than 3 ticks back"
            ),
            ("until 2026-12-31T09:00", "2026-12-31 09:00까지", "until 2026-12-31 09:00"),
            ("until 2026-12-31", "2027-01-01 00:00까지", "until 2027-01-01 00:00"),
            (
                "again 1h until 2026-12-31T09:00 note sell", "반복(1시간 간격) · 2026-12-31 09:00까지",
                "again after 1h · until 2026-12-31 09:00"
            ),
        ]
    )
    func options(text: String, korean: String, english: String) throws {
        let rule = try AlertRule.parse("BTC > 2000 " + text, feed: .live)
        #expect(AlertTextPresenter.rule(rule, .korean) == "BTC 2,000원 이상으로 상승 · " + korean)
        let lead = "BTC rises to 2,000 KRW or above · "
        #expect(AlertTextPresenter.rule(rule, .english) == lead + english)
    }

    private func alert(
        _ rule: AlertRule,
        _ market: MarketID?,
        _ value: FixedDecimal,
        _ direction: Alert.Direction
    ) -> Alert {
        let owner = UserID(4)
        return Alert(
            rule: AlertRuleID(7, of: owner),
            subject: market.map { AlertSubject(rule.signal, of: $0, owner: owner) }
                ?? AlertSubject(portfolioOf: owner),
            at: .noon(),
            value: value,
            direction: direction
        )
    }

    @Test(
        "an alert tells what happened to its market, and the value that fired",
        arguments: [
            (
                "BTC > 150000000", "BTC_KRW", "150012000", true,
                "BTC 150,000,000원 이상으로 상승 (150,012,000원)",
                "BTC rose to 150,000,000 KRW or above (150,012,000 KRW)"
            ),
            (
                "BTC <> 145000000", "BTC_KRW", "145000000", false,
                "BTC 145,000,000원 이하로 하락 (145,000,000원)",
                "BTC fell to 145,000,000 KRW or below (145,000,000 KRW)"
            ),
            (
                "BTC 140000000..150000000", "BTC_KRW", "150000001", true,
                "BTC 140,000,000~150,000,000원 상향 이탈 (150,000,001원)",
                "BTC rose out of 140,000,000 to 150,000,000 KRW (150,000,001 KRW)"
            ),
            (
                "BTC 24H -5..5", "BTC_KRW", "-5.128", false,
                "BTC 24시간 변동률 -5~+5% 하향 이탈 (-5.13%)",
                "BTC 24h change fell out of -5 to +5% (-5.13%)"
            ),
            (
                "favorites 1H > 3%", "ETH_BTC", "3.016", true,
                "ETH/BTC 1시간 변동률 +3% 이상으로 상승 (+3.02%)",
                "ETH/BTC 1h change rose to +3% or above (+3.02%)"
            ),
            (
                "all turnover 10m > 3", "XRP_KRW", "3.456789", true,
                "XRP 10분 거래대금 평균의 3배 이상으로 증가 (3.46배)",
                "XRP 10m turnover rose to 3x its average or above (3.46x)"
            ),
            (
                "BTC spread < 2", "BTC_KRW", "1.44", false, "BTC 호가차 2bp 이하로 축소 (1.4bp)",
                "BTC spread narrowed to 2bp or below (1.4bp)"
            ),
            (
                "all strength > 150", "XRP_KRW", "150.5", true,
                "XRP 체결강도 150% 이상으로 상승 (150.50%)",
                "XRP volume strength rose to 150% or above (150.50%)"
            ),
            (
                "portfolio < 10000000", "", "9999999.9", false,
                "보유자산 평가금액 10,000,000원 이하로 감소 (9,999,999원)",
                "Portfolio value fell to 10,000,000 KRW or below (9,999,999 KRW)"
            ),
            (
                "BTC return > 10%", "BTC_KRW", "10", true, "BTC 수익률 +10% 이상으로 상승 (+10.00%)",
                "BTC return rose to +10% or above (+10.00%)"
            ),
            ("favorites deposit opens", "ETH_BTC", "1", true, "ETH 입금 재개", "ETH deposits opened"),
            ("BTC withdrawal closes", "BTC_KRW", "0", false, "BTC 출금 중단", "BTC withdrawals closed"),
            (
                "all caution set", "XRP_BTC", "1", true, "XRP/BTC 유의 지정",
                "XRP/BTC investment warning was set"
            ),
            (
                "BTC alert lifted", "BTC_KRW", "0", false, "BTC 경보 해제",
                "BTC exchange alert was lifted"
            ),
            ("all listed", "NEW_KRW", "1", true, "NEW 상장", "NEW was listed"),
            ("all delisted", "OLD_BTC", "0", false, "OLD/BTC 거래지원 종료", "OLD/BTC was delisted"),
            ("all suspended", "OLD_KRW", "0", false, "OLD 거래 중단", "OLD trading was suspended"),
            ("OLD resumed", "OLD_KRW", "1", true, "OLD 거래 재개", "OLD trading resumed"),
        ] as [(String, String, String, Bool, String, String)]
    )
    func alerts(
        text: String,
        market: String,
        value: String,
        isUp: Bool,
        korean: String,
        english: String
    ) throws {
        let rule = try AlertRule.parse(text, feed: .live)
        let value = try FixedDecimal(parsing: value)
        let alert = alert(rule, MarketID(name: market), value, isUp ? .up : .down)
        func line(_ language: Language) -> String {
            let value = AlertTextPresenter.value(of: alert, rule, language)
            return AlertTextPresenter.alert(alert, of: rule, language)
                + (value.map { " (\($0))" } ?? "")
        }
        #expect(line(.korean) == korean)
        #expect(line(.english) == english)
    }

    @Test("English texts have no Korean, and Korean texts of any rule differ from them")
    func languages() throws {
        func hasHangul(_ text: String) -> Bool {
            text.unicodeScalars.contains { (0xAC00...0xD7A3).contains($0.value) }
        }
        for state in UserAlertRule.State.allCases {
            let text = AlertTextPresenter.state(state)
            #expect(hasHangul(text.ko) && !hasHangul(text.en))
        }
        for lateness in Alert.Lateness.allCases {
            let text = AlertTextPresenter.lateness(lateness)
            #expect(hasHangul(text.ko) && !hasHangul(text.en))
        }
        let signals =
            ChangePeriod.allCases.map { $0.rawValue + " > 3" } + ["> 3", "turnover 1m > 3"]
            + ["spread > 3", "strength > 3", "return > 3", "deposit opens", "withdrawal opens"]
            + ["caution set", "alert set", "listed", "suspended"]
        for signal in signals {
            let rule = try AlertRule.parse("BTC " + signal, feed: .live)
            #expect(hasHangul(AlertTextPresenter.rule(rule, .korean)), "\(signal)")
            #expect(!hasHangul(AlertTextPresenter.rule(rule, .english)), "\(signal)")
        }
    }
}
