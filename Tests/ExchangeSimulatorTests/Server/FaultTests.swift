import Domain
import ExchangeSimulator
import TestSupport
import Testing

@Suite("Faults are visible to clients until they end")
struct FaultTests {
    @Test(
        "a REST fault replaces every answer",
        arguments: [
            (SimulatorFault.serverError(status: 502), 502, "server error"),
            (.htmlBodies, 200, "<html>"), (.tooManyRequests, 429, "5600"),
            (.refusal5600, 200, #""status":"5600""#),
        ]
    )
    func restFaults(fault: SimulatorFault, status: Int, text: String) async throws {
        try await SimulatorFixture.run { simulator in
            simulator.start(fault)
            #expect(simulator.faults == [fault])
            let broken = try SimulatorFixture.get("/public/ticker/ALL_KRW", simulator)
            #expect(broken.status == status)
            #expect(broken.text.contains(text))
            #expect(broken.header("x-hoga-feed") == "simulated")
            simulator.end(fault.kind)
            let right = try SimulatorFixture.get("/public/ticker/ALL_KRW", simulator)
            #expect(right.status == 200)
            #expect(try right.json()["status"] == .text("0000"))
        }
    }

    @Test(
        "every n-th REST body is broken",
        arguments: [SimulatorFault.truncatedJSON(every: 2), .wrongTypes(every: 2)]
    )
    func brokenBodies(fault: SimulatorFault) async throws {
        try await SimulatorFixture.run { simulator in
            simulator.start(fault)
            let isRight = try (0..<6).map { _ in
                let answer = try SimulatorFixture.get("/public/ticker/BTC_KRW", simulator)
                return (try? answer.json())?["data"]?["closing_price"]?.text != nil
            }
            #expect(isRight == [true, false, true, false, true, false])
        }
    }

    @Test(
        "every n-th frame is broken, in addition to the right ones",
        arguments: [
            SimulatorFault.truncatedJSON(every: 3), .wrongTypes(every: 3),
            .unknownSymbols(every: 3),
        ]
    )
    func brokenFrames(fault: SimulatorFault) async throws {
        try await SimulatorFixture.run { simulator in
            simulator.start(fault)
            let client = try StreamClient(simulator)
            try client.subscribe(["BTC_KRW", "XRP_KRW"])
            var broken = 0
            var right = 0
            while right < 120 {
                let message = try client.next { $0.contains(#""type""#) }
                if Self.isRight(message) { right += 1 } else { broken += 1 }
            }
            #expect(broken > 10)
            let report = SimulatorFixture.rest(simulator)
            for message in try client.everythingSoFar() where message.contains(#""type""#) {
                if Self.isRight(message) { right += 1 } else { broken += 1 }
            }
            #expect(report.connections.first?.brokenFrames == broken)
            #expect(report.connections.first?.frames == right + broken)
        }
    }

    private static func isRight(_ message: String) -> Bool {
        guard let content = JSONValue.parse(message)?["content"] else { return false }
        let item = content["list"]?[0] ?? content
        let price = item["closePrice"]?.text ?? item["contPrice"]?.text
        return price != nil && ["BTC_KRW", "XRP_KRW"].contains(item["symbol"]?.text)
    }

    @Test("a suspended coin is an empty list without frames until the fault ends")
    func suspension() async throws {
        try await SimulatorFixture.run { simulator in
            let coin = try #require(MarketID(name: "XRP_KRW"))
            simulator.start(.suspension(coin))
            #expect(simulator.faults == [.suspension(coin)])
            let all = try SimulatorFixture.get("/public/ticker/ALL_KRW", simulator).json()
            #expect(all["data"]?["XRP"] == .list([]))
            let one = try SimulatorFixture.get("/public/ticker/XRP_KRW", simulator).json()
            #expect(one["data"] == .list([]))
            simulator.end(.suspension)
            let client = try StreamClient(simulator)
            try client.subscribe(["XRP_KRW"])
            _ = try client.next { $0.contains("XRP_KRW") }
            let back = try SimulatorFixture.get("/public/ticker/XRP_KRW", simulator).json()
            #expect(back["data"]?["closing_price"]?.text != nil)
        }
    }

    @Test("a listed coin appears in REST and on connections subscribed before")
    func listing() async throws {
        try await SimulatorFixture.run { simulator in
            let coin = try #require(MarketID(name: "FRESH_KRW"))
            let client = try StreamClient(simulator)
            try client.subscribe(["FRESH_KRW"])
            simulator.start(.listing(coin))
            let all = try SimulatorFixture.get("/public/ticker/ALL_KRW", simulator).json()
            #expect(all["data"]?["FRESH"]?["closing_price"]?.text != nil)
            _ = try client.next { $0.contains("FRESH_KRW") }
            simulator.start(.delisting(coin))
            let after = try SimulatorFixture.get("/public/ticker/ALL_KRW", simulator).json()
            #expect(after["data"]?["FRESH"] == .list([]))
            #expect(simulator.faults.isEmpty)
        }
    }

    @Test("connections are dropped without a close frame")
    func drop() async throws {
        try await SimulatorFixture.run { simulator in
            let client = try StreamClient(simulator)
            _ = try client.next()
            simulator.start(.connectionDrop)
            _ = try client.rest()
            #expect(client.close == nil)
            let next = try StreamClient(simulator)
            #expect(try next.next()?.contains("Connected") == true)
        }
    }

    @Test("a withheld greeting is sent when the fault ends, and data does not wait for it")
    func greeting() async throws {
        try await SimulatorFixture.run { simulator in
            simulator.start(.greetingWithheld)
            let client = try StreamClient(simulator)
            try client.subscribe(["BTC_KRW"])
            let first = try client.next { $0.contains("Connected") || $0.contains("content") }
            #expect(first.contains("content"))
            simulator.end(.greetingWithheld)
            _ = try client.next { $0.contains("Connected") }
        }
    }

    @Test("a stalled stream accepts connections and sends nothing until it resumes")
    func stall() async throws {
        try await SimulatorFixture.run { simulator in
            simulator.start(.stall)
            let client = try StreamClient(simulator)
            try client.subscribe(["BTC_KRW"])
            try client.send("nonsense")
            // Silence can be observed only for a while; a frame would arrive at once.
            #expect(client.isSilent(milliseconds: 100))
            simulator.end(.stall)
            _ = try client.next { $0.contains("Invalid Filter Syntax") }
            _ = try client.next { $0.contains("content") }
        }
    }

    @Test("answers have the requested latency until the fault ends")
    func latency() async throws {
        try await SimulatorFixture.run { simulator in
            simulator.start(.latency(milliseconds: 30))
            let before = SimulatorFixture.clock()
            let late = try SimulatorFixture.get("/public/ticker/BTC_KRW", simulator)
            #expect(late.status == 200)
            // A lower bound cannot fail on a slow machine.
            #expect(SimulatorFixture.clock().duration(since: before) >= .milliseconds(30))
            simulator.start(.latency(milliseconds: 3_600_000))
            simulator.end(.latency)
            let prompt = try SimulatorFixture.get("/public/ticker/BTC_KRW", simulator)
            #expect(prompt.status == 200)
        }
    }
}
