import DataSourceContracts
import DataSourcesRemote
import Domain
import Foundation
import ViewStates
import PresentationTerminal
import TestSupport
import Testing

@testable import App

@Suite("Screens with --server", .tags(.threads), .ownThread, .timeLimit(.minutes(4)))
struct RemoteTerminalTests {
    private static let size = TerminalSize(columns: 120, rows: 40)
    /// More than fit the screen, and few enough that many documents are read in a short time.
    private static let wonMarkets = 67

    /// A terminal at a service, both with nothing before.
    private static func withBench(
        rate: Int = 1,
        scope: String? = "write",
        _ body: @escaping @Sendable (RemoteRig, RemoteRigService) async throws -> Void
    ) async throws {
        let folder = RemoteRig.folder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let token = try scope.map { try RemoteRig.token(folder: folder, scope: $0) }
        let port = LoopbackServer.reservedPort()
        let service = try RemoteRigService(
            port: port,
            folder: folder,
            rate: rate,
            wonMarkets: Self.wonMarkets
        )
        defer { service.stop() }
        try await RemoteRig(port: port, token: token).running { bench in
            try await body(bench, service)
        }
    }

    private static func frame(
        _ document: MarketListDocument,
        _ list: MarketListScreenState,
        now: Timestamp
    ) -> Frame {
        MarketListRenderer.render(
            document: document,
            pinned: [],
            state: ScreenState(list: list),
            now: now,
            flashing: [],
            size: size,
            language: .korean
        )
    }

    private static func parameters(_ pairs: KeyValuePairs<String, String>) -> [RemoteParameter] {
        pairs.map { RemoteParameter($0.key, $0.value) }
    }

    // MARK: Screens

    @Test("the list in every tab, order and search equals the document of a GET")
    func list() async throws {
        try await Self.withBench(scope: nil) { bench, _ in
            let model = bench.model
            var state = MarketListScreenState()
            state.visibleRows = MarketListRenderer.visibleRows(in: Self.size)
            _ = model.document(for: state)
            // The document of the stream equals that of a GET at the same revision.
            _ = try await bench.until("a whole list of a revision that a GET has, too") {
                var target = RemoteTarget.list(.hours24, .korean)
                target.path = "/v1/markets"
                let there = try await bench.get(MarketListDocument.self, target)
                guard let here = bench.screens.list.reading.content?.document,
                    there.state.health.complete,
                    here.revision == there.revision
                else { return nil as Bool? }
                #expect(here == there && here.state.rows.count == Self.wonMarkets + 13)
                return true
            }
            let tabs: [(MarketListTab, [RemoteParameter])] = [
                (.krw, Self.parameters(["tab": "markets", "quote": "KRW"])),
                (.btc, Self.parameters(["tab": "markets", "quote": "BTC"])),
                (.popular, Self.parameters(["tab": "popular"])),
            ]
            for (tab, parameters) in tabs {
                for sort in MarketSortKey.allCases {
                    for search in ["", "ㅂㅌ"] where search.isEmpty || tab == .krw {
                        state.tab = tab
                        state.sort = sort
                        state.direction = sort.naturalDirection
                        state.searchText = search
                        try await Self.compare(bench, state, parameters)
                    }
                }
            }
        }
    }

