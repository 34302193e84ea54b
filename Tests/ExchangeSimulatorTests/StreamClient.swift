import ExchangeSimulator
import TestSupport
import WebSocketFraming

/// A blocking WebSocket client that reads one message at a time.
final class StreamClient {
    private let socket: TCPClient
    private var framer = WebSocketFramer(
        role: .client(maskKey: { 0x1234_5678 }),
        messageBytesMax: 1 << 20,
        outputBytesMax: 1 << 20
    )
    private var waiting: [String] = []

    /// The server's close frame.
    var close: WebSocketClose? { framer.peerClose }

    /// Why a handshake was refused: the HTTP status.
    struct Refusal: Error, Equatable {
        var status: Int
    }

    /// Connects to the stream of a version of the API.
    init(_ simulator: ExchangeSimulator, _ api: APIVersion = .v1) throws {
        socket = try Self.open(simulator, api).socket
    }

    /// Connects and completes the handshake.
    ///
    /// - Parameters:
    ///   - simulator: the server.
    ///   - api: the version of the API.
    ///   - extensions: what is offered; nil for nothing.
    ///   - sourceByte: the last byte of the source address; API 2.x limits connections of each.
    /// - Returns: the connection, and the head of the answer.
    /// - Throws: ``Refusal``, or a failure of the connection.
    static func open(
        _ simulator: ExchangeSimulator,
        _ api: APIVersion,
        extensions: String? = nil,
        from sourceByte: UInt8? = nil
    ) throws -> (socket: TCPClient, head: String) {
        let socket = try TCPClient(port: simulator.port, from: sourceByte)
        let key = WebSocketHandshake.clientKey(
            randomBytes: [UInt8](repeating: 7, count: WebSocketHandshake.keyByteCount)
        )
        try socket.send(
            WebSocketHandshake.requestText(
                host: "localhost",
                path: api == .v1 ? "/pub/ws" : "/websocket/v1",
                key: key,
                userAgent: "test",
                extensions: extensions
            )
        )
        let head = try socket.receiveHeader()
        guard head.hasPrefix("HTTP/1.1 101 ") else {
            throw Refusal(status: Int(head.split(separator: " ")[1]) ?? 0)
        }
        guard head.contains(WebSocketHandshake.acceptValue(forKey: key))
        else { throw TCPClient.Failure.closed }
        return (socket, head)
    }

    /// Sends a text as one message.
    func send(_ text: String) throws {
        try framer.queueText(Array(text.utf8))
        try socket.send(framer.takeOutput())
    }

    /// Subscribes to tickers and transactions of some markets.
    func subscribe(
        _ symbols: [String],
        periods: [String] = ["24H"],
        transactions: Bool = true
    )
        throws
    {
        try send(Self.request(type: "ticker", symbols, periods))
        if transactions { try send(Self.request(type: "transaction", symbols, nil)) }
    }

    static func request(type: String, _ symbols: [String], _ periods: [String]?) -> String {
        func list(_ texts: [String]) -> String { "[\"" + texts.joined(separator: "\",\"") + "\"]" }
        let tickTypes = periods.map { #","tickTypes":\#(list($0))"# } ?? ""
        return #"{"type":"\#(type)","symbols":\#(list(symbols))\#(tickTypes)}"#
    }

    /// Requests types of API 2.x: each with its codes and, if needed, further fields.
    func request(
        _ types: [(type: String, codes: [String])],
        _ fields: String = "",
        format: String = "DEFAULT"
    ) throws {
        let parts = types.map { type, codes in
            let list = codes.map { "\"\($0)\"" }.joined(separator: ",")
            return #"{"type":"\#(type)","codes":[\#(list)]\#(fields)}"#
        }
        let text = ([#"{"ticket":"test"}"#] + parts + [#"{"format":"\#(format)"}"#])
            .joined(separator: ",")
        try send("[\(text)]")
    }

    /// Sends a protocol ping.
    func ping() throws {
        try framer.queuePing()
        try socket.send(framer.takeOutput())
    }

    /// The next message; nil once the server has closed the connection.
    func next() throws -> String? {
        while waiting.isEmpty {
            let bytes = try socket.receive()
            if bytes.isEmpty { return nil }
            try framer.receive(bytes)
            if framer.hasOutput { try? socket.send(framer.takeOutput()) }
            let messages = framer.takeMessages()
            for index in 0..<messages.count {
                waiting.append(String(decoding: messages[index], as: UTF8.self))
            }
        }
        return waiting.removeFirst()
    }

    /// The next message that satisfies a condition, skipping others.
    func next(where condition: (String) -> Bool) throws -> String {
        while let message = try next() {
            if condition(message) { return message }
        }
        throw TCPClient.Failure.closed
    }

    /// All messages until the server closes.
    func rest() throws -> [String] {
        var messages: [String] = []
        while let message = try next() { messages.append(message) }
        return messages
    }

    /// Everything the server sends before its answer to an invalid message sent now.
    func everythingSoFar() throws -> [String] {
        try send("nonsense")
        var messages: [String] = []
        while let message = try next(), !message.contains("Invalid Filter Syntax") {
            messages.append(message)
        }
        return messages
    }

    /// Whether nothing arrives for a while.
    func isSilent(milliseconds: Int) -> Bool {
        socket.limitReceiveWait(milliseconds: milliseconds)
        defer { socket.limitReceiveWait(milliseconds: TCPClient.guardSeconds * 1_000) }
        do throws(TCPClient.Failure) {
            _ = try socket.receive()
            return false
        } catch {
            if case .silent = error { return true }
            return false
        }
    }

    /// Reduces the kernel's receive buffer.
    func keepLittleUnread(bytes: Int32) {
        socket.shrinkReceiveBuffer(to: bytes)
    }
}
