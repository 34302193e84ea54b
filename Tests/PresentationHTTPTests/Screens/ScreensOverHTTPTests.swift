import Foundation
import ViewStates
import PresentationTerminal
import TestSupport
import Testing

@testable import Domain
@testable import PresentationHTTP

@Suite("Screens from HTTP documents equal local screens")
struct ScreensOverHTTPTests {
    /// A small, a usual and a large screen.
    private static let sizes = [
        TerminalSize(columns: 38, rows: 12), TerminalSize(columns: 80, rows: 24),
        TerminalSize(columns: 120, rows: 40), TerminalSize(columns: 220, rows: 60),
    ]
    /// Boards with all data available.
    private static let settled: [BoardBuilder] = [.live, .lost, .failed, .ended]

    /// Two documents of one revision say the same, and are drawn the same by `draw`.
    private func expectSame<State>(
        _ here: Document<State>,
        _ there: Document<State>,
        shows text: String?,
        draw: (Document<State>, TerminalSize) -> Frame
    ) {
        #expect(there.revision == here.revision && there == here)
        var isShown = text == nil
        for size in Self.sizes {
            let (inside, outside) = (draw(here, size), draw(there, size))
            #expect(inside == outside, "\(size)")
            #expect(inside.lines == outside.lines, "\(size)")
            #expect(inside.size == size)
            if let text, outside.lines.contains(where: { $0.contains(text) }) { isShown = true }
        }
        #expect(isShown, "\(text ?? "") is on none of the pictures")
    }

    // MARK: The market

    @Test("the list in each tab", arguments: BoardBuilder.allCases, Language.allCases)
    func list(scene: BoardBuilder, language: Language) throws {
        let served = try ScreenServiceFixture(scene)
        for (tab, quote) in [("markets", "KRW"), ("markets", "BTC"), ("popular", nil)] {
            var query = MarketListQuery()
            query.tab = tab == "popular" ? .popular : .markets
            query.quote = quote.flatMap { Quote(rawValue: $0) }
            query.language = language
            let address =
                "/v1/markets?lang=\(language.rawValue)&tab=\(tab)"
                + (quote.map { "&quote=\($0)" } ?? "")
            let here = served.documents.marketList.document(query)
            let there: MarketListDocument = try served.read(address)
            expectSame(here, there, shows: here.state.rows.first?.priceText) { document, size in
                Self.list(document, size, language, at: served.now)
            }
        }
    }

    private static func list(
        _ document: MarketListDocument,
        _ size: TerminalSize,
        _ language: Language,
        at now: Timestamp
    ) -> Frame {
        var list = MarketListScreenState()
        list.order = document.state.rows.compactMap { MarketID(name: $0.market) }
        list.visibleRows = MarketListRenderer.visibleRows(in: size)
        list.selected = list.order.first
        return MarketListRenderer.render(
            document: document,
            pinned: Array(document.state.rows.prefix(2)),
            state: ScreenState(list: list),
            now: now,
            flashing: Set(document.state.rows.prefix(1).map(\.market)),
            size: size,
            language: language
        )
    }

    @Test("a market with book, trades and chart", arguments: settled, Language.allCases)
    func detail(scene: BoardBuilder, language: Language) throws {
        let served = try ScreenServiceFixture(scene)
        var query = MarketDetailQuery(market: BoardBuilder.market)
        query.depth = 30
        query.language = language
        let here = served.documents.marketDetail.document(query)
        let there: MarketDetailDocument = try served.read(
            "/v1/markets/BTC_KRW?depth=30&lang=\(language.rawValue)"
        )
        for pane in DetailPane.allCases {
            expectSame(here, there, shows: here.state.header.priceText) { document, size in
                Self.detail(document, pane, size, language, at: served.now)
            }
        }
    }

    private static func detail(
        _ document: MarketDetailDocument,
        _ pane: DetailPane,
        _ size: TerminalSize,
        _ language: Language,
        at now: Timestamp
    ) -> Frame {
        var state = ScreenState()
        let room = MarketDetailRenderer.room(in: size)
        let days = DayList(document.state.chart, quote: .krw)
        let actions: [ScreenAction] = [
            .resize(visibleRows: size.rows, room: room), .open(BoardBuilder.market),
            .detail(.focus(pane)),
            .detail(.shown(DetailExtent(document, days: days.rows.count, now: now))),
        ]
        for action in actions { _ = ScreenReducer.reduce(&state, action) }
        return MarketDetailRenderer.render(
            document: document,
            days: days,
            state: state,
            now: now,
            flashing: [],
            size: size,
            theme: Theme(colors: .trueColor),
            language: language
        )
    }

