import Domain
@testable import ViewStates

@testable import PresentationTerminal

/// Every block of the screens in every state in which its data can be.
enum StateSamples {
    enum Block: String, CaseIterable {
        case list, book, chart, trades, days, assets, portfolio, more
    }

    enum State: String, CaseIterable {
        case empty, loading, live, stale, failed, reconnecting, offline, replayEnded
        case noHits, noFavorites, storeAway, unread
    }

    /// The frame, 80 × 24; nil if a block has no such state.
    static func frame(_ block: Block, _ state: State, _ language: Language) -> Frame? {
        switch block {
        case .list: list(state, language)
        case .book, .chart, .trades, .days: detail(block, state, language)
        case .assets: assets(state, language)
        case .portfolio: portfolio(state, language)
        case .more: more(state, language)
        }
    }

    /// The lines that show a state: title, pane names, rows and bottom line.
    ///
    /// A chart with candles shows only its surroundings: its drawing has its own tests.
    static func telling(
        _ frame: Frame,
        _ block: Block,
        _ state: State
    ) -> [(row: Int, text: String)] {
        frame.lines.enumerated().compactMap { row, line in
            var line = line[...]
            while line.last == " " { line.removeLast() }
            let isTold = block != .chart || !hasRows(state) || [0, 1, 2, 23].contains(row)
            return line.isEmpty || !isTold ? nil : (row, String(line))
        }
    }

    // MARK: Health

    static func health(_ state: State, _ language: Language) -> HealthViewState? {
        let isKorean = language == .korean
        func error(_ korean: String, _ english: String, retry: Int64? = nil) -> ErrorViewState {
            ErrorViewState(
                code: "x",
                message: isKorean ? korean : english,
                retryable: true,
                nextRetryAt: retry.map { Samples.now.advanced(by: .seconds($0)) }
            )
        }
        let unreachable = ("거래소에 연결할 수 없음", "the exchange cannot be reached")
        switch state {
        case .empty, .live, .noHits, .noFavorites, .storeAway, .unread: return Samples.health()
        case .loading: return Samples.health(.loading, ageSeconds: nil)
        case .stale:
            let silent = error("데이터가 수신되지 않음", "no data is arriving")
            return Samples.health(.stale, ageSeconds: 7, error: silent)
        case .failed:
            let failure = error(unreachable.0, unreachable.1, retry: 8)
            return Samples.health(.failed, ageSeconds: nil, error: failure)
        case .reconnecting:
            let lost = error(
                "재연결 중 (3차): 연결 끊김",
                "reconnecting (attempt 3): the connection was lost",
                retry: 5
            )
            return Samples.health(.stale, ageSeconds: 12, error: lost)
        case .offline:
            var health = Samples.health(
                .stale,
                ageSeconds: 3 * 3_600,
                error: error(unreachable.0, unreachable.1, retry: 30)
            )
            health.origin = .store
            return health
        case .replayEnded: return Samples.health(.ended, ageSeconds: 90)
        }
    }

    private static func hasRows(_ state: State) -> Bool {
        switch state {
        case .live, .stale, .reconnecting, .offline, .replayEnded, .storeAway: true
        case .empty, .loading, .failed, .noHits, .noFavorites, .unread: false
        }
    }

    private static func personal(_ state: State) -> UserStateUpdate {
        let failure = StoreFailure(.unavailable, "connection refused")
        var user = PageSamples.personal { $0.holdings = Revised(PageSamples.held, revision: 2) }
        if state == .storeAway {
            user = PageSamples.personal(status: .failing(failure)) {
                $0.holdings = Revised(PageSamples.held, revision: 2)
            }
        }
        if state == .unread { user = PageSamples.personal(status: .waiting(failure)) }
        return UserStateUpdate(user)
    }

    // MARK: Blocks

    private static func list(_ state: State, _ language: Language) -> Frame? {
        guard let health = health(state, language) else { return nil }
        let rows = hasRows(state) ? [Samples.wonRows[0]] : []
        var list = Samples.state(rows)
        var reason: MarketListViewState.EmptyReason?
        switch state {
        case .loading: reason = .loading
        case .failed: reason = .error
        case .noHits:
            reason = .noMatch
            list.searchText = "zz"
        case .noFavorites, .unread:
            reason = .noFavorites
            list.tab = .favorites
        case .empty, .live, .stale, .reconnecting, .offline, .replayEnded, .storeAway: break
        }
        var screen = ScreenState(list: list)
        _ = ScreenReducer.reduce(&screen, .personal(personal(state)))
        let document = Samples.document(
            rows,
            health: health,
            total: state == .loading || state == .failed ? 0 : 480,
            filtered: rows.count,
            emptyReason: rows.isEmpty ? reason : nil
        )
        return picture(.list(document, pinned: []), screen, language)
    }

