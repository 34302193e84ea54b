import Domain
import ExchangeSimulator
import FoundationEssentials
import TestSupport
import Testing

@Suite("Simulated stream over real sockets", .tags(.threads))
struct StreamTests {
    @Test("the server greets, acknowledges, and sends only subscribed frames")
    func session() async throws {
        try await SimulatorFixture.run { simulator in
            let client = try StreamClient(simulator)
            #expect(
                try client.next() == #"{"status":"0000","resmsg":"Connected Successfully"}"#
            )
            try client.subscribe(["BTC_KRW", "ETH_BTC", "NOSUCH_KRW"], periods: ["30M", "MID"])
            var kinds: Set<String> = []
            var acknowledgements = 0
            while kinds.count < 5 || acknowledgements < 2 {
                let message = try #require(try client.next())
                let json = try #require(JSONValue.parse(message))
                if json["status"] != nil {
                    #expect(json["resmsg"]?.text == "Filter Registered Successfully")
                    acknowledgements += 1
                    continue
                }
                let content = try #require(json["content"])
                let symbol = content["symbol"]?.text ?? content["list"]?[0]?["symbol"]?.text
                kinds.insert("\(symbol ?? "") \(content["tickType"]?.text ?? "")")
            }
            // The third message of both symbols: their transactions.
            #expect(
                kinds.isSubset(of: [
                    "BTC_KRW 30M", "BTC_KRW MID", "BTC_KRW ", "ETH_BTC 30M", "ETH_BTC MID",
                    "ETH_BTC ",
                ])
            )
        }
    }

    @Test("frames have the exchange's fields as texts, with consistent numbers")
    func frames() async throws {
        try await SimulatorFixture.run { simulator in
            let client = try StreamClient(simulator)
            try client.subscribe(
                ["BTC_KRW", "XRP_KRW", "XRP_BTC"],
                periods: ["30M", "1H", "12H", "24H", "MID"]
            )
            for _ in 0..<300 {
                let message = try client.next { $0.contains(#""content""#) }
                let json = try #require(JSONValue.parse(message))
                if json["type"]?.text == "ticker" {
                    let ticker = try JSONDecoder().decode(
                        TickerFrame.self,
                        from: Data(message.utf8)
                    )
                    try ticker.content.check()
                    #expect(message.hasSuffix(#""symbol":"\#(ticker.content.symbol)"}}"#))
                } else {
                    let frame = try JSONDecoder()
                        .decode(TransactionFrame.self, from: Data(message.utf8))
                    #expect(Set(frame.content.list.map(\.symbol)).count == 1)
                    for trade in frame.content.list { try trade.check() }
                }
            }
        }
    }

    @Test("the report's counts and last price equal the received frames")
    func counts() async throws {
        try await SimulatorFixture.run { simulator in
            let all = simulator.report().markets.map(\.market)
            let client = try StreamClient(simulator)
            try client.subscribe(all, periods: ["24H"])
            var received: [JSONValue] = []
            while received.count < 500 {
                let message = try client.next { $0.contains(#""content""#) }
                received.append(try #require(JSONValue.parse(message)))
            }
            let report = SimulatorFixture.rest(simulator)
            received += try client.everythingSoFar().compactMap(JSONValue.parse)
                .filter { $0["content"] != nil }
            #expect(received.count == report.connections.first?.frames)
            #expect(report.frames == report.connections.first?.frames)

            var prices: [String: String] = [:]
            var opens: [String: String] = [:]
            var trades: [String: Int] = [:]
            for json in received {
                guard let content = json["content"] else { continue }
                if let symbol = content["symbol"]?.text {
                    prices[symbol] = content["closePrice"]?.text
                    opens[symbol] = content["openPrice"]?.text
                } else if let list = content["list"], let symbol = list[0]?["symbol"]?.text {
                    trades[symbol, default: 0] += list.count ?? 0
                }
            }
            for market in report.markets where prices[market.market] != nil {
                #expect(market.price == prices[market.market])
                #expect(market.openPrices["24H"] == opens[market.market])
                #expect(market.trades >= trades[market.market] ?? 0)
            }
            #expect(prices.count > 5)
        }
    }

    @Test("a repeated type replaces its symbols and keeps the other type's")
    func replacement() async throws {
        try await SimulatorFixture.run { simulator in
            let client = try StreamClient(simulator)
            try client.subscribe(["BTC_KRW"])
            _ = try client.next { $0.contains(#""type":"ticker""#) }
            try client.send(StreamClient.request(type: "ticker", ["XRP_KRW"], ["24H"]))
            _ = try client.next { $0.contains(#""symbol":"XRP_KRW"}}"#) }
            for _ in 0..<100 {
                let message = try #require(try client.next())
                if message.contains(#""type":"ticker""#) { #expect(message.contains("XRP_KRW")) }
                if message.contains(#""list""#) { #expect(message.contains("BTC_KRW")) }
            }
        }
    }

    @Test(
        "an invalid request is refused",
        arguments: [
            ("{", "5100", "Invalid Filter Syntax"), ("[]", "5100", "Invalid Filter Syntax"),
            (#"{"type":"ticker"}"#, "5100", "Invalid Filter Syntax"),
            (#"{"type":7,"symbols":[]}"#, "5100", "Invalid Filter Syntax"),
            (#"{"type":"ticker","symbols":["BTC_KRW"]}"#, "5100", "Invalid Filter Syntax"),
            (
                #"{"type":"ticker","symbols":["BTC_KRW"],"tickTypes":["1M"]}"#, "5100",
                "Invalid Filter Syntax"
            ),
            (#"{"type":"Ticker","symbols":["BTC_KRW"]}"#, "5100", "Wrong Filter Type"),
            (#"{"type":"orderbook","symbols":["BTC_KRW"]}"#, "5100", "Wrong Filter Type"),
            (#"{"type":"orderbookSnapshot","symbols":["BTC_KRW"]}"#, "5100", "Wrong Filter Type"),
        ]
    )
    func refusal(request: String, status: String, text: String) async throws {
        try await SimulatorFixture.run { simulator in
            let client = try StreamClient(simulator)
            try client.send(request)
            let answer = try client.next { !$0.contains("Connected") }
            #expect(answer == #"{"status":"\#(status)","resmsg":"\#(text)"}"#)
        }
    }

    @Test("acknowledgements are late, and data may arrive before them")
    func lateAcknowledgements() async throws {
        var configuration = SimulatorFixture.configuration()
        configuration.acknowledgementDelay = .seconds(2)...(.seconds(3))
        try await SimulatorFixture.run(configuration) { simulator in
            let client = try StreamClient(simulator)
            try client.subscribe(["BTC_KRW"])
            var order: [String] = []
            while order.count(where: { $0 == "answer" }) < 2 {
                let message = try #require(try client.next())
                order.append(message.contains("Registered") ? "answer" : "other")
            }
            #expect(order.count(where: { $0 == "other" }) > 2)
            #expect(order.first == "other")
        }
    }

    @Test("a client that reads too slowly is dropped and counted, others are not")
    func slowClient() async throws {
        var configuration = SimulatorFixture.configuration(framesPerSecond: 20_000)
        configuration.outputBytesMax = 400_000
        try await SimulatorFixture.run(configuration) { simulator in
            let all = simulator.report().markets.map(\.market)
            let slow = try StreamClient(simulator)
            slow.keepLittleUnread(bytes: 65_536)
            _ = try slow.next()
            // Greeted before anybody can be too slow, so that the report has both.
            let quick = try StreamClient(simulator)
            _ = try quick.next()
            // A market that rarely trades, so that reading is cheap.
            try quick.subscribe([all[8]])
            try slow.subscribe(all)
            while simulator.report().slowConnections == 0 { _ = try quick.next() }
            let report = simulator.report()
            #expect(report.connections.filter(\.wasTooSlow).map(\.number) == [1])
            #expect(report.connections.filter(\.isOpen).map(\.number) == [2])
            _ = try quick.next { $0.contains("content") }
        }
    }

    @Test("several clients get the same bytes, each according to its filter")
    func severalClients() async throws {
        try await SimulatorFixture.run { simulator in
            let clients = try (0..<5).map { _ in try StreamClient(simulator) }
            // Once greeted, all of them are served by the thread that reads their messages.
            for client in clients { _ = try client.next() }
            for client in clients { try client.subscribe(["BTC_KRW"], transactions: false) }
            let shared = try clients.map { client in
                try client.next { $0.contains(#""type":"ticker""#) }
            }
            // All begin with the first ticker after their own subscription. One of these is the
            // latest, and the others receive it too.
            let last = try #require(shared.last)
            for (client, first) in zip(clients, shared) where first != last {
                #expect(try client.next { $0 == last } == last)
            }
        }
    }

    @Test(
        "a request without a WebSocket handshake is refused, and connections are bounded"
    )
    func handshake() async throws {
        var configuration = SimulatorFixture.configuration()
        configuration.streamConnectionsMax = 1
        try await SimulatorFixture.run(configuration) { simulator in
            let plain = try SimulatorFixture.get("/pub/ws", simulator)
            #expect(plain.status == 426)
            #expect(plain.header("sec-websocket-version") == "13")
            let first = try StreamClient(simulator)
            _ = try first.next()
            #expect(throws: StreamClient.Refusal(status: 503)) { _ = try StreamClient(simulator) }
            // A closed connection frees its slot.
            simulator.start(.connectionDrop)
            _ = try first.rest()
            while (try? StreamClient(simulator)) == nil {}
        }
    }

    @Test("stop() ends the run and closes the connections")
    func stop() async throws {
        let simulator = try ExchangeSimulator(
            SimulatorFixture.configuration(),
            now: SimulatorFixture.clock
        )
        try await withThrowingTaskGroup { group in
            group.addTask(executorPreference: ThreadExecutor()) { await simulator.run() }
            try await onBlockingThread { _ = try StreamClient(simulator).next() }
            group.cancelAll()
            try await group.waitForAll()
        }
        #expect(throws: TCPClient.Failure.self) { _ = try StreamClient(simulator) }
        simulator.stop()
    }

    @Test("a stopped simulator closes its connections")
    func closing() async throws {
        try await SimulatorFixture.run { simulator in
            let client = try StreamClient(simulator)
            _ = try client.next()
            simulator.stop()
            #expect(try client.rest().isEmpty)
        }
    }
}