    /// Compares the screen of a state with that of the document of the same query.
    private static func compare(
        _ bench: RemoteRig,
        _ state: MarketListScreenState,
        _ parameters: [RemoteParameter]
    ) async throws {
        var parameters = parameters
        parameters += [
            RemoteParameter("sort", state.sort.rawValue),
            RemoteParameter("direction", state.direction.rawValue),
        ]
        if !state.searchText.isEmpty { parameters.append(RemoteParameter("q", state.searchText)) }
        let target = RemoteTarget(path: "/v1/markets", parameters: parameters)
        // Both documents are of one revision: the stream has the same list before and after the
        // response.
        let words = "\(state.tab) \(state.sort) \(state.searchText)"
        var whole = RemoteTarget.list(.hours24, .korean)
        whole.path = "/v1/markets"
        let all = whole
        let (list, here, there) = try await bench.until(words) {
            let before = try await bench.get(MarketListDocument.self, all).revision
            var list = state
            list.order = bench.model.order(for: state)
            let here = bench.model.document(for: list)
            let there = try await bench.get(MarketListDocument.self, target)
            let after = try await bench.get(MarketListDocument.self, all).revision
            guard before == here.revision, after == before,
                list.order.map(\.name) == there.state.rows.map(\.market)
            else { return nil as (MarketListScreenState, MarketListDocument, MarketListDocument)? }
            return (list, here, there)
        }
        #expect(here.state.total == there.state.total, "\(words)")
        #expect(here.state.filtered == there.state.filtered, "\(words)")
        var shown = there
        // Each document rounds the times of its health to a second.
        shown.state.health = here.state.health
        shown.state.rows = Array(there.state.rows.prefix(list.window.count))
        for index in shown.state.rows.indices {
            shown.state.rows[index].favorite = FavoriteViewState(position: nil)
        }
        #expect(here.state.rows == shown.state.rows, "\(words)")
        let now = bench.model.now
        #expect(frame(here, list, now: now) == frame(shown, list, now: now), "\(words)")
    }

