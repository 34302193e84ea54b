import DataSourceContracts
import DataSourcesBithumb
import DataSourcesHTTP
import Domain
import ExchangeSimulator
import Testing
import UseCases

@testable import App

/// What the exchange was seen to do in API 2.x beside its documentation, each behind a switch of
/// the simulated exchange.
@Suite("Quirks of API 2.x", .tags(.threads), .timeLimit(.minutes(4)))
struct MarketQuirkTests {
    private static let feed = ExchangeSimulator.Feed.markets(won: 12, bitcoin: 3, rate: 500)

    /// A message as text, and what hoga reads from it.
    private typealias Frame = (text: String, message: StreamMessageDTO)

    /// Sends requests one after another, each after frames of the one before, and returns the
    /// frames after the last one.
    private static func frames(
        of requests: [String],
        count: Int,
        _ clients: MarketAPITests.Clients,
        until isEnough: ([Frame]) -> Bool = { _ in true }
    ) async throws -> [Frame] {
        let connection = try await clients.streams.open(
            url: clients.simulator.marketStreamURL,
            timeout: MarketAPITests.requestTimeout,
            pingInterval: nil
        )
        var decoder = StreamDecoder(.v2)
        var frames: [Frame] = []
        for (index, request) in requests.enumerated() {
            frames = []
            try await connection.send(text: request)
            let isLast = index + 1 == requests.count
            while frames.count < (isLast ? count : 5) || isLast && !isEnough(frames) {
                let batch = try await connection.receive(
                    batchInterval: MarketAPITests.batchInterval
                )
                let messages = decoder.decode(batch)
                #expect(messages.count == batch.count)
                for index in 0..<batch.count {
                    let text = String(decoding: batch.bytes[batch.range(at: index)], as: UTF8.self)
                    frames.append((text, messages[index]))
                }
            }
        }
        await connection.close()
        return frames
    }

    private static func request(_ type: String, _ market: String) -> String {
        #"[{"ticket":"a"},{"type":"\#(type)","codes":["\#(market)"]}]"#
    }

    @Test("a change before the state is read like any other")
    func realtimeFirst() async throws {
        try await MarketAPITests.run(faults: [.realtimeFirst]) { clients in
            let frames = try await Self.frames(
                of: [Self.request("ticker", "KRW-BTC")],
                count: 20,
                clients,
                until: { $0.contains { $0.text.contains("SNAPSHOT") } }
            )
            #expect(frames[0].text.contains("REALTIME"))
            for frame in frames {
                guard case .marketTicker = frame.message else {
                    Issue.record("\(frame.text)")
                    continue
                }
            }
        }
    }

    @Test("frames of a replaced request still come, and are read")
    func lateFrames() async throws {
        try await MarketAPITests.run(faults: [.lateFrames]) { clients in
            let frames = try await Self.frames(
                of: [Self.request("trade", "KRW-BTC"), Self.request("ticker", "KRW-XRP")],
                count: 60,
                clients
            )
            // Frames that the server had written before it read the request come as well.
            let last = frames.lastIndex { $0.text.contains("KRW-BTC") }
            let state = frames.firstIndex { $0.text.contains("SNAPSHOT") }
            #expect(try #require(last) > #require(state))
            for frame in frames {
                if case .skipped = frame.message { Issue.record("\(frame.text)") }
            }
        }
    }

    @Test("numbers of 26 decimals are read as near as hoga can tell")
    func longNumbers() async throws {
        try await MarketAPITests.run(faults: [.longNumbers]) { clients in
            let long = try await clients.source.tickers(markets: MarketAPITests.markets)
            #expect(long.tickers.count == 3 && long.skippedCount == 0)
            let figures = long.tickers.flatMap { [$0.accTradeVolume24H, $0.accTradePrice24H] }
            #expect(figures.compactMap(\.self).contains { $0.scale == 26 })
            let frames = try await Self.frames(
                of: [Self.request("ticker", "KRW-BTC")],
                count: 5,
                clients
            )
            for frame in frames {
                guard case .marketTicker(let ticker) = frame.message else {
                    Issue.record("\(frame.text)")
                    continue
                }
                #expect((ticker.accTradeVolume24H?.scale ?? 0) > 18)
            }
        }
        try await ConnectedExchange.run(Self.feed, api: "2", faults: [.longNumbers]) { exchange in
            let board = try await exchange.live().board
            for market in board.markets {
                #expect(market.tradeValue24h != nil && market.volume24h != nil, "\(market.id)")
            }
            #expect(board.feed.entriesSkipped == 0)
        }
    }

