@testable import HTTPServer
import NetworkAddresses
@testable import WebSocketFraming

extension FuzzTarget {
    // MARK: Heads

    /// Heads of requests: a used reader and a fresh one agree, and what is accepted is within the
    /// grammar and the limits, and is read as the same when it is written again.
    func judgeHTTPHeads(_ input: FuzzInput) throws(FuzzFinding) {
        let bytes = wholeHead(input.bytes + Array("\r\n\r\n".utf8))
        let head = HTTPHead(bytes)
        var used = HeadReader()
        _ = used.read(Array("BREW / HTTP/1.1\r\nHost: a\r\n\r\n".utf8), from: .fuzzer)
        _ = used.read(bytes, from: .fuzzer)
        try requireEqual(HTTPHead(bytes, &used), head, "a head read again")
        guard let head, let request = head.request else { return }
        try checkAccepted(head, request)
        let again = HTTPHead(head.written)
        try requireEqual(again, head, "a head that was written")
    }

    /// The bytes up to the first empty line, as the server passes them.
    private func wholeHead(_ bytes: [UInt8]) -> [UInt8] {
        var start = 0
        while let feed = bytes[start...].firstIndex(of: 0x0a) {
            start = feed + 1
            let rest = bytes[start...]
            if rest.first == 0x0a { return Array(bytes[...start]) }
            if rest.starts(with: [0x0d, 0x0a]) { return Array(bytes[...(start + 1)]) }
        }
        return bytes
    }

    private func checkAccepted(
        _ head: HTTPHead,
        _ request: HTTPServerRequest
    ) throws(FuzzFinding) {
        try require(
            request.method.utf8.allSatisfy(RequestGrammar.isTokenByte)
                && (1...32).contains(request.method.utf8.count),
            "a method is no token"
        )
        try require(request.path.hasPrefix("/"), "a path has no start")
        let texts = [request.path] + request.query.flatMap { [$0.name, $0.value] }
        try require(!texts.contains { $0.utf8.contains(0) }, "a target has a zero byte")
        try require(!(head.isHead && request.method != "GET"), "HEAD is not read as GET")
        if case .length(let count) = head.body {
            try require(count <= HTTPHead.bodyBytesMax, "a body exceeds its limit")
        }
    }

    // MARK: Bodies

    /// Bodies of requests: pieces give the same bytes and end as the whole, within the limit.
    func judgeHTTPBodies(_ input: FuzzInput) throws(FuzzFinding) {
        var input = input
        let options = input.byte()
        let seed = input.byte()
        let bytesMax = options & 1 == 0 ? 64 : 1_024
        let length = options & 2 == 0 ? nil : min(Int(input.byte()), bytesMax)
        let bytes = input.bytes
        func read(_ pieces: [[UInt8]]) -> HTTPBody {
            var reader =
                length.map { BodyReader(length: $0, bytesMax: bytesMax) }
                ?? BodyReader(chunksOf: bytesMax)
            var received: [UInt8] = []
            var start = 0
            // A body of no bytes is complete before any arrives.
            var progress = reader.read([], from: &start)
            for piece in pieces {
                guard case .incomplete = progress else { break }
                received += piece
                progress = reader.read(received, from: &start)
            }
            return HTTPBody(bytes: reader.bytes, end: start, progress: progress)
        }
        let whole = read([bytes])
        let sliced = read(pieces(of: bytes, seed: seed))
        try requireEqual(sliced, whole, "pieces of a body")
        try require(whole.bytes.count <= bytesMax, "a body exceeds its limit")
        guard case .complete = whole.progress else { return }
        if let length { try requireEqual(whole.bytes.count, length, "length of a body") }
        guard length == nil else { return }
        // Written in one chunk the body is the same.
        let size = String(whole.bytes.count, radix: 16)
        let chunk =
            whole.bytes.isEmpty ? [] : Array("\(size)\r\n".utf8) + whole.bytes + [0x0d, 0x0a]
        let again = read([chunk + Array("0\r\n\r\n".utf8)])
        try requireEqual(again.bytes, whole.bytes, "a body in one chunk")
    }
}

/// The request and the framing that the server reads from a head which it accepts.
struct HTTPHead: Equatable {
    static let bodyBytesMax: UInt64 = 65_536

