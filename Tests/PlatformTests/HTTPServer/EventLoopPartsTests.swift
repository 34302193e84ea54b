import NetworkAddresses
import Synchronization
import TestSupport
import Testing

@testable import HTTPServer

@Suite("Parts of an event loop", .tags(.threads))
struct EventLoopPartsTests {
    @Test("timers expire in the order of their deadlines", arguments: 0..<20)
    func timers(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        var timers = LoopTimers()
        let dues = (0..<200).map { _ in Int64.random(in: 0..<50, using: &generator) }
        for (number, due) in dues.enumerated() {
            timers.add(due: due, ConnectionID(slot: number, generation: 0), wait: number)
        }
        #expect(timers.next == dues.min())
        var taken: [Int] = []
        for now in Int64(0)..<50 {
            while let timer = timers.popDue(at: now) {
                #expect(timer.connection.slot == timer.wait && dues[timer.wait] == now)
                taken.append(timer.wait)
            }
        }
        #expect(taken.sorted() == Array(0..<200) && timers.next == nil)
    }

    @Test("connections are counted per client and in total; a full server reports new capacity")
    func counts() {
        var limits = HTTPServer.Configuration.local()
        (limits.connectionsMax, limits.connectionsPerClientMax) = (3, 2)
        let counts = ConnectionCounts(limits)
        let (one, other) = (NetworkAddress(127, 0, 0, 1), NetworkAddress(127, 0, 0, 2))
        #expect(counts.acquire(one) && counts.acquire(one) && !counts.acquire(one))
        #expect(counts.hasCapacity && counts.acquire(other) && !counts.hasCapacity)
        #expect(counts.release(one) && counts.hasCapacity)
        #expect(!counts.release(one))
        #expect(counts.acquire(one) && counts.acquire(other) && !counts.hasCapacity)
    }

    @Test("all IPv6 addresses of a /56 network count as one client")
    func households() throws {
        var limits = HTTPServer.Configuration.local()
        (limits.connectionsMax, limits.connectionsPerClientMax) = (9, 2)
        let counts = ConnectionCounts(limits)
        let household = UInt128(0x2001_0db8_0000_0100) << 64
        let addresses = [0, 1, UInt128(0xff) << 64].map { NetworkAddress(ipv6: household | $0) }
        #expect(counts.acquire(addresses[0]) && counts.acquire(addresses[1]))
        #expect(!counts.acquire(addresses[2]))
        let neighbor = NetworkAddress(ipv6: household + UInt128(0x100) << 64)
        #expect(counts.acquire(neighbor))
        #expect(!counts.release(addresses[1]) && counts.acquire(addresses[2]))
    }

    @Test("a client that never pauses has one queued turn, however much it sends")
    func line() throws {
        let answered = Mutex(0)
        let rules = ServerContext(.local(), rejection: HTTPServerRejection.plain) { _ in
            answered.withLock { $0 += 1 }
            return .response(.text("yes"))
        }
        let served = try ManualEventLoop(rules)
        let requests = String(repeating: "GET / HTTP/1.1\r\nHost: h\r\n\r\n", count: 100)
        for _ in 0..<10 {
            try served.client.send(requests)
            served.deliver(ManualEventLoop.readable)
        }
        let firstTurn = answered.withLock { $0 }
        #expect(firstTurn < 100)
        while true {
            let messages = served.deliverMessages()
            if messages == 0 { break }
            #expect(messages == 1)
        }
        #expect(answered.withLock { $0 } == 1_000)
        served.loop.close(served.connection)
    }

    @Test("empty lines before a further request extend no time limit; its first byte does")
    func emptyLines() throws {
        let rules = ServerContext(.local(), rejection: HTTPServerRejection.plain) { _ in
            .response(.text("yes"))
        }
        let served = try ManualEventLoop(rules)
        let connection = served.connection
        try served.client.send("GET / HTTP/1.1\r\nHost: h\r\n\r\n")
        try served.awaitArrival()
        served.deliver(ManualEventLoop.readable)
        #expect(connection.hasServed)
        connection.since = -50_000
        for piece in ["\r\n", "\r", "\n\r"] {
            try served.client.send(piece)
            try served.awaitArrival()
            served.deliver(ManualEventLoop.readable)
            #expect(connection.since == -50_000 && !connection.hasBegunHead)
        }
        try served.client.send("\nG")
        try served.awaitArrival()
        served.deliver(ManualEventLoop.readable)
        #expect(connection.since == served.loop.now && connection.hasBegunHead)
        served.loop.close(connection)
    }

