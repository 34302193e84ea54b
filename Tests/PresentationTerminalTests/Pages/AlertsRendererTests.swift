import Domain
import TestSupport
import Testing
import ViewStates

@testable import PresentationTerminal

@Suite("The page of alerts as it is drawn")
struct AlertsRendererTests {
    private func picture(
        columns: Int,
        rows: Int,
        failure: AlertCommandFailure? = nil,
        language: Language = .korean,
        record: (inout UserRecord) -> Void = {
            $0.alerts = Revised(AlertSamples.alerts, revision: 5)
        },
        _ actions: ScreenAction...
    ) -> Frame {
        let size = TerminalSize(columns: columns, rows: rows)
        var state = PageSamples.screen(.alerts, columns: columns, rows: rows, record: record)
        for action in actions {
            PageSamples.show(&state, size)
            _ = ScreenReducer.reduce(&state, action)
        }
        PageSamples.show(&state, size)
        return AlertsRenderer.render(
            failure: failure,
            state: state,
            now: Samples.now,
            size: size,
            language: language
        )
    }

    @Test("80 × 24: the log")
    func log() {
        expectLines(
            picture(columns: 80, rows: 24),
            """
            hoga 알림                                                           21:03:11 KST
            [알림 7] 규칙 5                                                        새 알림 2
                시각            내용
            › ● 11-20 12:00:07  BTC 150,000,000원 이상으로 상승 (150,120,000원)
              ● 11-20 12:00:06  XRP 24시간 변동률 +5% 이상으로 상승 (+5.02%)
                11-20 12:00:05  ETH 4,500,000원 이하로 하락 (4,498,000원)               지연
                11-20 12:00:04  보유자산 수익률 -5% 이하로 하락 (-5.10%)
                11-20 12:00:03  XRP 입금 중단
                11-20 12:00:02  ETH 4,500,000원 이하로 하락 (4,499,000원)               지연
                11-20 12:00:01  XRP 상장













            Enter 열기  A 추가  Tab 알림·규칙  Esc 거래소  1-5 화면         ? 도움말  q 종료
            """
        )
    }

    @Test("80 × 24: the rules in English")
    func rules() {
        expectLines(
            picture(columns: 80, rows: 24, language: .english, .alerts(.otherSection)),
            """
            hoga alerts                                                         21:03:11 KST
             Alerts 7 [Rules 5]                                                        2 new
                State    Rule                                                 Last fired
            › ✓ fired    BTC_KRW > 150000000                                  11-20 12:00:07
              ● active   ETH_KRW < 4500000 again 10m ticks 2
              ● active   favorites 24H > 5% again 1h note look at the book    11-20 12:00:06
              ● active   portfolio return < -5%
              ○ expired  XRP_KRW 3000..3500 until 2026-11-20T18:00















            Enter edit  A add  x remove  Tab log, rules  Esc list             ? help  q quit
            """
        )
    }

    @Test("120 × 36: the log with a failed command and the form")
    func wide() {
        let failure = AlertCommandFailure(
            program: "on-alert",
            reason: .status(3),
            message: "no way"
        )
        let frame = picture(
            columns: 120,
            rows: 36,
            failure: failure,
            .alertSuggested("BTC_KRW > 1500")
        )
        expectPart(
            frame,
            rows: 0..<10,
            columns: 0..<80,
            """
            hoga 알림
            [알림 7] 규칙 5
                시각            내용
            › ● 11-20 12:00:07  BTC 150,000,000원 이상으로 상승 (150,120,000원)
              ● 11-20 12:00:06  XRP 24시간 변동률 +5% 이상으로 상승 (+5.02%)
                11-20 12:00:05  ETH 4,500,000원 이하로 하락 (4,498,000원)
                11-20 12:00:04  보유자산 수익률 -5% 이하로 하락 (-5.10%)
                11-20 12:00:03  XRP 입금 중단
                11-20 12:00:02  ETH 4,500,000원 이하로 하락 (4,499,000원)
                11-20 12:00:01  XRP 상장
            """
        )
        expectPart(
            frame,
            rows: 0..<10,
            columns: 80..<120,
            """
                                        21:03:11 KST
                                           새 알림 2



                                                지연


                                                지연

            """
        )
        let text = frame.lines.joined(separator: "\n")
        #expect(text.contains("! 알림 명령 on-alert") && text.contains("no way"))
        #expect(text.contains("› 규칙  BTC_KRW > 1500"))
    }