    let request: HTTPServerRequest?
    let isHead: Bool
    let body: RequestHead.Body
    let keepsAlive: Bool
    let isVersion10: Bool
    let awaitsContinue: Bool
    /// Fields that the server reads, by their lower-case names.
    let fields: [String: String]

    private static let names = [
        "host", "connection", "content-length", "transfer-encoding", "expect", "upgrade", "x",
    ]

    init?(_ bytes: [UInt8]) {
        var reader = HeadReader()
        self.init(bytes, &reader)
    }

    init?(_ bytes: [UInt8], _ reader: inout HeadReader) {
        guard let head = reader.read(bytes, from: .fuzzer), head.rejection(.fuzzer) == nil else {
            return nil
        }
        request = head.request
        isHead = head.isHead
        body = head.body
        keepsAlive = head.keepsAlive
        awaitsContinue = head.awaitsContinue
        isVersion10 = head.isVersion10
        var fields: [String: String] = [:]
        for name in Self.names {
            // A field of several lines may begin or end with an empty one.
            guard let value = head.headers.value(of: name) else { continue }
            fields[name] = WebSocketHandshake.trimmed(value[...]).description
        }
        self.fields = fields
    }

    /// The head as text; only the fields that count.
    var written: [UInt8] {
        // `%2F` stays encoded in a path, so its percent sign is one of the encoding.
        let parts = (request?.path ?? "").split(
            separator: /%2[fF]/,
            omittingEmptySubsequences: false
        )
        var target = parts.map { Self.encoded(String($0), "/") }.joined(separator: "%2F")
        let query = request?.query ?? []
        if !query.isEmpty {
            target += "?"
            target += query.map { Self.encoded($0.name) + "=" + Self.encoded($0.value) }
                .joined(separator: "&")
        }
        let method = isHead ? "HEAD" : request?.method ?? ""
        var text = "\(method) \(target) HTTP/1.\(isVersion10 ? 0 : 1)\r\n"
        for (name, value) in fields.sorted(by: { $0.key < $1.key }) {
            text += "\(name): \(value)\r\n"
        }
        return Array((text + "\r\n").utf8)
    }

    /// The bytes of the path, with one spelling of the encoded slash.
    private var path: [UInt8]? {
        request.map { Array($0.path.replacing("%2f", with: "%2F").utf8) }
    }

    static func encoded(_ text: String, _ kept: String = "") -> String {
        var encoded = ""
        for byte in text.utf8 {
            let isPlain = RequestGrammar.isTokenByte(byte) || kept.utf8.contains(byte)
            if isPlain, !"%+&=#".utf8.contains(byte) {
                encoded.unicodeScalars.append(Unicode.Scalar(byte))
            } else {
                encoded += "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16)
            }
        }
        return encoded
    }

    static func == (left: HTTPHead, right: HTTPHead) -> Bool {
        let queries = [left, right].map { head in
            head.request?.query.map { Array($0.name.utf8) + [0] + Array($0.value.utf8) }
        }
        return left.request?.method == right.request?.method
            && left.path == right.path
            && queries[0] == queries[1] && left.isHead == right.isHead
            && "\(left.body)" == "\(right.body)" && left.keepsAlive == right.keepsAlive
            && left.isVersion10 == right.isVersion10
            && left.awaitsContinue == right.awaitsContinue && left.fields == right.fields
    }
}

extension HTTPHead: CustomStringConvertible {
    var description: String {
        String(decoding: written, as: UTF8.self) + "body \(body), keeps alive \(keepsAlive)"
    }
}

extension NetworkAddress {
    /// The peer of all requests.
    static let fuzzer = NetworkAddress(127, 0, 0, 1)
}

extension HTTPServer.Configuration {
    /// The limits of a service.
    static let fuzzer = HTTPServer.Configuration(
        host: "127.0.0.1",
        port: 0,
        threads: 1,
        connectionsMax: 1,
        connectionsPerClientMax: 1,
        idleTimeoutSeconds: 1,
        sentBytesPerSecondMin: 1,
        requestSecondsMax: 1,
        headerBytesMax: 8_192,
        bodyBytesMax: Int(HTTPHead.bodyBytesMax),
        stopSecondsMax: 1
    )
}

private struct HTTPBody: Equatable {
    var bytes: [UInt8]
    var end: Int
    var progress: BodyReader.Progress
}
