import TestSupport
import UseCases

@testable import Domain
@testable import ViewStates

/// Records the events of one document of the small exchange.
struct ClientVectorRecorder {
    private(set) var bench: DetailFeedHarness
    private let pinned: PinnedDocument
    private var log: ChangeLog
    private var cursor: DocumentRevision
    private var vector: ClientVector

    init(
        _ name: String,
        _ description: String,
        _ query: DocumentQuery,
        _ bench: DetailFeedHarness = DetailFeedHarness()
    ) throws {
        self.bench = bench
        pinned = bench.documents.follow(query)
        log = ChangeLog(pinned.version(), bounds: .init())
        cursor = log.revision
        vector = ClientVector(
            name: name,
            description: description,
            document: try OrderedJSON(log.document),
            events: [],
            result: nil
        )
    }

    /// Changes the exchange, a tenth of a second later unless said otherwise.
    ///
    /// - Parameters:
    ///   - wait: the time until the change.
    ///   - isSent: whether the client reads the revision; otherwise its next event leads over it.
    ///   - isReset: whether the client gets the whole document.
    ///   - change: the change.
    /// - Throws: ``OrderedJSON/Malformed``.
    mutating func step(
        _ wait: Duration = .milliseconds(100),
        isSent: Bool = true,
        isReset: Bool = false,
        _ change: (inout SampleBoard) -> Void
    ) throws {
        bench.wait(wait, change)
        guard log.take(pinned.version()), isSent else { return }
        let way = log.way(from: cursor)
        cursor = log.revision
        let document = try OrderedJSON(log.document)
        switch way {
        case .patch(let patch) where !isReset:
            vector.events.append(
                .init(type: "patch", id: cursor.text, data: try OrderedJSON(patch))
            )
        case .patch, .restarted, .unknown:
            vector.events.append(.init(type: "reset", id: cursor.text, data: document))
        case .here: break
        }
    }

    /// The vector, ending with the newest document.
    func recorded() throws -> ClientVector {
        var vector = vector
        vector.result = try OrderedJSON(log.document)
        return vector
    }
}

extension ClientVectorRecorder {
    /// Every vector: recorded from documents of hoga, and patches that fit none of them.
    static func vectors() throws -> [ClientVector] {
        let recorded = [
            try values(), try order(), try tradesFirst(), try candlesLast(), try book(),
            try removedAndBack(), try coalesced(), try snapshot(), try reset(),
        ]
        return recorded + mismatches(of: recorded[0].document)
    }

    private static let market = DetailFeedHarness.market

    private static func values() throws -> ClientVector {
        var recorder = try Self(
            "market-list-values",
            "rows are replaced where they stand, other members whole",
            .marketList(MarketListQuery())
        )
        try recorder.step { $0.trade("XRP_KRW", at: "744") }
        try recorder.step { $0.trade(market, at: "143300000") }
        try recorder.step(.seconds(30)) { $0.apply(.feed(.stale)) }
        return try recorder.recorded()
    }

    private static func order() throws -> ClientVector {
        var query = MarketListQuery()
        (query.sort, query.direction) = (.price, .ascending)
        var recorder = try Self("market-list-order", "rows move", .marketList(query))
        try recorder.step { $0.trade("XRP_KRW", at: "999999999") }
        try recorder.step { $0.trade("NEW_KRW", at: "1") }
        try recorder.step { $0.trade("XRP_KRW", at: "2") }
        return try recorder.recorded()
    }

    private static func tradesFirst() throws -> ClientVector {
        var query = MarketDetailQuery(market: market)
        query.tradeLimit = 3
        var recorder = try Self(
            "trades-first",
            "several new rows are first, in the patch's order; the oldest are removed",
            .trades(query)
        )
        for price in [143_210_000, 143_211_000, 143_209_000, 143_212_000] as [Int64] {
            try recorder.step(isSent: price.isMultiple(of: 10_000)) { sample in
                for quantity in 1...2 as ClosedRange<Int64> {
                    sample.trade(market, FixedDecimal(price), FixedDecimal(quantity), .buy)
                    sample.wait(.milliseconds(1))
                }
            }
        }
        try recorder.step { $0.trade(market, "143213000", "0.5", .sell) }
        return try recorder.recorded()
    }

    private static func candlesLast() throws -> ClientVector {
        var query = MarketDetailQuery(market: market)
        query.interval = .minute1
        query.averageWindows = [5]
        query.candles = .newest(count: 3, before: nil)
        var recorder = try Self(
            "candles-last",
            "the newest candle changes, new ones are last",
            .candles(query)
        )
        for minute in 0..<4 {
            try recorder.step(.seconds(minute == 0 ? 1 : 60)) {
                $0.trade(market, FixedDecimal(143_210_000 + Int64(minute) * 1_000), "0.25", .buy)
            }
            try recorder.step { $0.trade(market, "143215000", "0.1", .sell) }
        }
        return try recorder.recorded()
    }

