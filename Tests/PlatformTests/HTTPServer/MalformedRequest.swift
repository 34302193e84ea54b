import Testing

/// A request no handler may see.
struct MalformedRequest: CustomTestStringConvertible {
    var testDescription: String
    var text: String
    var status: Int

    private init(
        _ name: String,
        _ startLine: String,
        _ headers: [String],
        _ status: Int
    ) {
        testDescription = name
        let lines = [startLine + " HTTP/1.1"] + headers + ["X-Tag: secret", "", ""]
        text = lines.joined(separator: "\r\n")
        self.status = status
    }

    private init(_ name: String, text: String, _ status: Int = 400) {
        testDescription = name
        self.text = text
        self.status = status
    }

    /// A body in chunks behind a valid head.
    private init(_ name: String, chunks: String, _ status: Int = 400) {
        self.init(
            name,
            text: "POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n" + chunks,
            status
        )
    }

    private static let huge = String(repeating: "9", count: 23)

    static let all = heads + lines + hosts + chunks

    private static let heads = [
        MalformedRequest("no Host", "GET /", [], 400),
        MalformedRequest("two Hosts", "GET /", ["Host: a", "Host: b"], 400),
        MalformedRequest("zero byte in the path", "GET /secret%00", ["Host: h"], 400),
        MalformedRequest("path is not UTF-8", "GET /secret%ff", ["Host: h"], 400),
        MalformedRequest("half an escape", "GET /%4", ["Host: h"], 400),
        MalformedRequest("zero byte in a value", "GET /?secret=%00", ["Host: h"], 400),
        MalformedRequest("name is not UTF-8", "GET /?%fe=1", ["Host: h"], 400),
        MalformedRequest("no path", "GET x", ["Host: h"], 400),
        MalformedRequest(
            "two lengths",
            "POST /",
            ["Host: h", "Content-Length: 2", "Content-Length: 3"],
            400
        ),
        MalformedRequest(
            "length and chunks",
            "POST /",
            ["Host: h", "Content-Length: 5", "Transfer-Encoding: chunked"],
            400
        ),
        MalformedRequest(
            "negative length",
            "POST /",
            ["Host: h", "Content-Length: -1"],
            400
        ),
        MalformedRequest(
            "length that is none",
            "POST /",
            ["Host: h", "Content-Length: 5, 5"],
            400
        ),
        MalformedRequest(
            "length of too many digits",
            "POST /",
            ["Host: h", "Content-Length: \(Self.huge)"],
            400
        ),
        MalformedRequest("blank before a colon", "POST /", ["Host: h", "Content-Length : 5"], 400),
        MalformedRequest("tab before a colon", "GET /", ["Host: h", "Host\t: x"], 400),
        MalformedRequest(
            "chunks with a blank",
            "POST /",
            ["Host: h", "Transfer-Encoding : chunked"],
            400
        ),
        MalformedRequest("another coding", "POST /", ["Host: h", "Transfer-Encoding: gzip"], 400),
        MalformedRequest(
            "codings before chunks",
            "POST /",
            ["Host: h", "Transfer-Encoding: gzip, chunked"],
            400
        ),
        MalformedRequest(
            "nearly chunks",
            "POST /",
            ["Host: h", "Transfer-Encoding: xchunked"],
            400
        ),
        MalformedRequest(
            "chunks and then none",
            "POST /",
            ["Host: h", "Transfer-Encoding: chunked", "Transfer-Encoding: identity"],
            400
        ),
        MalformedRequest("zero byte in a header", "GET /", ["Host: h", "X-Odd: a\0b"], 400),
        MalformedRequest("zero byte at its start", "GET /", ["Host: h", "Upgrade:\0b"], 400),
        MalformedRequest("bell at its start", "GET /", ["Host: h", "Connection: \u{7}x"], 400),
        MalformedRequest("a header without a colon", "GET /", ["Host: h", "Odd"], 400),
        MalformedRequest("empty name", "GET /", ["Host: h", ": a"], 400),
        MalformedRequest("blank in the target", "GET /?a= 1", ["Host: h"], 400),
        MalformedRequest("empty length", "POST /", ["Host: h", "Content-Length:"], 400),
        MalformedRequest("length with a sign", "POST /", ["Host: h", "Content-Length: +5"], 400),
        MalformedRequest("a method that is none", "F=T /", ["Host: h"], 400),
        MalformedRequest("no method", " /", ["Host: h"], 400),
        MalformedRequest(
            "a method of 33 letters",
            String(repeating: "M", count: 33) + " /",
            ["Host: h"],
            400
        ),
        MalformedRequest("user information in the target", "GET http://u@h/", ["Host: h"], 400),
        MalformedRequest("no host in the target", "GET http:///a", ["Host: h"], 400),
        MalformedRequest("long body", "POST /", ["Host: h", "Content-Length: 1025"], 413),
        MalformedRequest(
            "long header",
            "GET /",
            ["Host: h", "X: " + String(repeating: "x", count: 8_192)],
            431
        ),
    ]

