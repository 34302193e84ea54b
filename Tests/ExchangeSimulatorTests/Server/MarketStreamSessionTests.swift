import Domain
import ExchangeSimulator
import TestSupport
import Testing
import WebSocketFraming

@Suite("The stream of API 2.x: requests and connections")
struct MarketStreamSessionTests {
    private static func frame(_ client: StreamClient) throws -> JSONValue {
        try MarketStreamTests.frame(client)
    }

    @Test("a request replaces the one before; unknown codes are ignored without a word")
    func replacement() async throws {
        try await SimulatorFixture.run { simulator in
            let client = try StreamClient(simulator, .v2)
            try client.request([
                ("trade", ["krw-btc", "BTC-KRW", "BTC_KRW", "KRW-NOSUCH", "KRW-ETH"])
            ])
            for _ in 0..<20 { #expect(try Self.frame(client)["code"]?.text == "KRW-ETH") }
            try client.request([("ticker", ["KRW-BTC"])])
            // Frames that were sent before the request was read.
            _ = try client.next { $0.contains(#""ticker""#) }
            for _ in 0..<20 {
                let frame = try Self.frame(client)
                #expect(frame["type"]?.text == "ticker" && frame["code"]?.text == "KRW-BTC")
            }
        }
    }

    @Test("a request for snapshots only is answered once, one for changes only has no snapshot")
    func options() async throws {
        try await SimulatorFixture.run { simulator in
            let once = try StreamClient(simulator, .v2)
            try once.request([("ticker", ["KRW-BTC"])], #","isOnlySnapshot":true"#)
            #expect(try Self.frame(once)["stream_type"]?.text == "SNAPSHOT")
            let changes = try StreamClient(simulator, .v2)
            try changes.request([("ticker", ["KRW-BTC"])], #","isOnlyRealtime":true"#)
            for _ in 0..<20 {
                #expect(try Self.frame(changes)["stream_type"]?.text == "REALTIME")
            }
            // An error is answered after everything sent before.
            try once.send("rubbish")
            #expect(try Self.frame(once)["error"]?["name"]?.text == "WRONG_FORMAT")
        }
    }

    @Test(
        "a bad request is answered by an error and a close with code 1000",
        arguments: [
            ("rubbish", "WRONG_FORMAT"), (#"{"ticket":"a"}"#, "WRONG_FORMAT"),
            (#"[{"ticket":"a"}]"#, "WRONG_FORMAT"),
            (#"[{"type":"ticker","codes":["KRW-BTC"]}]"#, "NO_TICKET"),
            (#"[{"ticket":"a"},{"codes":["KRW-BTC"]}]"#, "WRONG_FORMAT"),
            (#"[{"ticket":"a"},{"type":"ticker"}]"#, "NO_CODES"),
            (#"[{"ticket":"a"},{"type":"ticker","codes":[]}]"#, "INVALID_PARAM"),
            (#"[{"ticket":"a"},{"type":"candle","codes":["KRW-BTC"]}]"#, "INVALID_PARAM"),
            (
                #"[{"ticket":"a"},{"type":"orderbook","codes":["KRW-BTC"],"level":7}]"#,
                "WRONG_FORMAT"
            ),
        ]
    )
    func errors(request: String, name: String) async throws {
        try await SimulatorFixture.run { simulator in
            let client = try StreamClient(simulator, .v2)
            try client.send(request)
            let answer = try Self.frame(client)
            #expect(answer["error"]?["name"]?.text == name)
            #expect(answer["error"]?["message"]?.text?.isEmpty == false)
            #expect(try client.next() == nil)
            #expect(client.close?.code == 1_000)
        }
    }

    @Test("an unknown format means the usual one")
    func unknownFormat() async throws {
        try await SimulatorFixture.run { simulator in
            let client = try StreamClient(simulator, .v2)
            try client.request([("ticker", ["KRW-BTC"])], format: "NOSUCH")
            #expect(try Self.frame(client)["code"]?.text == "KRW-BTC")
        }
    }

    @Test("a text PING is answered by UP regularly, and a client that sends nothing is dropped")
    func keepalive() async throws {
        let clock = SettableClock()
        try await SimulatorFixture.run(now: clock.now) { simulator in
            let idle = try StreamClient(simulator, .v2)
            try idle.request([("ticker", ["KRW-BTC"])], #","isOnlySnapshot":true"#)
            _ = try Self.frame(idle)
            let client = try StreamClient(simulator, .v2)
            // The snapshot proves that the ping before it was read.
            try client.send("PING")
            try client.request([("ticker", ["KRW-BTC"])], #","isOnlySnapshot":true"#)
            _ = try Self.frame(client)
            clock.advance(by: .seconds(3))
            #expect(try client.next() == #"{"status":"UP"}"#)
            clock.advance(by: .seconds(50))
            #expect(try client.next() == #"{"status":"UP"}"#)
            try client.ping()
            try client.request([("ticker", ["KRW-XRP"])], #","isOnlySnapshot":true"#)
            _ = try client.next { $0.contains("KRW-XRP") }
            clock.advance(by: .seconds(10))
            _ = try idle.rest()
            #expect(idle.close == nil)
            #expect(try client.next() == #"{"status":"UP"}"#)
        }
    }

    @Test("an eleventh connection in a second is refused with 429; API 1.x has no such limit")
    func connectionLimit() async throws {
        let now = SimulatorFixture.clock()
        try await SimulatorFixture.run(now: { now }) { simulator in
            let clients = try (0..<10).map { _ in try StreamClient(simulator, .v2) }
            #expect(throws: StreamClient.Refusal(status: 429)) {
                _ = try StreamClient(simulator, .v2)
            }
            let older = try (0..<12).map { _ in try StreamClient(simulator) }
            #expect(clients.count + older.count == 22)
        }
    }

    @Test("the report counts the connections of both versions")
    func report() async throws {
        try await SimulatorFixture.run { simulator in
            let client = try StreamClient(simulator, .v2)
            try client.request([("trade", ["KRW-BTC"])])
            for _ in 0..<10 { _ = try client.next() }
            let report = SimulatorFixture.rest(simulator)
            #expect(report.connections.map(\.api) == [.v2])
            #expect(report.connections[0].frames >= 10)
            #expect(report.connections[0].otherMessages == 0)
        }
    }
}