    private static func book() throws -> ClientVector {
        var query = MarketDetailQuery(market: market)
        query.depth = 2
        var recorder = try Self(
            "order-book-values",
            "sides of a book are values, replaced whole",
            .orderBook(query)
        )
        try recorder.step { sample in
            sample.book(
                market,
                asks: [["143211000": "0.0421"], ["143212000": "3"]],
                bids: [["143210000": "1"], ["143209000": "2"], ["143208000": "5"]]
            )
        }
        try recorder.step { sample in
            sample.book(market, asks: [["143212000": "3"]], bids: [["143210000": "0.5"]])
        }
        return try recorder.recorded()
    }

    private static let open: (Bool?, Bool?) = (true, true)
    private static let closed: (Bool?, Bool?) = (false, false)

    /// Records the coins without deposits and withdrawals, all three at first.
    private static func suspendedAssets(_ name: String, _ description: String) throws -> Self {
        var query = AssetsQuery()
        query.filter = .suspended
        var bench = DetailFeedHarness()
        bench.wait(.seconds(1)) { $0.transfers(["BTC": closed, "ETH": closed, "XRP": closed]) }
        return try Self(name, description, .assets(query), bench)
    }

    private static func removedAndBack() throws -> ClientVector {
        var recorder = try suspendedAssets(
            "assets-removed-and-back",
            "rows are removed and added again, alone and beside others"
        )
        try recorder.step { $0.transfers(["BTC": open, "ETH": closed, "XRP": closed]) }
        try recorder.step { $0.transfers(["BTC": closed, "ETH": closed, "XRP": closed]) }
        try recorder.step { $0.transfers(["BTC": closed, "ETH": open, "XRP": open]) }
        try recorder.step { $0.transfers(["BTC": open, "ETH": open, "XRP": closed]) }
        try recorder.step { $0.transfers(["BTC": open, "ETH": open, "XRP": open]) }
        try recorder.step { $0.transfers(["BTC": closed, "ETH": closed, "XRP": open]) }
        return try recorder.recorded()
    }

    private static func coalesced() throws -> ClientVector {
        var recorder = try suspendedAssets(
            "assets-coalesced",
            "one patch leads over revisions in which a row went and came back"
        )
        try recorder.step(isSent: false) {
            $0.transfers(["BTC": open, "ETH": closed, "XRP": closed])
        }
        try recorder.step { $0.transfers(["BTC": closed, "ETH": open, "XRP": closed]) }
        return try recorder.recorded()
    }

    private static func snapshot() throws -> ClientVector {
        var detail = MarketDetailQuery(market: market)
        detail.interval = .minute1
        detail.averageWindows = []
        (detail.tradeLimit, detail.depth) = (3, 2)
        var list = MarketListQuery()
        list.limit = 2
        var recorder = try Self(
            "snapshot-paths",
            "paths begin with the name of a document",
            .snapshot(SnapshotQuery(marketList: list, marketDetail: detail))
        )
        for price in ["143300000", "143310000"] as [FixedDecimal] {
            try recorder.step { $0.trade(market, price, "0.5", .buy) }
        }
        try recorder.step { $0.book(market, asks: [["143211000": "2"]], bids: []) }
        return try recorder.recorded()
    }

    private static func reset() throws -> ClientVector {
        var query = MarketDetailQuery(market: market)
        query.tradeLimit = 3
        var recorder = try Self(
            "trades-reset",
            "a reset replaces the whole document; patches go on from there",
            .trades(query)
        )
        try recorder.step { $0.trade(market, "143211000", "1", .buy) }
        try recorder.step(.seconds(90), isReset: true) { $0.trade(market, "143212000", "2", .buy) }
        try recorder.step { $0.trade(market, "143213000", "3", .sell) }
        return try recorder.recorded()
    }

    private static func mismatches(of document: OrderedJSON) -> [ClientVector] {
        func vector(_ name: String, _ description: String, _ patch: String) -> ClientVector {
            let data = #"{"asOf":"2026-11-20T21:03:11.000000+09:00","patches":[\#(patch)]}"#
            return ClientVector(
                name: "mismatch-" + name,
                description: description,
                document: document,
                events: [
                    // Written by hand below.
                    .init(
                        type: "patch",
                        id: "epoch-2",
                        data: (try? OrderedJSON(data.utf8)) ?? .null
                    )
                ],
                result: nil
            )
        }
        func rows(_ remove: String, _ insert: String, _ order: String) -> String {
            #"{"path":"rows","upsert":[],"remove":\#(remove),"insert":\#(insert),"#
                + #""order":\#(order)}"#
        }
        return [
            vector("path", "the document has no such path", #"{"path":"none.here","value":1}"#),
            vector("remove", "no such row", rows(#"["NONE_KRW"]"#, #""last""#, "null")),
            vector("order", "the order has no place for some", rows("[]", #""last""#, "[]")),
            vector(
                "order-unknown",
                "the order has a row that is not there",
                rows(#"["XRP_KRW"]"#, #""last""#, #"["BTC_KRW","ETH_KRW","XRP_KRW","NEW_KRW"]"#)
            ),
            vector("insert", "a list has two ends", rows("[]", #""middle""#, "null")),
        ]
    }
}
