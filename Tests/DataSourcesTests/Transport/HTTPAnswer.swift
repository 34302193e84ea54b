import TestSupport

/// An HTTP answer that a test server gives.
struct HTTPAnswer {
    var status = "200 OK"
    var headers: [String] = []
    var body: [UInt8] = []
    /// Whether the body's length is stated; else it must say so itself.
    var hasLength = true

    /// The answer as it goes over the wire.
    var bytes: [UInt8] {
        let length = hasLength ? ["Content-Length: \(body.count)"] : []
        let lines = ["HTTP/1.1 \(status)"] + headers + length + ["", ""]
        return Array(lines.joined(separator: "\r\n").utf8) + body
    }

    /// An answer with text.
    static func text(_ text: String) -> Self { Self(body: Array(text.utf8)) }

    /// The same bytes packed by gzip, without any saving: one stored block for each 65,535 bytes.
    ///
    /// Source: RFC 1951, section 3.2.4, and RFC 1952.
    static func gzip(_ bytes: [UInt8]) -> [UInt8] {
        var packed: [UInt8] = []
        for start in stride(from: 0, to: max(1, bytes.count), by: 65_535) {
            let block = bytes[start..<min(start + 65_535, bytes.count)]
            let length = UInt32(block.count)
            packed.append(start + block.count == bytes.count ? 1 : 0)
            packed += littleEndian(length, 2) + littleEndian(~length, 2) + block
        }
        return gzipFile(packed, of: bytes)
    }

    /// One byte and then 258 copies of it as many times, packed to 13 bits each.
    ///
    /// Source: RFC 1951, section 3.2.6.
    static func gzip(repeating byte: UInt8, times: Int) -> [UInt8] {
        precondition(byte < 144, "Larger bytes have a longer code.")
        // The last block, with fixed codes; the byte; length 258 at distance 1; the end.
        var bits = "110" + binary(0x30 + Int(byte), 8)
        bits += String(repeating: binary(0b1100_0101, 8) + binary(0, 5), count: times)
        bits += binary(0, 7)
        var packed: [UInt8] = []
        for (index, bit) in bits.utf8.enumerated() {
            if index % 8 == 0 { packed.append(0) }
            if bit == UInt8(ascii: "1") { packed[index / 8] |= 1 << UInt8(index % 8) }
        }
        return gzipFile(packed, of: [UInt8](repeating: byte, count: 258 * times + 1))
    }

    private static func binary(_ number: Int, _ digits: Int) -> String {
        let text = String(number, radix: 2)
        return String(repeating: "0", count: digits - text.count) + text
    }

    private static func littleEndian(_ number: UInt32, _ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(number >> (8 * UInt32($0)) & 0xff) }
    }

    private static func gzipFile(_ packed: [UInt8], of bytes: [UInt8]) -> [UInt8] {
        let header: [UInt8] = [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff]
        var crc: UInt32 = 0xffff_ffff
        for byte in bytes {
            crc ^= UInt32(byte)
            for _ in 0..<8 { crc = crc & 1 == 1 ? crc >> 1 ^ 0xedb8_8320 : crc >> 1 }
        }
        return header + packed + littleEndian(~crc, 4) + littleEndian(UInt32(bytes.count), 4)
    }
}

extension LoopbackServer {
    /// A server that answers every request on every connection.
    static func http(
        _ answer: @escaping @Sendable (_ requestHead: String) -> HTTPAnswer
    ) -> LoopbackServer {
        LoopbackServer { connection throws(LoopbackConnection.Failure) in
            while true {
                let head = try connection.receiveHead()
                try connection.send(answer(head).bytes)
            }
        }
    }

    /// A server that reads one request and then sends these bytes and closes.
    static func rude(_ bytes: [UInt8], reset: Bool = false) -> LoopbackServer {
        LoopbackServer { connection throws(LoopbackConnection.Failure) in
            _ = try connection.receiveHead()
            try connection.send(bytes)
            if reset { connection.resetWhenClosed() }
        }
    }

    /// The address of something on this server.
    func url(_ path: String) -> String { "http://127.0.0.1:\(port)\(path)" }
}