    @Test("each phase of a connection has a time limit that progress extends")
    func overdue() {
        var limits = HTTPServer.Configuration.local()
        (limits.idleTimeoutSeconds, limits.requestSecondsMax) = (60, 10)
        limits.sentBytesPerSecondMin = 1_000
        let connection = ServerConnection(
            id: ConnectionID(slot: 0, generation: 0),
            descriptor: -1,
            client: NetworkAddress(127, 0, 0, 1),
            now: 1_000
        )
        func isLate(_ milliseconds: Int64) -> Bool {
            connection.isOverdue(at: 1_000 + milliseconds, limits)
        }
        #expect(!isLate(10_000) && isLate(10_001), "the first head")
        connection.hasServed = true
        #expect(!isLate(60_000) && isLate(60_001), "between requests")
        connection.hasBegunHead = true
        #expect(!isLate(10_000) && isLate(10_001), "a further head that has begun")
        connection.phase = .body
        #expect(!isLate(10_000) && isLate(10_001))
        connection.phase = .sending
        #expect(!isLate(60_000) && isLate(60_001))
        connection.phase = .waiting
        #expect(!isLate(.max - 1_000))
        connection.phase = .streaming
        #expect(!isLate(.max - 1_000), "asleep")
        connection.output.body = [1]
        #expect(!isLate(60_000) && isLate(60_001), "refused by its reader")
        connection.output.body = [UInt8](repeating: 1, count: 20_000)
        for phase in [ServerConnection.Phase.sending, .streaming] {
            (connection.phase, connection.since, connection.outputSince) = (phase, 1_000, 1_000)
            #expect(!isLate(60_000) && isLate(60_001), "a long one, of which nothing is taken")
            // A little is taken every second.
            func isSlow(_ milliseconds: Int64) -> Bool {
                connection.since = 1_000 + milliseconds - 1_000
                return isLate(milliseconds)
            }
            #expect(!isSlow(80_000) && isSlow(80_001))
        }
    }

    @Test("a connection idle for a second releases its input buffer")
    func idle() {
        func connection(_ phase: ServerConnection.Phase, unread: Int) -> ServerConnection {
            let connection = ServerConnection(
                id: ConnectionID(slot: 0, generation: 0),
                descriptor: -1,
                client: NetworkAddress(127, 0, 0, 1),
                now: 1_000
            )
            connection.phase = phase
            connection.input = [UInt8](repeating: 1, count: 60_000)
            connection.inputStart = 60_000 - unread
            return connection
        }
        for (phase, unread) in [(ServerConnection.Phase.head, 0), (.head, 1), (.sending, 0)] {
            let connection = connection(phase, unread: unread)
            connection.releaseIfIdle(at: 1_999)
            #expect(connection.input.count == 60_000)
            connection.releaseIfIdle(at: 2_000)
            let isIdle = phase == .head && unread == 0
            #expect((connection.input.capacity < 60_000) == isIdle)
        }
    }

    @Test(
        "a query is parsed as a form",
        arguments: [
            ("", []), ("&&", []), ("a", [["a", ""]]), ("a=", [["a", ""]]), ("=a", [["", "a"]]),
            ("a=b=c&d", [["a", "b=c"], ["d", ""]]), ("a+b=c+d", [["a b", "c d"]]),
            ("%61=%2B", [["a", "+"]]), ("a=1&a=2", [["a", "1"], ["a", "2"]]),
        ] as [(String, [[String]])]
    )
    func query(text: String, pairs: [[String]]) {
        let parameters = RequestTarget.parameters(Array(text.utf8)[...])
        #expect(parameters?.map { [$0.name, $0.value] } == pairs)
    }
}