    @Test("120 × 36: the rules")
    func wideRules() {
        let frame = picture(columns: 120, rows: 36, .alerts(.otherSection))
        expectPart(
            frame,
            rows: 0..<10,
            columns: 0..<80,
            """
            hoga 알림
             알림 7 [규칙 5]
                상태       규칙
            › ✓ 알림 완료  BTC_KRW > 150000000
              ● 감시 중    ETH_KRW < 4500000 again 10m ticks 2
              ● 감시 중    favorites 24H > 5% again 1h note look at the book
              ● 감시 중    portfolio return < -5%
              ○ 기간 만료  XRP_KRW 3000..3500 until 2026-11-20T18:00


            """
        )
        expectPart(
            frame,
            rows: 0..<10,
            columns: 80..<120,
            """
                                        21:03:11 KST
                                           새 알림 2
                                      최근 알림
                                      11-20 12:00:07

                                      11-20 12:00:06




            """
        )
    }

    @Test("45 × 14: rows of two lines")
    func folded() {
        expectLines(
            picture(columns: 45, rows: 14),
            """
            hoga 알림                        21:03:11 KST
            [알림 7] 규칙 5                     새 알림 2
                시각
            › ● 11-20 12:00:07
                BTC 150,000,000원 이상으로 상승 (150,120…
              ● 11-20 12:00:06
                XRP 24시간 변동률 +5% 이상으로 상승 (+5.…
                11-20 12:00:05  지연
                ETH 4,500,000원 이하로 하락 (4,498,000원)
                11-20 12:00:04
                보유자산 수익률 -5% 이하로 하락 (-5.10%)
                11-20 12:00:03
                XRP 입금 중단
            Enter 열기  Esc 거래소       ? 도움말  q 종료
            """
        )
        expectLines(
            picture(columns: 45, rows: 14, .alerts(.otherSection)),
            """
            hoga 알림                        21:03:11 KST
             알림 7 [규칙 5]                    새 알림 2
                상태       최근 알림
            › ✓ 알림 완료  11-20 12:00:07
                BTC_KRW > 150000000
              ● 감시 중
                ETH_KRW < 4500000 again 10m ticks 2
              ● 감시 중    11-20 12:00:06
                favorites 24H > 5% again 1h note look at…
              ● 감시 중
                portfolio return < -5%
              ○ 기간 만료
                XRP_KRW 3000..3500 until 2026-11-20T18:00
            Enter 수정  Esc 거래소       ? 도움말  q 종료
            """
        )
    }

    @Test("20 × 4: one alert, one rule")
    func smallest() {
        expectLines(
            picture(columns: 20, rows: 4),
            """
            hoga 알림   21:03:11
            › ● 11-20 12:00:07
                BTC 150,000,000…
                ? 도움말  q 종료
            """
        )
        expectLines(
            picture(columns: 20, rows: 4, .alerts(.otherSection)),
            """
            hoga 알림   21:03:11
            › ✓ 알림 완료
                BTC_KRW > 15000…
                ? 도움말  q 종료
            """
        )
    }

    @Test("without alerts and without rules the page offers the key that adds one")
    func empty() {
        expectLines(
            picture(columns: 60, rows: 10, record: { _ in }),
            """
            hoga 알림                                       21:03:11 KST
            [알림 0] 규칙 0



                                  알림이 없습니다
                                    A 알림 추가


            A 추가  Tab 알림·규칙  Esc 거래소           ? 도움말  q 종료
            """
        )
        let rules = picture(columns: 60, rows: 10, record: { _ in }, .alerts(.otherSection))
        #expect(rules.lines.contains { $0.contains("알림 규칙이 없습니다") })
    }

    @Test("a failed command has the last line, if a row is left", arguments: 4...24)
    func failureLine(rows: Int) {
        let failure = AlertCommandFailure(program: "on-alert", reason: .notFound)
        let text = picture(columns: 80, rows: rows, failure: failure).lines.joined()
        #expect(text.contains("› ") && (text.contains("! 알림 명령 on-alert") || rows < 6))
    }
}