    @Test("a market, its days and deposits equal the documents of a GET")
    func detail() async throws {
        try await Self.withBench(scope: nil) { bench, _ in
            let market: MarketID = "BTC_KRW"
            var screen = ScreenState()
            let room = MarketDetailRenderer.room(in: Self.size)
            _ = ScreenReducer.reduce(&screen, .resize(visibleRows: 30, room: room))
            _ = ScreenReducer.reduce(&screen, .open(market))
            let detail = try #require(screen.detail)
            let query = detail.query(period: .hours24, language: .korean, now: bench.model.now)
            #expect(bench.model.detail(query).state.chart.candles.isEmpty)
            let there: MarketDetailDocument = try await bench.until("a whole detail") {
                _ = bench.model.detail(query)
                var target = RemoteTarget.detail(query, now: bench.model.now)
                target.path = "/v1/markets/BTC_KRW"
                target.parameters.removeAll { $0.name == "market" }
                let there = try await bench.get(MarketDetailDocument.self, target)
                let here = bench.screens.detail.reading.content?.document
                guard here?.revision == there.revision, !there.state.chart.candles.isEmpty,
                    there.state.orderBook.health.phase == .ready
                else { return nil }
                #expect(here == there)
                return there
            }
            // The screen requests a part of it: the candles of the visible span.
            let shown = RemoteDetailView.view(there.state, as: query, else: there.state)
            #expect(shown.orderBook == there.state.orderBook && shown.header == there.state.header)
            guard case .span(let span, _) = query.candles else { return }
            #expect(
                shown.chart.candles
                    == there.state.chart.candles.filter { span.contains($0.openTime) }
            )
            #expect(shown.chart.candles.allSatisfy { $0.averages?.windows.first == 5 })
            let hour = try await bench.until("a spread that held for a time") {
                bench.model.detail(query).state.orderBook.spreadHour
            }
            #expect(hour.minutes.contains { $0 != nil })

            var assets = AssetsQuery()
            assets.filter = .suspended
            let question = assets
            let list: AssetsDocument = try await bench.until("all deposits") {
                let here = bench.model.assets(question)
                var target = RemoteTarget.assets(question)
                target.path = "/v1/assets"
                let there = try await bench.get(AssetsDocument.self, target)
                guard there.state.health.phase == .ready, here.revision == there.revision else {
                    return nil
                }
                #expect(here.state == there.state)
                return there
            }
            #expect(list.state.rows.count == list.state.counts.suspended)
        }
    }

    // MARK: What is kept

    @Test("changes of user data appear on both sides")
    func personal() async throws {
        try await Self.withBench { bench, _ in
            _ = try await bench.until("what is kept") {
                bench.model.personal.status == .ready ? true : nil
            }
            #expect(bench.model.personal.allowsChanges)
            for market in ["ETH_KRW", "BTC_KRW", "XRP_KRW"] as [MarketID] {
                bench.model.perform(.addFavorite(market))
            }
            bench.model.perform(.moveFavorite("XRP_KRW", to: 0))
            bench.model.perform(.putCash("1500000"))
            let asset = try #require(Asset(symbol: "BTC"))
            bench.model.perform(
                .putHolding(Holding(asset: asset, quantity: "0.5", averagePrice: nil))
            )
            var patch = SettingsPatch()
            patch.depth = 7
            patch.marketLayout = .chart
            bench.model.perform(.changeSettings(patch, expecting: nil))
            bench.model.perform(.putDisplayName("나"))
            _ = try await bench.until("all changes") {
                let record = bench.model.personal.record
                return record.profile.value.displayName == "나" ? true : nil
            }
            let record = bench.model.personal.record
            #expect(record.favorites.value == ["XRP_KRW", "ETH_KRW", "BTC_KRW"])
            #expect(record.cash.value == "1500000")
            #expect(record.settings.value == UserSettings().patched(by: patch))
            #expect(record.holdings.value.map(\.asset) == [asset])
            #expect(bench.model.personal.refusal == nil)
            let favorites = try await bench.kept(FavoritesViewState.self, "/v1/me/favorites")
            #expect(favorites.rows?.map(\.market) == ["XRP_KRW", "ETH_KRW", "BTC_KRW"])

            // Another client removes one.
            let request = bench.server.client.request(
                RemoteTarget(path: "/v1/me/favorites/ETH_KRW", isPersonal: true),
                .delete
            )
            _ = try await bench.server.client.send(request)
            _ = try await bench.until("the change of another client") {
                bench.model.personal.record.favorites.value == ["XRP_KRW", "BTC_KRW"] ? true : nil
            }
            // The portfolio is valued by the service, and the same as its document.
            _ = try await bench.until("a portfolio of one revision") {
                let here = bench.model.portfolio(language: .korean)
                let there = try await bench.get(PortfolioDocument.self, .portfolio(.korean))
                guard here.revision == there.revision, there.state.rows.count == 1 else {
                    return nil as Bool?
                }
                #expect(here.state.rows == there.state.rows)
                #expect(here.state.totals == there.state.totals)
                return true
            }
            // The favorites' own tab has them in their order.
            var state = MarketListScreenState()
            state.tab = .favorites
            state.favorites = bench.model.personal.record.favorites.value
            state.visibleRows = 10
            _ = try await bench.until("rows of the favorites") {
                state.order = bench.model.order(for: state)
                let rows = bench.model.document(for: state).state.rows
                return rows.map(\.market) == ["XRP_KRW", "BTC_KRW"]
                    && rows.map(\.favorite?.position) == [1, 2] ? true : nil
            }
        }
    }

    @Test("a read-only token refuses changes before they are sent")
    func readingOnly() async throws {
        try await Self.withBench(scope: "read") { bench, _ in
            _ = try await bench.until("what is kept") {
                bench.model.personal.status == .ready ? true : nil
            }
            #expect(!bench.model.personal.allowsChanges)
            bench.model.perform(.addFavorite("BTC_KRW"))
            let refusal = try await bench.until("a refusal") { bench.model.personal.refusal }
            #expect(refusal.failure.code == .forbidden)
        }
    }

    @Test("without a token public screens work and others say how to get a token")
    func withoutToken() async throws {
        try await Self.withBench(scope: nil) { bench, _ in
            let visibility = try await bench.until("a closed visibility") {
                if case .closed(let failure) = bench.model.personal.status.visibility {
                    return failure
                }
                return nil as StoreFailure?
            }
            #expect(visibility.code == .noToken && visibility.detail.contains("HOGA_TOKEN_FILE"))
            for language in Language.allCases {
                let health = bench.model.portfolio(language: language).state.health
                #expect(health.phase == .failed && health.error?.code == "no_token")
                #expect(health.error?.message.contains("HOGA_TOKEN_FILE") == true)
            }
            var state = MarketListScreenState()
            state.visibleRows = 5
            _ = try await bench.until("rows") {
                state.order = bench.model.order(for: state)
                return bench.model.document(for: state).state.rows.count == 5 ? true : nil
            }
        }
    }

    // MARK: Connections

    @Test(
        "the screen shows reconnection attempts, then fresh data",
        arguments: [true, false]
    )
    func restart(kills: Bool) async throws {
        let folder = RemoteRig.folder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let port = LoopbackServer.reservedPort()
        let service = try RemoteRigService(port: port, folder: folder, wonMarkets: Self.wonMarkets)
        try await RemoteRig(port: port, token: nil).running { bench in
            var state = MarketListScreenState()
            state.visibleRows = 10
            #expect(bench.model.document(for: state).state.health.phase == .loading)
            _ = try await bench.until("rows") {
                state.order = bench.model.order(for: state)
                return bench.model.document(for: state).state.rows.count == 10 ? true : nil
            }
            let before = bench.model.document(for: state)
            service.stop(kills: kills)
            let lost = try await bench.until("the loss") {
                let document = bench.model.document(for: state)
                return document.state.health.error?.code == "reconnecting" ? document : nil
            }
            #expect(lost.state.rows.count == 10, "the last good data stay")
            #expect(lost.state.health.error?.nextRetryAt != nil)
            #expect(lost.state.health.error?.message.hasPrefix("재연결 중 (") == true)
            _ = try await bench.until("the data grow old") {
                bench.model.document(for: state).state.health.phase == .stale ? true : nil
            }
            let again = try RemoteRigService(
                port: port,
                folder: folder,
                wonMarkets: Self.wonMarkets
            )
            defer { again.stop() }
            let fresh = try await bench.until("fresh data") {
                let document = bench.model.document(for: state)
                let health = document.state.health
                return health.error == nil && health.phase == .ready ? document : nil
            }
            #expect(
                fresh.revision.split(separator: "-").first
                    != before.revision.split(separator: "-").first
            )
        }
    }

    @Test("with two instances behind one address each document is one instance's")
    func alternating() async throws {
        let folders = [RemoteRig.folder(), RemoteRig.folder()]
        defer { for folder in folders { try? FileManager.default.removeItem(atPath: folder) } }
        let ports = [LoopbackServer.reservedPort(), LoopbackServer.reservedPort()]
        let services = try zip(ports, folders).map {
            try RemoteRigService(port: $0, folder: $1, rate: 100)
        }
        defer { for service in services { service.stop() } }
        // Each connection goes to the next instance and is closed after a while.
        let front = LoopbackServer { connection throws(LoopbackConnection.Failure) in
            let head = try connection.receiveHead()
            guard let client = try? TCPClient(port: ports[connection.number % 2]) else { return }
            try? client.send(head)
            var count = 0
            while count < 300_000 + connection.number * 150_000, let bytes = try? client.receive(),
                !bytes.isEmpty
            {
                try connection.send(bytes)
                count += bytes.count
            }
        }
        defer { front.stop() }
        try await RemoteRig(port: front.port, token: nil).running { bench in
            var epochs: Set<String> = []
            var state = MarketListScreenState()
            state.visibleRows = 10
            _ = try await bench.until("documents of both") {
                state.order = bench.model.order(for: state)
                _ = bench.model.document(for: state)
                guard let document = bench.screens.list.reading.content?.document else {
                    return nil as Bool?
                }
                #expect(document.state.rows.count <= 493)
                epochs.insert(String(document.revision.prefix { $0 != "-" }))
                return epochs.count >= 2 && front.acceptedCount >= 5 ? true : nil
            }
        }
    }
}