    private static func detail(_ block: Block, _ state: State, _ language: Language) -> Frame? {
        switch state {
        case .noHits, .noFavorites, .unread: return nil
        case .empty, .loading, .live, .stale, .failed, .reconnecting, .offline, .replayEnded,
            .storeAway:
            break
        }
        guard let health = health(state, language) else { return nil }
        let count = hasRows(state) ? 1 : 0
        var held = DetailSamples.state(levels: count, trades: count, candles: count)
        held.orderBook.health = block == .book ? health : Samples.health()
        held.trades.health = block == .trades ? health : Samples.health()
        held.chart.health = block == .chart || block == .days ? health : Samples.health()
        // The title shows what the whole market shares.
        held.header.health = health
        let pane: DetailPane = block == .book ? .book : (block == .chart ? .chart : .trades)
        var screen = DetailSamples.screen(
            held,
            pane: pane,
            actions: block == .days ? [.toggleDays] : []
        )
        _ = ScreenReducer.reduce(&screen, .personal(personal(state)))
        return SplitSamples.frame(
            screen,
            TerminalSize(columns: 80, rows: 24),
            detail: held,
            language: language
        )
    }

    private static func assets(_ state: State, _ language: Language) -> Frame? {
        switch state {
        case .noFavorites, .unread: return nil
        case .empty, .loading, .live, .stale, .failed, .reconnecting, .offline, .replayEnded,
            .noHits, .storeAway:
            break
        }
        guard let health = health(state, language) else { return nil }
        var document = PageSamples.assets(
            hasRows(state) ? [PageSamples.coins[1]] : [],
            health: health
        )
        if state == .loading || state == .failed || state == .empty {
            document.state.counts = .init(all: 0, normal: 0, suspended: 0)
        }
        var screen = PageSamples.screen(.assets)
        if state == .noHits {
            _ = ScreenReducer.reduce(&screen, .assets(.typeSearch("zz")))
        }
        _ = ScreenReducer.reduce(&screen, .personal(personal(state)))
        PageSamples.show(&screen, TerminalSize(columns: 80, rows: 24), assets: document)
        return picture(.assets(document), screen, language)
    }

    private static func portfolio(_ state: State, _ language: Language) -> Frame? {
        switch state {
        case .noHits, .noFavorites: return nil
        case .empty, .loading, .live, .stale, .failed, .reconnecting, .offline, .replayEnded,
            .storeAway, .unread:
            break
        }
        guard let health = health(state, language) else { return nil }
        var document = PageSamples.portfolio(
            hasRows(state) ? [PageSamples.holdings[0]] : [],
            health: health,
            unvalued: []
        )
        if state == .unread {
            document.state.health = Samples.health(.failed, ageSeconds: nil)
            document.state.totals = .init()
            document.state.cash = .init(amount: nil, amountText: nil, sharePercent: nil)
        }
        var screen = PageSamples.screen(.portfolio)
        _ = ScreenReducer.reduce(&screen, .personal(personal(state)))
        PageSamples.show(
            &screen,
            TerminalSize(columns: 80, rows: 24),
            portfolio: document
        )
        return picture(.portfolio(document, halted: []), screen, language)
    }

    private static func more(_ state: State, _ language: Language) -> Frame? {
        guard state == .live || state == .storeAway else { return nil }
        var screen = PageSamples.screen(.more)
        _ = ScreenReducer.reduce(&screen, .personal(personal(state)))
        return picture(.more(PageSamples.about()), screen, language)
    }

    private static func picture(
        _ content: ScreenContent,
        _ state: ScreenState,
        _ language: Language
    ) -> Frame {
        ScreenRenderer.render(
            content,
            state: state,
            now: Samples.now,
            flashing: [],
            size: TerminalSize(columns: 80, rows: 24),
            theme: Theme(colors: .trueColor),
            language: language
        )
    }
}
