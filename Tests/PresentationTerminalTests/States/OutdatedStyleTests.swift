import Domain
import ViewStates
import Testing

@testable import PresentationTerminal

@Suite("Stale data is dimmed until newer data arrives")
struct OutdatedStyleTests {
    /// A figure of each block and its row.
    private static let figures: [(block: StateSamples.Block, text: String, row: Int)] = [
        (.list, "143,210,000", 3), (.book, "143,211,000", 11), (.chart, "고 ", 3),
        (.trades, "143,210,000", 4), (.days, "131,110,000", 4), (.assets, "이더리움", 3),
        (.portfolio, "7,160,500", 3), (.portfolio, "9,780,100", 1),
    ]

    @Test("Each block of stale data is dimmed until newer data arrives", arguments: Self.figures)
    func dimmed(block: StateSamples.Block, text: String, row: Int) throws {
        func isDim(_ state: StateSamples.State) throws -> Bool {
            let picture = StateSamples.frame(block, state, .korean)
            let frame = try #require(picture)
            let style = frame.style(of: text, row: row)
            return try #require(style, "\(block), \(state)").emphasis.contains(.dim)
        }
        for state in [StateSamples.State.stale, .reconnecting, .offline] {
            #expect(try isDim(state), "\(block), \(state)")
        }
        for state in [StateSamples.State.live, .replayEnded, .storeAway] {
            #expect(try !isDim(state), "\(block), \(state)")
        }
    }
}
