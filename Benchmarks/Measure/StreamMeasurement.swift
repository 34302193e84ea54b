import Domain
import FoundationEssentials
import Glibc
import UseCases
import ViewStates
import PresentationHTTP
import TestSupport

/// Streams of many lists: `Measure streams`.
///
/// Two thousand readers of twenty random markets each and twenty of the whole list, on an exchange
/// of 493 markets of which 200 change each second, with four snapshots a second. Measures the CPU
/// time of updating all documents, and then of making all patches; nothing is sent.
enum StreamMeasurement {
    private static let marketCount = 493
    private static let topicCount = 2_000
    private static let marketsPerTopic = 20
    private static let wholeReaders = 20
    private static let changesPerSnapshot = 50
    private static let snapshotInterval = Duration.milliseconds(250)
    private static let snapshotCount = 80

    /// The cost of one snapshot.
    private struct Cost {
        var advancing: Int
        var taking: Int
        var byteCount: Int
    }

    /// Measures and prints.
    static func run() async throws {
        let tasks = SteppedTasks()
        let feed = ScriptedFeed()
        let markets = (0..<marketCount).compactMap { number in
            MarketID(symbol: "COIN\(number)", quote: number < 480 ? .krw : .btc)
        }
        let latest = SnapshotPublisher(
            BoardSnapshot(
                board: MarketBoard(kind: .live),
                sequence: 0,
                capturedAt: SampleBoard.start
            )
        )
        let start = SampleBoard.start
        let clock = tasks.clock
        let now: @Sendable () -> Timestamp = { start.advanced(by: clock.now.offset) }
        let follow = FollowMarkets(
            feed: feed,
            board: MarketBoard(kind: .live),
            latest: latest,
            snapshotInterval: snapshotInterval,
            clock: clock,
            now: now
        )
        try await tasks.running({ await follow.run() }) {
            feed.put(.feed(.subscribed), at: now())
            for quote in Quote.allCases {
                let entries = markets.filter { $0.quote == quote }.map { market in
                    ListingEntry.sample(market, price: price(1), tradeValue: price(9), price(0))
                }
                feed.put(.listing(Listing(quote, at: now(), entries)), at: now())
            }
            feed.put(.feed(.live), at: now())
            tasks.advance(by: snapshotInterval)
            measure(markets, latest) { generator in
                let events = (0..<changesPerSnapshot).map { _ in
                    MarketEvent.trade(
                        Trade(
                            markets.randomElement(using: &generator) ?? markets[0],
                            price: price(Int64.random(in: 1...999, using: &generator)),
                            at: now()
                        )
                    )
                }
                feed.put(
                    MarketEventBatch(events: events, receivedAt: now(), frameCount: events.count)
                )
                tasks.advance(by: snapshotInterval)
            }
        }
    }

    private static func measure(
        _ markets: [MarketID],
        _ latest: SnapshotPublisher,
        _ publish: (inout SeededGenerator) -> Void
    ) {
        let presenter = MarketListPresenter(names: CoinNames([:]))
        let documents = DocumentProducers(
            marketList: MarketListProducer(presenter: presenter, latest: latest, epoch: "measured"),
            detail: MarketDetailPresenter(names: presenter.names),
            latest: latest,
            epoch: "measured"
        )
        let streams = DocumentStreams(
            documents: documents,
            latest: latest,
            interests: DetailInterests(),
            assetInterests: AssetInterests(),
            bounds: .init(topicsMax: topicCount + 1, bytesMax: 4 << 30),
            clock: ManualClock(),
            random: { $0.lowerBound }
        )
        var generator = SeededGenerator(seed: 1)
        let before = residentKilobytes()
        let queries = (0..<topicCount).map { _ in
            var query = MarketListQuery()
            query.quote = nil
            query.markets = Array(markets.shuffled(using: &generator).prefix(marketsPerTopic))
            return DocumentQuery.marketList(query)
        }
        let whole = Array(repeating: DocumentQuery.marketList(wholeList), count: wholeReaders)
        let readers = (queries + whole).compactMap { try? streams.subscribe(to: $0) }
        for reader in readers { while case .bytes = reader.next() {} }
        streams.advance()
        for reader in readers { while case .bytes = reader.next() {} }
        var costs: [Cost] = []
        for _ in 0..<snapshotCount {
            publish(&generator)
            let began = clock()
            streams.advance()
            let advanced = clock()
            let byteCount = readers.reduce(0) { sum, reader in
                guard case .bytes(let bytes) = reader.next() else { return sum }
                _ = reader.next()
                return sum + bytes.count
            }
            costs.append(
                Cost(advancing: advanced - began, taking: clock() - advanced, byteCount: byteCount)
            )
        }
        report(costs, readers.count, residentKilobytes() - before)
    }

    private static let wholeList: MarketListQuery = {
        var query = MarketListQuery()
        query.quote = nil
        return query
    }()

    private static func report(_ costs: [Cost], _ readers: Int, _ kilobytes: Int) {
        let advancing = costs.map(\.advancing).sorted()
        let taking = costs.map(\.taking).sorted()
        let bytes = costs.reduce(0) { $0 + $1.byteCount } / costs.count
        print(
            "streams: \(readers) readers, going on: median \(advancing[costs.count / 2]) us,"
                + " worst \(advancing[costs.count - 1]) us of CPU a snapshot"
        )
        print(
            "streams: patches: median \(taking[costs.count / 2]) us,"
                + " worst \(taking[costs.count - 1]) us, \(bytes) bytes a snapshot"
        )
        print(
            "streams: \(kilobytes) kB more resident, \(kilobytes * 1_024 / readers) bytes a reader"
        )
    }

    private static func price(_ number: Int64) -> FixedDecimal { FixedDecimal(number * 1_000) }

    /// Resident memory of the process.
    private static func residentKilobytes() -> Int {
        let text = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8)) ?? ""
        let pages = text.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
        return pages * 4
    }
}
