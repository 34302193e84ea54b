import Domain
import TestSupport
import Testing
import ViewStates

@testable import PresentationTerminal

@Suite("Status lines show fresh data only as fresh")
struct StatusFormatTests {
    private static let markets: [MarketID] = ["BTC_KRW", "XRP_KRW"]

    private static func lines(
        _ format: String,
        _ document: MarketListDocument = Samples.document(),
        language: Language = .english
    ) throws -> [String] {
        try StatusFormat(format).lines(of: markets, in: document, language: language)
    }

    @Test("Fields are the texts of the list, in the order of the markets")
    func fields() throws {
        #expect(
            try Self.lines("{symbol} {price} {rate}")
                == ["BTC 143,210,000 -1.34%", "XRP 3,412 +0.21%"]
        )
        #expect(
            try Self.lines("{{{market}}} {quote} {arrow} {amount} {period}").first
                == "{BTC_KRW} KRW ▼ -1,945,000 24h"
        )
        #expect(try Self.lines("{name}", language: .korean).first == "비트코인")
    }

    @Test(
        "Data that are not fresh are marked, unless the format has the state",
        arguments: [
            (Samples.health(.stale, ageSeconds: 12), "○ BTC", "12s behind"),
            (Samples.health(.ready, error: Samples.reconnecting), "○ BTC", "cut off"),
            (Samples.health(.ended), "○ BTC", "replay ended"),
            (Samples.health(), "BTC", ""),
        ]
    )
    func freshness(health: HealthViewState, marked: String, state: String) throws {
        let document = Samples.document(health: health)
        #expect(try Self.lines("{symbol}", document).first == marked)
        #expect(try Self.lines("{symbol}|{state}", document).first == "BTC|" + state)
        #expect(StatusFormat.isFresh(Self.markets, in: document) == state.isEmpty)
    }

    @Test("Missing prices are a hyphen and not fresh")
    func missing() throws {
        let document = Samples.document([])
        #expect(try Self.lines("{symbol} {price} {rate}", document).first == "BTC - -")
        #expect(!StatusFormat.isFresh(Self.markets, in: document))
    }

    @Test("Control characters of a format are not printed")
    func controls() throws {
        let line = try #require(try Self.lines("\u{1B}[31m{symbol}\n").first)
        #expect(!line.unicodeScalars.contains { $0.properties.generalCategory == .control })
    }

    @Test(
        "A wrong format is refused with its mistake",
        arguments: [
            ("{", .brace), ("}", .brace), ("{price", .brace),
            ("{bid}", .unknownField("bid")), ("{}", .unknownField("")),
        ] as [(String, StatusFormat.Mistake)]
    )
    func mistakes(format: String, mistake: StatusFormat.Mistake) {
        #expect(throws: mistake) { try StatusFormat(format) }
    }
}