    @Test("deposits and withdrawals", arguments: settled, Language.allCases)
    func assets(scene: BoardBuilder, language: Language) throws {
        let served = try ScreenServiceFixture(scene)
        var query = AssetsQuery()
        query.language = language
        let here = served.documents.assets.document(query)
        let there: AssetsDocument = try served.read("/v1/assets?lang=\(language.rawValue)")
        expectSame(here, there, shows: here.state.rows.first?.asset) { document, size in
            var state = ScreenState()
            let shown = AssetsAction.shown(
                document.state.rows.compactMap { Asset(symbol: $0.asset) },
                visibleRows: AssetsRenderer.visibleRows(in: size, state),
                now: served.now
            )
            _ = ScreenReducer.reduce(&state, .assets(shown))
            return AssetsRenderer.render(
                document: document,
                state: state,
                now: served.now,
                size: size,
                language: language
            )
        }
    }

    // MARK: The user

    @Test("the portfolio", arguments: BoardBuilder.allCases, Language.allCases)
    func portfolio(scene: BoardBuilder, language: Language) throws {
        let served = try ScreenServiceFixture(scene)
        let here = served.producers.portfolio.document(language)
        let there: PortfolioDocument = try served.read(
            "/v1/me/portfolio?lang=\(language.rawValue)"
        )
        expectSame(here, there, shows: "1,200") { document, size in
            var state = ScreenState()
            let shown = PortfolioAction.shown(
                PortfolioRenderer.order(of: document),
                visibleRows: PortfolioRenderer.visibleRows(in: size, state, document),
                now: served.now
            )
            _ = ScreenReducer.reduce(&state, .portfolio(shown))
            return PortfolioRenderer.render(
                document: document,
                halted: [],
                state: state,
                now: served.now,
                flashing: [],
                size: size,
                language: language
            )
        }
    }

    @Test("the user's list with favorites", arguments: Language.allCases)
    func favorites(language: Language) throws {
        let served = try ScreenServiceFixture(.live)
        var query = MarketListQuery()
        query.tab = .favorites
        (query.quote, query.sort, query.direction) = (nil, nil, .ascending)
        query.language = language
        let here = served.producers.marketList.document(query)
        let there: MarketListDocument = try served.read(
            "/v1/me/markets?tab=favorites&lang=\(language.rawValue)"
        )
        #expect(there.state.rows.compactMap(\.favorite?.position) == [1, 2])
        expectSame(here, there, shows: here.state.rows.first?.priceText) { document, size in
            Self.list(document, size, language, at: served.now)
        }
    }

    @Test("the settings")
    func settings() throws {
        let served = try ScreenServiceFixture(.live)
        let there: StoredDocument<SettingsViewState> = try served.read("/v1/me/settings")
        #expect(there.state == SettingsViewState(served.record.settings.value))
        #expect(there.state.theme == "high-contrast")
    }

    // MARK: The program

    @Test("about, with the limits", arguments: Language.allCases)
    func about(language: Language) throws {
        let served = try ScreenServiceFixture(.live)
        let here = ScreenServiceFixture.about(language)
        let there: AboutDocument = try served.read("/v1/about?lang=\(language.rawValue)")
        #expect(!there.state.limits.isEmpty)
        expectSame(here, there, shows: "libdeflate") { document, size in
            MoreRenderer.render(
                about: document.state,
                state: ScreenState(),
                now: served.now,
                size: size,
                language: language
            )
        }
    }

    @Test("openapi.json is served, compressed on request, and revalidated")
    func openAPI() throws {
        let served = try ScreenServiceFixture(.live)
        let answer = try served.ask("/openapi.json")
        #expect(answer.status == 200 && answer.fields["etag"] != nil)
        #expect(answer.body == OpenAPIDocument.bytes(version: "1.2.3"))
        let refused = try served.ask("/openapi.json?pretty=1")
        #expect(try refused.json["parameter"] == .string("pretty"))
    }
}
