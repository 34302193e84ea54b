import Dispatch
import HTTPServer
import Synchronization
import TestSupport
import Testing

@Suite("Streamed responses", .tags(.threads))
struct HTTPServerStreamTests {
    @Test("chunks of all sizes arrive in order, and the connection stays open")
    func pieces() throws {
        let sizes = [1, 0, 4_095, 4_096, 4_097, 65_535, 65_536, 400_000, 3]
        let pieces = sizes.enumerated().map { number, size in
            [UInt8](repeating: UInt8(number), count: size)
        }
        let source = StreamSource()
        let server = try Self.server(source)
        defer { server.stop() }
        let client = try TCPClient(port: server.port)
        for _ in 0..<2 {
            try client.send("GET /stream HTTP/1.1\r\nHost: h\r\n\r\n")
            for piece in pieces { source.say(.bytes(piece)) }
            source.say(.end)
            let header = try client.receiveHeader()
            #expect(header.hasPrefix("HTTP/1.1 200 OK\r\n"))
            #expect(header.contains("Transfer-Encoding: chunked\r\n"))
            #expect(header.contains("X-Kind: stream\r\n"))
            #expect(try client.receiveChunks() == pieces.flatMap { $0 })
            source.awaitEnd()
            try client.send("GET /plain HTTP/1.1\r\nHost: h\r\n\r\n")
            #expect(try client.receiveAnswer().body == Array("plain".utf8))
        }
        #expect(source.endCount == 2)
    }

    @Test("a reader that pauses holds little memory and misses nothing")
    func slowReaders() throws {
        let (count, size) = (100, 20_000)
        let piece = [UInt8](repeating: 1, count: size)
        let sources = (0..<16).map { _ in StreamSource() }
        let server = try Self.server(sources, threads: 1)
        defer { server.stop() }
        let clients = try sources.indices.map { number in
            sources[number].sayUnheard((0..<count).map { _ in .bytes(piece) } + [.end])
            let client = try TCPClient(port: server.port)
            try client.send("GET /stream?n=\(number) HTTP/1.1\r\nHost: h\r\n\r\n")
            _ = try client.receiveHeader()
            return client
        }
        // Until none makes progress during a hundred requests of another client.
        let other = try TCPClient(port: server.port)
        var (before, stillCount) = ([Int](), 0)
        while stillCount < 100 {
            try other.send("GET /plain HTTP/1.1\r\nHost: h\r\n\r\n")
            _ = try other.receiveAnswer()
            let now = sources.map(\.takenCount)
            (before, stillCount) = (now, now == before ? stillCount + 1 : 0)
        }
        // The reader's socket buffer takes a part by itself.
        for taken in before { #expect((1...40).contains(taken)) }
        for (client, source) in zip(clients, sources) {
            let isWhole = try client.receiveChunks() == [UInt8](repeating: 1, count: count * size)
            #expect(isWhole)
            source.awaitEnd()
        }
    }

    @Test("no wake is lost in races", arguments: [1, 2])
    func wakes(threads: Int) throws {
        let count = 20_000
        let source = StreamSource()
        let queue = DispatchQueue(label: "wakes")
        // Each byte is sent while the connection falls asleep after the previous one.
        source.onTaken { number in
            queue.async { source.say(number < count ? .bytes([1]) : .end) }
        }
        let server = try Self.server(source, threads: threads)
        defer { server.stop() }
        let client = try TCPClient(port: server.port)
        source.say(.bytes([1]))
        try client.send("GET /stream HTTP/1.1\r\nHost: h\r\n\r\n")
        _ = try client.receiveHeader()
        #expect(try client.receiveChunks().count == count)
    }

    @Test("HEAD gets the header only; the stream never begins and ends once")
    func head() throws {
        let source = StreamSource()
        let server = try Self.server(source)
        defer { server.stop() }
        let client = try TCPClient(port: server.port)
        try client.send("HEAD /stream HTTP/1.1\r\nHost: h\r\n\r\n")
        #expect(try client.receiveHeader().contains("X-Kind: stream\r\n"))
        #expect(try client.receiveAll().isEmpty)
        source.awaitEnd()
        #expect(source.beginCount == 0 && source.endCount == 1)
    }

    @Test("an HTTP/1.0 client gets the same bytes without chunks")
    func oldClient() throws {
        let source = StreamSource()
        let server = try Self.server(source)
        defer { server.stop() }
        let client = try TCPClient(port: server.port)
        try client.send("GET /stream HTTP/1.0\r\nHost: h\r\n\r\n")
        let bytes = [UInt8](repeating: 7, count: 100_000)
        source.say(.bytes(bytes))
        source.say(.end)
        #expect(!(try client.receiveHeader().contains("chunked")))
        #expect(try client.receiveAll() == bytes)
        source.awaitEnd()
    }

    @Test(
        "a disconnected client ends its stream, with or without a wake",
        arguments: [true, false]
    )
    func departure(isWoken: Bool) throws {
        let source = StreamSource()
        let server = try Self.server(source)
        defer { server.stop() }
        do {
            let client = try TCPClient(port: server.port)
            try client.send("GET /stream HTTP/1.1\r\nHost: h\r\n\r\n")
            source.say(.bytes([1]))
            _ = try client.receiveHeader()
        }
        if isWoken { source.say(.bytes([2])) }
        source.awaitEnd()
        source.say(.bytes([3]))
        #expect(source.endCount == 1)
    }

    @Test("a stream may sleep longer than the idle time-out")
    func longSleep() throws {
        let source = StreamSource()
        let server = try Self.server(source, idleTimeoutSeconds: 1)
        defer { server.stop() }
        let client = try TCPClient(port: server.port)
        source.say(.bytes([1]))
        try client.send("GET /stream HTTP/1.1\r\nHost: h\r\n\r\n")
        DispatchQueue(label: "late").asyncAfter(deadline: .now() + .milliseconds(2_500)) {
            source.say(.bytes([2]))
            source.say(.end)
        }
        _ = try client.receiveHeader()
        #expect(try client.receiveChunks() == [1, 2])
    }

    @Test("stopping lets streams send their end")
    func farewell() throws {
        let source = StreamSource()
        let server = try Self.server(source)
        let client = try TCPClient(port: server.port)
        try client.send("GET /stream HTTP/1.1\r\nHost: h\r\n\r\n")
        _ = try client.receiveHeader()
        // Only what asks for a piece at the stop brings these.
        source.sayUnheard([.bytes(Array("bye".utf8)), .end])
        server.stop()
        #expect(try client.receiveChunks() == Array("bye".utf8))
        #expect(source.endCount == 1)
    }

    @Test("stopping cuts off streams that do not end", arguments: [false, true])
    func cut(isChatty: Bool) throws {
        let source = StreamSource(isChatty: isChatty)
        let server = try Self.server(source, stopSecondsMax: 0)
        let client = try TCPClient(port: server.port)
        try client.send("GET /stream HTTP/1.1\r\nHost: h\r\n\r\n")
        _ = try client.receiveHeader()
        server.stop()
        #expect(source.endCount == 1)
        source.say(.bytes([1]))
    }

    private static func server(
        _ source: StreamSource,
        threads: Int = 2,
        idleTimeoutSeconds: Int = 60,
        stopSecondsMax: Int = 5
    ) throws -> HTTPServer {
        try server(
            [source],
            threads: threads,
            idleTimeoutSeconds: idleTimeoutSeconds,
            stopSecondsMax: stopSecondsMax
        )
    }

    /// A server of streams by their number, the first where none is named.
    private static func server(
        _ sources: [StreamSource],
        threads: Int = 2,
        idleTimeoutSeconds: Int = 60,
        stopSecondsMax: Int = 5
    ) throws -> HTTPServer {
        var configuration = HTTPServer.Configuration.local()
        configuration.idleTimeoutSeconds = idleTimeoutSeconds
        configuration.threads = threads
        configuration.stopSecondsMax = stopSecondsMax
        return try HTTPServer(configuration) { request in
            let number = Int(request.parameter("n") ?? "0") ?? 0
            return request.path == "/stream"
                ? .stream(sources[number].stream) : .response(.text("plain"))
        }
    }
}

/// A stream whose chunks a test provides.
final class StreamSource: Sendable {
    private struct State {
        var words: [HTTPServerStream.Chunk] = []
        var wake: (@Sendable () -> Void)?
        var begun = 0
        var ended = 0
        var taken = 0
        var onTaken: (@Sendable (Int) -> Void)?
    }

