import Synchronization
import TestSupport
import Testing

@testable import HTTPServer

@Suite("The parts of an event loop keep their counts and their times", .tags(.threads))
struct EventLoopPartsTests {
    @Test("Timers come due in their order, whatever order they were set in", arguments: 0..<20)
    func timers(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        var timers = LoopTimers()
        let dues = (0..<200).map { _ in Int64.random(in: 0..<50, using: &generator) }
        for (number, due) in dues.enumerated() {
            timers.add(due: due, ConnectionID(place: number, generation: 0), wait: number)
        }
        #expect(timers.next == dues.min())
        var taken: [Int] = []
        for now in Int64(0)..<50 {
            while let timer = timers.take(at: now) {
                #expect(timer.connection.place == timer.wait && dues[timer.wait] == now)
                taken.append(timer.wait)
            }
        }
        #expect(taken.sorted() == Array(0..<200) && timers.next == nil)
    }

    @Test("A room counts by client and altogether, and tells when a full one has room again")
    func room() {
        var limits = HTTPServer.Configuration.local()
        (limits.connectionsMax, limits.connectionsPerClientMax) = (3, 2)
        let room = ConnectionCounts(limits)
        let (one, other) = (NetworkAddress(127, 0, 0, 1), NetworkAddress(127, 0, 0, 2))
        #expect(room.enter(one) && room.enter(one) && !room.enter(one))
        #expect(room.hasRoom && room.enter(other) && !room.hasRoom)
        #expect(room.leave(one) && room.hasRoom)
        #expect(!room.leave(one))
        #expect(room.enter(one) && room.enter(other) && !room.hasRoom)
    }

    @Test("Of IPv6 all addresses of one household are one client")
    func households() throws {
        var limits = HTTPServer.Configuration.local()
        (limits.connectionsMax, limits.connectionsPerClientMax) = (9, 2)
        let room = ConnectionCounts(limits)
        let household = UInt128(0x2001_0db8_0000_0001) << 64
        let addresses = (0..<3).map { NetworkAddress(ipv6: household | UInt128($0)) }
        #expect(room.enter(addresses[0]) && room.enter(addresses[1]) && !room.enter(addresses[2]))
        let neighbour = NetworkAddress(ipv6: household + UInt128(1) << 64)
        #expect(room.enter(neighbour))
        #expect(!room.leave(addresses[1]) && room.enter(addresses[2]))
    }

    @Test("When the last connection has gone, no answer stands any more")
    func nobody() throws {
        final class Page: CachedResponse {
            let head = StandingHead(status: 200, fields: .init([]), body: HTTPServerBody([1]))
            let isOver = false
            func begin(_ fields: inout HTTPFieldWriter) -> BegunAnswer? { nil }
            func end(_ answer: BegunAnswer, isWhole: Bool) {}
        }
        let asked = Mutex<HTTPServerRequest?>(nil)
        let rules = ServerContext(.local(), refusal: HTTPServerRejection.plain) { request in
            request.memory.remember(Page())
            asked.withLock { $0 = request }
            return .response(.text("yes"))
        }
        let served = try ManualEventLoop(rules)
        try served.client.send("GET / HTTP/1.1\r\nHost: h\r\n\r\n")
        try served.awaitArrival()
        served.happened(ManualEventLoop.readable)
        let request = try #require(asked.withLock { $0 })
        #expect(request.memory.answer != nil)
        served.loop.close(served.connection)
        #expect(request.memory.answer == nil)
    }

    @Test("A client that never pauses stands in line once, however often it sends more")
    func line() throws {
        let answered = Mutex(0)
        let rules = ServerContext(.local(), refusal: HTTPServerRejection.plain) { _ in
            answered.withLock { $0 += 1 }
            return .response(.text("yes"))
        }
        let served = try ManualEventLoop(rules)
        let requests = String(repeating: "GET / HTTP/1.1\r\nHost: h\r\n\r\n", count: 100)
        for _ in 0..<10 {
            try served.client.send(requests)
            served.happened(ManualEventLoop.readable)
        }
        let firstTurn = answered.withLock { $0 }
        #expect(firstTurn < 100)
        while true {
            let letters = served.takeMail()
            if letters == 0 { break }
            #expect(letters == 1)
        }
        #expect(answered.withLock { $0 } == 1_000)
        served.loop.close(served.connection)
    }

    @Test("Each phase of a connection has its time, and what moves is not late")
    func overdue() {
        var limits = HTTPServer.Configuration.local()
        (limits.idleTimeoutSeconds, limits.requestSecondsMax) = (60, 10)
        limits.sentBytesPerSecondMin = 1_000
        let connection = ServerConnection(
            id: ConnectionID(place: 0, generation: 0),
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
        connection.input = [1]
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

    @Test("A connection that is idle for a second keeps nothing of what it was asked")
    func idle() throws {
        let client = NetworkAddress(127, 0, 0, 1)
        let bytes = Array("GET / HTTP/1.1\r\nHost: h\r\n\r\n".utf8)
        var reader = HeadReader()
        let read = reader.read(bytes, from: client)
        let head = try #require(read)
        func connection(_ phase: ServerConnection.Phase, unread: Int) -> ServerConnection {
            let connection = ServerConnection(
                id: ConnectionID(place: 0, generation: 0),
                descriptor: -1,
                client: client,
                now: 1_000
            )
            connection.phase = phase
            connection.known = KnownHead(head, of: bytes, from: client)
            connection.input = [UInt8](repeating: 1, count: 60_000)
            connection.inputStart = 60_000 - unread
            return connection
        }
        for (phase, unread) in [(ServerConnection.Phase.head, 0), (.head, 1), (.sending, 0)] {
            let connection = connection(phase, unread: unread)
            connection.releaseIfIdle(at: 1_999)
            #expect(connection.known != nil && connection.input.count == 60_000)
            connection.releaseIfIdle(at: 2_000)
            let isIdle = phase == .head && unread == 0
            #expect((connection.known == nil) == isIdle)
            #expect((connection.input.capacity < 60_000) == isIdle)
        }
    }

    @Test("A head of more parameters than any address takes is not kept", arguments: 60..<70)
    func manyParameters(count: Int) throws {
        let query = String(repeating: "a&", count: count)
        let bytes = Array("GET /?\(query) HTTP/1.1\r\n\r\n".utf8)
        var reader = HeadReader()
        let read = reader.read(bytes, from: NetworkAddress(127, 0, 0, 1))
        let isKept = KnownHead.isKept(try #require(read), of: bytes.count)
        #expect(isKept == (count <= KnownHead.parametersMax))
    }

    @Test("A head that is known is recognised by all of its bytes, and only where it stands")
    func knownHead() throws {
        var reader = HeadReader()
        let bytes = Array("GET /a?b=1 HTTP/1.1\r\nHost: h\r\n\r\n".utf8)
        let client = NetworkAddress(127, 0, 0, 1)
        let read = reader.read(bytes, from: client)
        let known = KnownHead(try #require(read), of: bytes, from: client)
        func begins(_ input: [UInt8], at start: Int = 0) -> Bool {
            known.begins(input, at: start, input.count)
        }
        #expect(begins(bytes) && begins(bytes + [1]) && begins([1, 2] + bytes, at: 2))
        #expect(!begins(bytes, at: 1) && !begins(Array(bytes.dropLast())) && !begins([]))
        #expect(!known.begins(bytes + [1], at: 0, bytes.count - 1), "what is behind has not come")
        for place in bytes.indices {
            var other = bytes
            other[place] ^= 1
            #expect(!begins(other))
        }
    }

    @Test(
        "A query is taken apart as forms are",
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
