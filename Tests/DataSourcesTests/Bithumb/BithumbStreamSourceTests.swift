import DataSourceContracts
import DataSourcesBithumb
import TestSupport
import Testing

@Suite(
    "A stream source waits for the greeting, subscribes, receives and closes",
    .tags(.threads),
    .timeLimit(.minutes(30))
)
struct BithumbStreamSourceTests {
    private static let greeting = #"{"status":"0000","resmsg":"Connected Successfully"}"#
    private static let greeted = StreamMessageDTO.status(
        StreamStatusDTO(status: "0000", message: "Connected Successfully")
    )
    private let clock = ManualClock()

    private func source(_ server: InMemoryWebSocketServer) -> BithumbStreamSource {
        BithumbStreamSource(
            transport: server,
            generation: .v1,
            url: BithumbAddresses.streamV1,
            clock: clock,
            timeout: .seconds(5),
            batchInterval: .milliseconds(20)
        )
    }

    private func failure(of source: BithumbStreamSource) async -> DataSourceError? {
        do {
            _ = try await source.connect()
            return nil
        } catch {
            return error
        }
    }

    @Test("the greeting opens the stream and is received first")
    func greeting() async throws {
        let server = InMemoryWebSocketServer { $0.deliver(Self.greeting) }
        let stream = try await source(server).connect()
        let connection = try #require(server.connections.first)
        #expect(connection.url == "wss://pubwss.bithumb.com/pub/ws")
        #expect(connection.timeout == .seconds(5))

        let first = try await stream.receive()
        #expect(first.messages == [Self.greeted])
        #expect(first.frameCount == 1)

        connection.deliver(BithumbFixtures.ticker(), "rubbish")
        let second = try await stream.receive()
        #expect(second.frameCount == 2)
        #expect(second.messages.count == 2)
        #expect(connection.batchIntervals == [.zero, .milliseconds(20)])

        await stream.close()
        await stream.close()
        #expect(connection.isClosed)
        let error = await #expect(throws: DataSourceError.self) { try await stream.receive() }
        #expect(error?.code == .disconnected)
    }

    @Test("data and refusals open the stream, too, and are received")
    func dataAsGreeting() async throws {
        let refusal = #"{"status":"5600","resmsg":"Please try again"}"#
        for first in [BithumbFixtures.ticker(), refusal, #"{"type":"other"}"#] {
            let server = InMemoryWebSocketServer { $0.deliver(first, Self.greeting) }
            let batch = try await source(server).connect().receive()
            #expect(batch.messages.count == 2)
            #expect(batch.messages.last == Self.greeted)
        }
    }

    @Test("an unreadable first message is malformed and closes the connection")
    func unreadableGreeting() async {
        let server = InMemoryWebSocketServer { $0.deliver("<html>", "") }
        #expect(await failure(of: source(server))?.code == .malformed)
        #expect(server.connections.map(\.isClosed) == [true])
    }

    @Test("a silent server fails at the time-out, opening included")
    func silence() async {
        let clock = clock
        let server = InMemoryWebSocketServer { _ in clock.advance(by: .seconds(2)) }
        let source = source(server)
        let caller = Task { await failure(of: source)?.code }
        await clock.untilSleeping()
        clock.advance(by: .milliseconds(2_999))
        #expect(server.connections.map(\.isClosed) == [false])
        clock.advance(by: .milliseconds(1))
        #expect(await caller.value == .timedOut)
        #expect(server.connections.map(\.isClosed) == [true])
    }

    @Test("a late greeting within the time-out is accepted")
    func lateGreeting() async throws {
        let server = InMemoryWebSocketServer { _ in }
        let source = source(server)
        let caller = Task { try await source.connect().receive().messages }
        await clock.untilSleeping()
        clock.advance(by: .milliseconds(4_999))
        server.connections.first?.deliver(Self.greeting)
        #expect(try await caller.value == [Self.greeted])
    }

    @Test("cancellation during silence closes the connection at once")
    func cancelledWhileConnecting() async {
        let server = InMemoryWebSocketServer { _ in }
        let source = source(server)
        let caller = Task { await failure(of: source)?.code }
        await clock.untilSleeping()
        caller.cancel()
        #expect(await caller.value == .cancelled)
        #expect(server.connections.map(\.isClosed) == [true])
    }

    @Test("cancellation ends a receive at once")
    func cancelledWhileReceiving() async throws {
        let server = InMemoryWebSocketServer { $0.deliver(Self.greeting) }
        let stream = try await source(server).connect()
        _ = try await stream.receive()
        let connection = try #require(server.connections.first)
        let caller = Task { () -> DataSourceError.Code? in
            do throws(DataSourceError) {
                _ = try await stream.receive()
                return nil
            } catch {
                return error.code
            }
        }
        while connection.batchIntervals.count < 2 { await Task.yield() }
        caller.cancel()
        #expect(await caller.value == .cancelled)
    }

    @Test("each subscription is one message; late acknowledgements are received")
    func subscriptions() async throws {
        let server = InMemoryWebSocketServer { $0.deliver(Self.greeting) }
        let stream = try await source(server).connect()
        let connection = try #require(server.connections.first)
        try await stream.subscribe([
            StreamSubscriptionDTO(
                type: "ticker",
                symbols: ["BTC_KRW", "SUN_OLD_KRW"],
                tickTypes: ["30M", "1H", "12H", "24H", "MID"]
            ),
            StreamSubscriptionDTO(type: "transaction", symbols: ["1INCH_KRW"]),
            StreamSubscriptionDTO(type: "transaction", symbols: ["가\"\\\n\u{1}_KRW"]),
        ])
        #expect(
            connection.sent == [
                #"{"type":"ticker","symbols":["BTC_KRW","SUN_OLD_KRW"],"#
                    + #""tickTypes":["30M","1H","12H","24H","MID"]}"#,
                #"{"type":"transaction","symbols":["1INCH_KRW"]}"#,
                #"{"type":"transaction","symbols":["가\"\\\u000a\u0001_KRW"]}"#,
            ]
        )
        _ = try await stream.receive()
        connection.deliver(
            BithumbFixtures.ticker(),
            #"{"status":"0000","resmsg":"Filter Registered Successfully"}"#
        )
        let batch = try await stream.receive()
        let acknowledged = StreamStatusDTO(
            status: "0000",
            message: "Filter Registered Successfully"
        )
        #expect(batch.messages.last == .status(acknowledged))
    }

    @Test("the end of a recording follows all of its frames")
    func recordingEnds() async throws {
        let server = InMemoryWebSocketServer { connection in
            connection.deliver(Self.greeting)
        }
        let stream = try await source(server).connect()
        _ = try await stream.receive()
        server.connections.first?.deliver(BithumbFixtures.ticker())
        server.connections.first?.end(.closed(code: 4000, reason: "ended"))
        #expect(try await stream.receive().messages.count == 1)
        let error = await #expect(throws: DataSourceError.self) { try await stream.receive() }
        #expect(error?.code == .ended)
        #expect(error?.isRetryable == false)
    }
}