    private let state = Mutex(State())
    private let end = Signal()
    private let isChatty: Bool

    /// Makes a source; a chatty one always has something to say.
    init(isChatty: Bool = false) {
        self.isChatty = isChatty
    }

    var beginCount: Int { state.withLock { $0.begun } }
    var endCount: Int { state.withLock { $0.ended } }
    var takenCount: Int { state.withLock { $0.taken } }

    var stream: HTTPServerStream {
        HTTPServerStream(
            headers: [("X-Kind", "stream")],
            begin: { wake in
                self.state.withLock { state in
                    state.begun += 1
                    state.wake = wake
                }
            },
            next: { self.next() },
            ended: {
                self.state.withLock { state in
                    state.ended += 1
                    // The closure may keep this source.
                    state.onTaken = nil
                }
                self.end.send()
            }
        )
    }

    /// Says a word and wakes the stream, if it has begun.
    func say(_ word: HTTPServerStream.Chunk) {
        sayUnheard([word])
        state.withLock { $0.wake }?()
    }

    /// Adds chunks without waking the stream.
    func sayUnheard(_ words: [HTTPServerStream.Chunk]) {
        state.withLock { $0.words += words }
    }

    func awaitEnd() { end.wait() }

    /// Called after each chunk with the number of chunks so far.
    func onTaken(_ action: @escaping @Sendable (Int) -> Void) {
        state.withLock { $0.onTaken = action }
    }

    private func next() -> HTTPServerStream.Chunk {
        if isChatty { return .bytes([UInt8](repeating: 1, count: 100)) }
        let (word, number, onTaken) = state.withLock { state in
            let word = state.words.isEmpty ? nil : state.words.removeFirst()
            state.taken += word == nil ? 0 : 1
            return (word, state.taken, state.onTaken)
        }
        guard let word else { return .nothing }
        onTaken?(number)
        return word
    }
}

extension TCPClient {
    /// The body of a chunked answer, which nothing may follow.
    func receiveChunks() throws(Failure) -> [UInt8] {
        var body: [UInt8] = []
        var bytes: [UInt8] = []
        var start = 0
        while true {
            while let end = bytes[start...].firstIndex(of: 10) {
                let digits = String(decoding: bytes[start..<end], as: UTF8.self).dropLast()
                let size = Int(digits, radix: 16) ?? 0
                // A chunk's bytes are framed by line ends.
                guard bytes.count >= end + 1 + size + 2 else { break }
                body += bytes[end + 1..<end + 1 + size]
                start = end + 1 + size + 2
                if size == 0 { return body }
            }
            let more = try receive()
            if more.isEmpty { throw .closed }
            bytes += more
        }
    }
}
