import Foundation
import UseCases
import ViewStates
import TestSupport
import Testing

@testable import Domain

@Suite("Users' documents")
struct UserDocumentProducersTests {
    @Test("revisions change exactly when contents do, over random events and changes")
    func property() throws {
        var bench = Bench()
        var generator = SeededGenerator(seed: 81)
        var last: [UserDocumentQuery: (revision: String, state: OrderedJSON)] = [:]
        var changes: [UserDocumentQuery: Int] = [:]
        for _ in 0..<200 {
            bench.randomStep(&generator)
            for query in Bench.queries {
                let (bytes, revision) = bench.producers.bytes(query)
                let json = try OrderedJSON(bytes)
                let state = try #require(json["state"])
                #expect(json["revision"] == .string(revision))
                if let before = last[query] {
                    #expect(
                        (before.revision == revision) == (before.state == state),
                        "\(query)"
                    )
                    if before.revision != revision { changes[query, default: 0] += 1 }
                }
                last[query] = (revision, state)
            }
        }
        for query in Bench.queries { #expect((1..<199).contains(changes[query] ?? 0), "\(query)") }
    }

    @Test("market documents have revisions of process and user, stored ones of the user")
    func revisions() {
        let bench = Bench()
        for query in Bench.queries {
            let revision = bench.producers.bytes(query).revision
            let prefix = query.includesMarketData ? "epoch-u4-" : "u4-"
            #expect(revision.hasPrefix(prefix), "\(query)")
            #expect(Int(revision.dropFirst(prefix.count)) != nil, "\(query)")
        }
        #expect(bench.producers.bytes(.cash).revision == "u4-0")
    }

    @Test("a new favorite is listed at once")
    func favorites() {
        var bench = Bench()
        let list = bench.producers.marketList
        #expect(list.document(Bench.favorites).state.emptyReason == .noFavorites)
        bench.change { $0.favorites = Revised(["XRP_KRW"], revision: 1) }
        #expect(list.document(Bench.favorites).state.rows.map(\.market) == ["XRP_KRW"])
        bench.change { $0.favorites = Revised(["BTC_KRW", "XRP_KRW"], revision: 2) }
        #expect(list.document(Bench.favorites).state.rows.map(\.symbol) == ["BTC", "XRP"])
        let plain = list.document(MarketListQuery()).state.rows
        #expect(plain.first?.favorite == FavoriteViewState(position: 1))
    }

    @Test("a user's snapshot equals the single documents")
    func snapshot() throws {
        var bench = Bench()
        var generator = SeededGenerator(seed: 82)
        for _ in 0..<100 {
            bench.randomStep(&generator)
            let whole = try OrderedJSON(bench.producers.bytes(.snapshot(Bench.everything)).bytes)
            let list = try OrderedJSON(bench.producers.bytes(.marketList(Bench.favorites)).bytes)
            let portfolio = try OrderedJSON(bench.producers.bytes(.portfolio(.korean)).bytes)
            let state = try #require(whole["state"])
            #expect(
                state.keys == ["market-list", "market-detail", "assets", "portfolio", "alerts"]
            )
            #expect(state["market-list"] == list["state"])
            let alerts = try OrderedJSON(bench.producers.bytes(.alerts(.korean)).bytes)
            #expect(state["alerts"] == alerts["state"])
            #expect(state["portfolio"]?["rows"] == portfolio["state"]?["rows"])
            #expect(state["portfolio"]?["cash"] == portfolio["state"]?["cash"])
            let decoded = try JSONDecoder().decode(
                SnapshotDocument.self,
                from: Data(bench.producers.bytes(.snapshot(Bench.everything)).bytes)
            )
            #expect(decoded.json == bench.producers.bytes(.snapshot(Bench.everything)).bytes)
        }
    }

    @Test("each document has its schema, and scopes are the reader's")
    func schemas() throws {
        let bench = Bench()
        let schemas = [
            "market-list", "market-list", "portfolio", "snapshot", "alerts", "settings",
            "favorites",
            "holdings", "cash", "me",
        ]
        for (query, schema) in zip(Bench.queries, schemas) {
            let json = try OrderedJSON(bench.producers.bytes(query).bytes)
            #expect(json["schema"] == .string(schema))
            #expect(json.keys?.contains("source") == query.includesMarketData)
            #expect(json.keys?.contains("asOf") == query.includesMarketData)
        }
        let me = try OrderedJSON(bench.producers.bytes(.me).bytes)
        #expect(me["state"]?["scopes"] == .array([.string("read")]))
    }
}