    @Test("a ticker has a date of delisting, null or none")
    func delistingDates() async throws {
        try await MarketAPITests.run(faults: [.noDelistingDates]) { clients in
            let frames = try await Self.frames(
                of: [Self.request("ticker", "KRW-BTC")],
                count: 10,
                clients
            )
            #expect(frames.contains { $0.text.contains(#""delisting_date":null"#) })
            #expect(frames.contains { !$0.text.contains("delisting_date") })
            for frame in frames {
                guard case .marketTicker(let ticker) = frame.message else {
                    Issue.record("\(frame.text)")
                    continue
                }
                #expect(ticker.isSuspended == false)
            }
        }
    }

    @Test("times of tickers in REST are true, whether they are nine hours ahead or not")
    func tickerTimes() async throws {
        for faults in [[], [SimulatorFault.trueTickerTimes]] {
            try await MarketAPITests.run(faults: faults) { clients in
                clients.simulator.pause()
                _ = try await eventually { clients.simulator.report().isAtRest ? () : nil }
                let ticker = try await clients.source.tickers(markets: ["KRW-BTC"]).tickers.first
                let trade = try await clients.source.trades(market: "KRW-BTC", count: 1).trades
                let at = try #require(ticker).tradedAtMilliseconds
                #expect(at == trade.first?.atMilliseconds)
            }
        }
    }

    @Test("markets that are listed and refused cost no other market its price")
    func refusedCodes() async throws {
        let names = ["XRP_KRW", "ETH_KRW", "DOGE_KRW", "ADA_KRW", "SOL_KRW"]
        let all = try await ConnectedExchange.run(Self.feed, api: "2") { exchange in
            try await exchange.live().board.markets.map(\.id)
        }
        let refused = Array(all.filter { $0.quote == .krw && names.contains($0.name) }.prefix(5))
        try #require(refused.count >= 4)
        try await ConnectedExchange.run(
            Self.feed,
            api: "2",
            faults: refused.map(SimulatorFault.refusedCode)
        ) { exchange in
            let board = try await exchange.live().board
            #expect(board.feed.listingFailure == nil)
            for market in all where !refused.contains(market) {
                #expect(board.market(market)?.price != nil, "\(market.name)")
            }
            #expect(board.feed.entriesSkipped >= refused.count)
        }
    }

    @Test(
        "the end of one stream beside REST that goes on leaves prices and books to the other",
        arguments: [SimulatorFault.stream1Gone, .stream2Gone]
    )
    func streamGone(fault: SimulatorFault) async throws {
        try await ConnectedExchange.run(Self.feed, api: "auto") { exchange in
            let market = try #require(MarketID(symbol: "BTC", quote: .krw))
            let lease = try #require(
                exchange.markets.interests.enter([DetailInterest(market: market, facet: .book)])
            )
            defer { lease.release() }
            _ = try await exchange.live()
            exchange.simulator.start(fault)
            let start = exchange.markets.latest.value
            let later = try await exchange.snapshot("prices and the book go on") { snapshot in
                let board = snapshot.board
                guard board.feed.connection == .live,
                    let book = board.details[market]?.book, book.isReady,
                    let at = book.lastDataAt, let trade = board.tape(of: market).first?.id.at
                else { return false }
                let since = start.capturedAt.advanced(by: .seconds(5))
                return at > since && trade > since
            }
            #expect(later.board.market(market)?.price != nil)
        }
    }
}
