import Domain
import TestSupport
import Testing

@testable import ViewStates

@Suite("Refused rules are explained in both languages")
struct AlertRuleErrorStringsTests {
    private func refusal(_ rule: String) -> LocalizedText? {
        do throws(AlertRuleError) {
            let rule = try AlertRule.parse(rule, feed: .live, markets: ["BTC_KRW", "ETH_BTC"])
            try rule.validate(at: .noon())
            return nil
        } catch {
            return AlertRuleErrorStrings.text(of: error)
        }
    }

    @Test(
        "each text has the fault, its place and one remedy",
        arguments: [
            (
                "BTC turnover 61m > 3", "'61m' (14번째 글자): 거래대금 시간은 1m~60m입니다 (예: turnover 5m)",
                "'61m' at column 14: turnover takes 1m to 60m, e.g. turnover 5m"
            ),
            (
                "BTC > 5 again 8d", "반복 간격은 0s~7d입니다 (예: again 10m)",
                "a pause is 0s to 7d, e.g. again 10m"
            ),
            (
                "BTC > 5 again 1h ticks 1001", "틱은 0~1000입니다 (예: ticks 2)",
                "ticks are 0 to 1000, e.g. ticks 2"
            ),
            (
                "BTC deposit opens again 1h ticks 2", "틱은 기준값이 있는 조건에만 씁니다. 빼고 입력하세요",
                "ticks only work with a level. Leave them out"
            ),
            (
                "portfolio spread > 3",
                "'spread' (11번째 글자): 보유자산에는 평가금액과 수익률만 설정합니다 "
                    + "(예: portfolio return > 10%)",
                "'spread' at column 11: the portfolio has a value and a return only. "
                    + "Write portfolio return > 10%"
            ),
            (
                "all return > 3",
                "'return' (5번째 글자): 수익률은 보유자산 전체나 자산 하나에 설정합니다 "
                    + "(예: BTC return > 10%)",
                "'return' at column 5: a return is that of the portfolio or of one coin. "
                    + "Write BTC return > 10%"
            ),
            (
                "BTT > 5", "'BTT' (1번째 글자): 없는 마켓입니다 – BTC?",
                "'BTT' at column 1: unknown market. Did you mean BTC?"
            ),
            (
                "BTC deposit open", "'open' (13번째 글자): 다음 중 하나를 입력하세요: opens, closes – opens?",
                "'open' at column 13: expected opens or closes. Did you mean opens?"
            ),
            (
                "BTC > 5 again 1h ticks", "23번째 글자: 입력하세요: 틱 수(예: 2)",
                "column 23: missing a number of ticks"
            ),
            (
                "BTC > abc", "'abc' (7번째 글자): 숫자가 아닙니다",
                "'abc' at column 7: not a decimal number such as 1500000 or 0.25"
            ),
            (
                "BTC > 5%", "'5%' (7번째 글자): 가격에는 단위가 없습니다 (예: 150000000)",
                "'5%' at column 7: a price has no unit. Leave it out, e.g. 150000000"
            ),
        ]
    )
    func texts(rule: String, korean: String, english: String) throws {
        let text = try #require(refusal(rule))
        #expect(text.ko == korean)
        #expect(text.en == english)
    }

    @Test("a rule that ends anywhere is explained in Korean without English phrases")
    func truncated() {
        let whole = [
            "BTC_KRW turnover 5m > 3x again 10m ticks 2 until 2026-12-31T09:00 note x",
            "portfolio return < -5%", "favorites deposit opens", "BTC 5..6", "all caution set",
        ]
        var refusedCount = 0
        for rule in whole {
            for length in 0..<rule.count {
                guard let text = refusal(String(rule.prefix(length))) else { continue }
                refusedCount += 1
                #expect(!text.ko.contains("such as") && !text.ko.contains("a number"), "\(text.ko)")
            }
        }
        #expect(refusedCount > 50)
    }

    @Test("the short text has similar words instead of all possible ones")
    func short() throws {
        let error = try #require(throws: AlertRuleError.self) {
            try AlertRule.parse("BTC turnovr 5m > 3x", feed: .live)
        }
        let text = AlertRuleErrorStrings.shortText(of: error)
        #expect(text.en == "'turnovr': unknown word. Did you mean turnover?")
        #expect(text.ko == "'turnovr': 없는 단어입니다 – turnover?")
    }

    @Test("each reason has a Korean text with Hangul and without a final stop")
    func reasons() {
        let reasons: [AlertRuleError.Reason] = [
            .missing(["x"]), .unexpected(["x"], nearest: []), .unknownMarket(nearest: []),
            .number(InputError(.zero)), .unit(""), .unit("%"), .notADuration, .notATime,
            .minutesOutOfRange, .pauseOutOfRange, .ticksOutOfRange, .ticksOfState, .expired,
            .note(InputError(.tooLong(100))), .priceNeedsMarket, .spreadOfAll,
            .valueNeedsPortfolio, .returnNeedsHolding, .notOfPortfolio, .levelOfState,
            .levelMissing, .emptyBand, .tooManyRules, .tooManyBooks(followed: 30, more: 31),
        ]
        for reason in reasons {
            let text = AlertRuleErrorStrings.text(of: AlertRuleError(reason))
            #expect(text.ko.unicodeScalars.contains { (0xAC00...0xD7A3).contains($0.value) })
            #expect(text.ko.last != "." && text.en.last != ".", "\(text)")
        }
    }
}