/// A user of the small exchange.
private struct Bench {
    static let favorites: MarketListQuery = {
        var query = MarketListQuery()
        query.tab = .favorites
        query.quote = nil
        query.sort = nil
        return query
    }()
    static let queries: [UserDocumentQuery] = [
        .marketList(MarketListQuery()), .marketList(favorites), .portfolio(.korean),
        .snapshot(everything), .alerts(.korean), .settings, .favorites, .holdings, .cash, .me,
    ]
    static let everything = UserSnapshotQuery(
        market: SnapshotQuery(
            marketList: favorites,
            marketDetail: MarketDetailQuery(market: "XRP_KRW"),
            assets: AssetsQuery()
        ),
        portfolio: .korean,
        alerts: .korean
    )

    private var sample = SampleBoard.live()
    private var record = UserRecord(name: "mina")
    private var sequence: UInt64 = 1
    private let latest: SnapshotPublisher
    private let personal: UserStatePublisher
    let producers: UserDocumentProducers

    init() {
        latest = SnapshotPublisher(sample.snapshot())
        personal = UserStatePublisher(
            UserState(user: UserID(4), record: record, status: .ready, sequence: 1)
        )
        producers = UserDocumentProducers(
            personal: personal,
            lists: MarketListPresenter(names: .sample),
            latest: latest,
            scopes: [.read],
            epoch: "epoch"
        )
    }

    /// Changes the user's state and publishes it.
    mutating func change(_ body: (inout UserRecord) -> Void) {
        body(&record)
        sequence += 1
        personal.publish(
            UserState(user: UserID(4), record: record, status: .ready, sequence: sequence)
        )
    }

    /// Some time, and perhaps an event or a change; a revision grows with every change, as in a
    /// store.
    mutating func randomStep(_ generator: inout SeededGenerator) {
        sample.wait(.milliseconds(Int.random(in: 0...1_500, using: &generator)))
        let number = FixedDecimal(Int64.random(in: 1...3, using: &generator))
        switch Int.random(in: 0..<14, using: &generator) {
        case 0: sample.apply(.feed(.stale))
        case 1: sample.apply(.feed(.live))
        case 2: sample.trade("BTC_KRW", at: number)
        case 3: sample.trade("XRP_KRW", at: number)
        case 4: sample.transfers(["XRP": (number == .one, true)])
        case 5: change { Self.set(&$0.cash, to: number) }
        case 6:
            let markets: [MarketID] = number == .one ? ["XRP_KRW"] : ["BTC_KRW", "XRP_KRW"]
            change { Self.set(&$0.favorites, to: markets) }
        case 7:
            let holdings = Asset(symbol: "XRP").map {
                [Holding(asset: $0, quantity: number, averagePrice: nil)]
            }
            change { Self.set(&$0.holdings, to: holdings ?? []) }
        case 8:
            change { record in
                var settings = record.settings.value
                settings.theme = number == .one ? .dark : .light
                Self.set(&record.settings, to: settings)
            }
        case 9:
            change { record in
                let profile = UserProfile(name: "mina", displayName: number == .one ? "미나" : nil)
                Self.set(&record.profile, to: profile)
            }
        case 10:
            change { record in
                var alerts = record.alerts.value
                alerts.add("XRP > \(number) again 1h")
                alerts.fire(1, of: UserID(4), "XRP_KRW", number)
                Self.set(&record.alerts, to: alerts)
            }
        default: break
        }
        latest.publish(sample.snapshot())
    }

    private static func set<Value: Equatable>(_ kept: inout Revised<Value>, to value: Value) {
        if kept.value != value { kept = Revised(value, revision: kept.revision + 1) }
    }
}
