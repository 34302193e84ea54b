import Concurrency
import DataSourceContracts
import Domain
import TestSupport
import Testing

@testable import Repositories

@Suite("A feed of details takes each book from the generation that has the wanted levels")
struct LiveDetailFeedGenerationTests {
    private static let bitcoin: MarketID = "BTC_KRW"
    private static let book = DetailInterest(market: bitcoin, facet: .book)
    private static let deep = DetailInterest(market: bitcoin, facet: .deepBook)
    private static let gone = DataSourceError(.httpStatus(404), "HTTP status 404")

    @Test("a reader of fifteen levels needs no connection to 1.x; one of more takes 1.x")
    func depth() async throws {
        let exchange = DetailGenerationHarness()
        // REST is away, so that frames alone count.
        let failure = DataSourceError(.timedOut, "orderbook")
        for generation in APIGeneration.allCases {
            exchange.books(generation).fail(failure, symbol: "BTC_KRW")
        }
        try await exchange.drive {
            let lease = exchange.look(Self.book)
            exchange.frame(.v2)
            #expect(exchange.shown?.api == .v2)
            #expect(exchange.streams(.v1).isEmpty)

            exchange.setReachable(false, .v1)
            let deepLease = exchange.look(Self.deep)
            exchange.tasks.advance(by: .seconds(2))
            #expect(exchange.shown?.api == .v2 && exchange.shown?.isReady == true, "it stays")
            exchange.setReachable(true, .v1)
            exchange.tasks.advance(by: .seconds(9))
            exchange.frame(.v1)
            #expect(exchange.shown?.api == .v1 && exchange.shown?.isComplete == true)
            exchange.frame(.v2)
            #expect(exchange.shown?.api == .v1, "a frame of the other API does not count")

            exchange.leave(deepLease)
            #expect(exchange.shown?.api == .v1, "until the first book of 2.x")
            exchange.frame(.v1)
            #expect(exchange.shown?.api == .v1)
            exchange.frame(.v2)
            #expect(exchange.shown?.api == .v2 && exchange.shown?.isComplete == true)
            exchange.frame(.v1)
            #expect(exchange.shown?.api == .v2)
            exchange.leave(lease)
        }
    }

    @Test("a quiet deep book changes its API with the answer of REST")
    func quietBook() async throws {
        let exchange = DetailGenerationHarness()
        try await exchange.drive {
            let lease = exchange.look(Self.book)
            exchange.frame(.v2)
            let deepLease = exchange.look(Self.deep)
            exchange.tasks.advance(by: .seconds(2))
            #expect(exchange.shown?.api == .v1 && exchange.shown?.isComplete == true)
            exchange.leave(deepLease)
            exchange.leave(lease)
        }
    }

    @Test("an answer that was requested before the book changed its API is dropped")
    func lateAnswer() async throws {
        let exchange = DetailGenerationHarness()
        try await exchange.drive {
            exchange.books(.v2).hold()
            let lease = exchange.look(Self.book)
            let deepLease = exchange.look(Self.deep)
            exchange.frame(.v1)
            exchange.books(.v2).letGo()
            exchange.tasks.settle()
            #expect(exchange.shown?.api == .v1)
            #expect(exchange.failures.isEmpty)
            exchange.leave(deepLease)
            exchange.leave(lease)
        }
    }

    @Test("the loss of one stream leaves the books of the other alone")
    func lossOfOne() async throws {
        let exchange = DetailGenerationHarness()
        try await exchange.drive {
            let ether = DetailInterest(market: "ETH_KRW", facet: .book)
            let leases = [exchange.look(Self.book), exchange.look(Self.deep), exchange.look(ether)]
            exchange.frame(.v1)
            exchange.frame(.v2, "ETH")
            exchange.hangUp(.v1)
            #expect(exchange.board.detailStatus.lost == [Self.bitcoin])
            #expect(exchange.board.details["ETH_KRW"]?.book.isComplete == true)
            exchange.tasks.advance(by: .seconds(1))
            #expect(exchange.board.detailStatus.lost.isEmpty)
            for lease in leases { exchange.leave(lease) }
        }
    }

    @Test("a connection in backoff is replaced at once when its generation is left")
    func backoff() async throws {
        let exchange = DetailGenerationHarness()
        try await exchange.drive {
            exchange.setReachable(false, .v2)
            let lease = exchange.look(Self.book)
            exchange.tasks.advance(by: .seconds(40))
            #expect(exchange.board.detailStatus.attempt > 3)
            exchange.end(.v2, on: .stream)
            #expect(exchange.streams(.v1).count == 1)
            exchange.frame(.v1)
            #expect(exchange.shown?.api == .v1 && exchange.shown?.isComplete == true)
            #expect(exchange.board.detailStatus.lost.isEmpty)
            exchange.leave(lease)
        }
    }

    @Test("a generation that is used again is connected to at once")
    func returning() async throws {
        let exchange = DetailGenerationHarness()
        try await exchange.drive {
            let leases = [exchange.look(Self.book), exchange.look(Self.deep)]
            exchange.end(.v1, on: .rest)
            exchange.frame(.v2)
            #expect(exchange.shown?.api == .v2)
            let count = exchange.streams(.v1).count
            exchange.tasks.advance(by: .seconds(60))
            #expect(exchange.streams(.v1).last?.isClosed == true, "nothing comes from there")
            exchange.restore(.v1)
            #expect(exchange.streams(.v1).count == count + 1)
            exchange.frame(.v1)
            #expect(exchange.shown?.api == .v1)
            for lease in leases { exchange.leave(lease) }
        }
    }

    @Test("trades that a generation refuses because it is gone are read from the other at once")
    func refusedTrades() async throws {
        let exchange = DetailGenerationHarness()
        let noRoute = DataSourceError(
            .refused(status: "not_found", message: "No Route matched with those values"),
            "trades"
        )
        exchange.trades(.v2).fail(noRoute, symbol: "BTC_KRW")
        try await exchange.drive {
            exchange.flow(.v1)
            let lease = exchange.look(DetailInterest(market: Self.bitcoin, facet: .trades))
            #expect(exchange.failures.count == 1)
            for _ in 0..<4 {
                exchange.flow(.v1)
                exchange.tasks.advance(by: .seconds(1))
            }
            #expect(exchange.trades(.v2).readCount(symbol: "BTC_KRW") == 3)
            #expect(exchange.selector.use.value.primary == .v1)
            #expect(exchange.trades(.v1).readCount(symbol: "BTC_KRW") >= 1)
            exchange.leave(lease)
        }
    }

    @Test("books come from 2.x when 1.x has none any more, and 1.x stays in use")
    func endOfBooks() async throws {
        let exchange = DetailGenerationHarness()
        exchange.books(.v1).fail(Self.gone, symbol: "BTC_KRW")
        try await exchange.drive {
            let leases = [exchange.look(Self.book), exchange.look(Self.deep)]
            for _ in 0..<5 {
                exchange.flow(.v1)
                exchange.flow(.v2)
                exchange.tasks.advance(by: .seconds(1))
            }
            #expect(exchange.shown?.api == .v2 && exchange.shown?.isReady == true)
            #expect(exchange.selector.use.value.inUse == Set(APIGeneration.allCases))
            for lease in leases { exchange.leave(lease) }
        }
    }
}
