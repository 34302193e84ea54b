import Domain
import ViewStates
import TestSupport
import Testing

@testable import PresentationTerminal

@Suite("An error leaves room for the hints in the bottom line", .tags(.manyCases))
struct ErrorLineTests {
    private static let messages = [
        "x", "데이터가 수신되지 않음", "재연결 중 (3차): 연결 끊김", "the exchange cannot be reached",
        "reconnecting (attempt 12): the connection was lost",
    ]

    /// The pages and the panes of a market.
    private static let screens: [ScreenState] =
        ScreenPage.allCases.map { page in
            var state = ScreenState()
            _ = ScreenReducer.reduce(&state, .show(page))
            return state
        }
        + DetailPane.allCases.map { pane in
            var state = ScreenState()
            _ = ScreenReducer.reduce(&state, .open("BTC_KRW"))
            if pane != .book { _ = ScreenReducer.reduce(&state, .detail(.focus(pane))) }
            return state
        }

    private func text(_ spans: [Span]) -> String { spans.map(\.text).joined() }

    /// The line of one error in one state.
    private func check(_ error: ErrorViewState, _ state: ScreenState, _ width: Int, _ own: Language)
    {
        let line = BottomLine.error(
            error,
            in: state,
            now: Samples.now,
            width: width,
            keys: .screens,
            language: own
        )
        let parts = (line.left + line.right).map(\.spans)
        let gaps = (parts.count - 1) * line.gap
        let words = parts.map(text)
        #expect(parts.reduce(gaps) { $0 + $1.columns } <= width, "\(words)")
        // The error parts are complete if they fit the line.
        let retry =
            error.retryable && state.page != .more ? (own == .korean ? "r 재시도" : "r retry") : nil
        let countdown = error.nextRetryAt.map {
            MarketListStrings.countdown(to: $0, now: Samples.now)[own]
        }
        let needed = [error.message, countdown, retry].compactMap { $0 }
        let room = needed.reduce(0) { $0 + TextWidth.columns($1) } + (needed.count - 1) * 2
        if room <= width { #expect(Array(words.prefix(needed.count)) == needed, "\(words)") }
        // Help and quit, closer to each other if need be; at last help by its key alone.
        let tight = room - (needed.count - 1)
        let help = own == .korean ? "? 도움말" : "? help"
        let quit = own == .korean ? "q 종료" : "q quit"
        let helpColumns = TextWidth.columns(help)
        if tight + 1 + helpColumns + 1 + TextWidth.columns(quit) <= width {
            #expect(Array(words.suffix(2)) == [help, quit], "\(width) \(words)")
        } else if tight + 1 + helpColumns <= width {
            #expect(words.contains(help), "\(width) \(words)")
        } else if tight + 2 <= width {
            #expect(words.last == "?", "\(width) \(words)")
        }
        #expect(Set(words).count == words.count, "a key is named twice: \(words)")
    }

    @Test(
        "Nothing is truncated, and help and quit appear whenever they fit",
        arguments: messages,
        Language.allCases
    )
    func room(message: String, language: Language) {
        for state in Self.screens {
            for width in Cases.widths(40...100) + [120, 160, 200] {
                for (isRetryable, seconds) in [(true, 5), (true, nil), (false, nil), (true, 3_600)]
                {
                    let error = ErrorViewState(
                        code: "x",
                        message: message,
                        retryable: isRetryable,
                        nextRetryAt: seconds.map { Samples.now.advanced(by: .seconds($0)) }
                    )
                    check(error, state, width, language)
                }
            }
        }
    }
}