    /// Line ends and folded fields (RFC 9112, 2.2 and 5.2).
    private static let lines =
        [
            ("a folded field", ["X-Odd: a", " b"]),
            ("a folded field without a first line", ["X-Odd:", " b"]),
            ("chunks in a fold", ["Transfer-Encoding:", " chunked"]),
            ("chunks in a fold with a tab", ["Transfer-Encoding:", "\tchunked"]),
            ("a length in a fold", ["Content-Length:", " 5"]),
            ("a fold of blanks", ["X-Odd: a", " "]),
            ("a single LF in a field", ["X-Odd: a\nX-Other: b"]),
            ("a single LF before a field's CRLF", ["X-Odd: a\n"]),
            ("a CR in a field", ["X-Odd: a\rb"]),
            ("two CRs behind a field", ["X-Odd: a\r"]),
        ].map { MalformedRequest($0, "POST /", ["Host: h"] + $1, 400) }
        + [
            MalformedRequest("lines that end with LF", text: "GET / HTTP/1.1\nHost: h\n\n"),
            MalformedRequest(
                "an empty line that ends with LF",
                text: "GET / HTTP/1.1\r\nHost: h\r\n\n"
            ),
            MalformedRequest("a fold before fields", text: "GET / HTTP/1.1\r\n Host: h\r\n\r\n"),
            MalformedRequest(
                "a single LF before a request",
                text: "\nGET / HTTP/1.1\r\nHost: h\r\n\r\n"
            ),
            MalformedRequest(
                "a single CR before a request",
                text: "\rGET / HTTP/1.1\r\nHost: h\r\n\r\n"
            ),
            MalformedRequest("empty lines alone", text: String(repeating: "\r\n", count: 4_097)),
        ]

    /// Values of `Host` that are no host with an optional port (RFC 9110, 7.2).
    private static let hosts = [
        "", ":80", "a b/c?d@e", "a, b", "a b", "a/b", "a?b", "a#b", "u@h", "h:80:81", "h:x", "h:-1",
        "h: 80", "[::1", "::1", "[127.0.0.1]", "[::1]x", "[]", "[v1]", "[g::]", "h\"", "h\\", "%4",
        "%zz", "h<", "가",
    ].map { MalformedRequest("Host \($0)", "GET /", ["Host: \($0)"], 400) }

    /// Chunks that RFC 9112, 7.1 does not allow, and blanks around a size, which parsers read
    /// differently.
    private static let chunks =
        [
            ("blank behind a size", "5 \r\nhello\r\n0\r\n\r\n"),
            ("tab behind a size", "5\t\r\nhello\r\n0\r\n\r\n"),
            ("blank before an extension", "5 ;a=b\r\nhello\r\n0\r\n\r\n"),
            ("blank before a size", " 5\r\nhello\r\n0\r\n\r\n"),
            ("LF behind a size", "5\nhello\r\n0\r\n\r\n"),
            ("LF behind an extension", "5;a\nhello\r\n0\r\n\r\n"),
            ("CR inside an extension", "5;a\rb\r\nhello\r\n0\r\n\r\n"),
            ("zero byte in an extension", "5;a\0\r\nhello\r\n0\r\n\r\n"),
            ("LF behind a chunk", "5\r\nhello\n0\r\n\r\n"),
            ("CR alone behind a chunk", "5\r\nhello\r0\r\n\r\n"),
            ("more bytes than a chunk's size", "5\r\nhello!\r\n0\r\n\r\n"),
            ("no size", "\r\nhello\r\n0\r\n\r\n"),
            ("an extension without a size", ";a\r\nhello\r\n0\r\n\r\n"),
            ("size with a sign", "+5\r\nhello\r\n0\r\n\r\n"),
            ("size with a prefix", "0x5\r\nhello\r\n0\r\n\r\n"),
            ("LF behind the last chunk", "0\n\r\n"),
            ("LF at the end", "0\r\n\n"),
            ("LF behind a trailer field", "0\r\nX: a\n\r\n"),
            ("a folded trailer field", "0\r\nX: a\r\n b\r\n\r\n"),
            ("a trailer field without a colon", "0\r\nX\r\n\r\n"),
            ("blank before a trailer field's colon", "0\r\nX : a\r\n\r\n"),
            ("trailer fields without end", "0\r\nX: " + String(repeating: "x", count: 13_400)),
        ].map { MalformedRequest($0, chunks: $1) }
        + [
            MalformedRequest("a long chunk", chunks: "401\r\n", 413),
            MalformedRequest("a size of too many digits", chunks: huge + "\r\n", 413),
        ]
}
