import DataSourceContracts
import DataSourcesBithumb
import TestSupport
import Testing

@Suite(
    "A stream source of API 2.x connects, subscribes whole lists and keeps itself alive",
    .tags(.threads),
    .timeLimit(.minutes(30))
)
struct MarketStreamSourceTests {
    private func source(_ server: InMemoryWebSocketServer) -> BithumbStreamSource {
        BithumbStreamSource(
            transport: server,
            generation: .v2,
            url: BithumbAddresses.streamV2,
            clock: ManualClock(),
            timeout: .seconds(5)
        )
    }

    @Test("a silent server is connected at once, and pinged every 20 s")
    func silence() async throws {
        let server = InMemoryWebSocketServer { _ in }
        let stream = try await source(server).connect()
        #expect(stream.generation == .v2)
        #expect(server.connections.map(\.url) == ["wss://ws-api.bithumb.com/websocket/v1"])
        #expect(server.connections.map(\.pingInterval) == [.seconds(20)])
        await stream.close()
        #expect(server.connections.map(\.isClosed) == [true])
    }

    @Test(
        "only the stream of API 2.x over a network is offered compression, unless told otherwise",
        arguments: [
            (.v2, "wss://ws-api.bithumb.com/websocket/v1", nil, true),
            (.v2, "WSS://host/", nil, true), (.v2, "ws://127.0.0.1:1/", nil, false),
            (.v2, "ws://127.0.0.1:1/", true, true), (.v2, "wss://host/", false, false),
            (.v1, "wss://pubwss.bithumb.com/pub/ws", nil, false),
        ] as [(APIGeneration, String, Bool?, Bool)]
    )
    func compression(
        generation: APIGeneration,
        url: String,
        isWanted: Bool?,
        isOffered: Bool
    ) async throws {
        let server = InMemoryWebSocketServer { connection in
            connection.deliver(#"{"status":"0000","resmsg":"Connected Successfully"}"#)
        }
        let source = BithumbStreamSource(
            transport: server,
            generation: generation,
            url: url,
            clock: ManualClock(),
            offersCompression: isWanted
        )
        await (try source.connect()).close()
        #expect(server.connections.map(\.offersCompression) == [isOffered])
    }

    @Test("each subscription is one list of all types, with the codes of API 2.x")
    func subscription() async throws {
        let server = InMemoryWebSocketServer { _ in }
        let stream = try await source(server).connect()
        let symbols = ["BTC_KRW", "SUN_OLD_BTC", #"A"B_KRW"#]
        try await stream.subscribe([
            StreamSubscriptionDTO(type: "ticker", symbols: symbols, tickTypes: ["MID"]),
            StreamSubscriptionDTO(type: "transaction", symbols: ["BTC_KRW"]),
        ])
        try await stream.subscribe([
            StreamSubscriptionDTO(type: "orderbookdepth", symbols: ["BTC_KRW"]),
            StreamSubscriptionDTO(type: "orderbooksnapshot", symbols: ["BTC_KRW"]),
        ])
        let codes = #"["KRW-BTC","BTC-SUN_OLD","KRW-A\"B"]"#
        #expect(
            server.connections.first?.sent == [
                #"[{"ticket":"hoga"},{"type":"ticker","codes":\#(codes)},"#
                    + #"{"type":"trade","codes":["KRW-BTC"],"isOnlyRealtime":true}]"#,
                #"[{"ticket":"hoga"},{"type":"orderbook","codes":["KRW-BTC"]}]"#,
            ]
        )
    }

    @Test("frames and errors are received, and the end of the connection")
    func receiving() async throws {
        let server = InMemoryWebSocketServer { _ in }
        let stream = try await source(server).connect()
        let connection = try #require(server.connections.first)
        connection.deliver(
            MarketMessage.tradeFrame.json(),
            #"{"error":{"name":"NO_CODES","message":"Codes"}}"#
        )
        let batch = try await stream.receive()
        #expect(batch.frameCount == 2)
        guard case .trade? = batch.messages.first, case .status(let status)? = batch.messages.last
        else {
            Issue.record("\(batch.messages)")
            return
        }
        #expect(status.isRefusal && status.status == "NO_CODES")
        connection.end(.closed(code: 1000, reason: ""))
        let error = await #expect(throws: DataSourceError.self) { try await stream.receive() }
        #expect(error?.code == .disconnected)
    }
}
