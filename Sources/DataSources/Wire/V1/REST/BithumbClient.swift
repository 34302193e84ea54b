public import DataSources

/// Asks API 1.x over REST: rate, headers and the exchange's ways to refuse, for all sources.
///
/// An answer with HTTP 429 or with status 5600 makes the gate rest its category: that call still
/// throws what the server said, those that follow throw `rateLimited` without being sent.
///
/// Source: <https://apidocs.bithumb.com>, API v1.2.0, seen 2026-11.
public struct BithumbClient: Sendable {
    /// An answer with HTTP status 200, before anybody has looked at its body.
    struct Answer {
        /// What was asked for, as errors call it: the path without its query.
        let name: String
        let category: RequestCategory
        let body: [UInt8]
        let feedLabel: String?
    }

    private let transport: any HTTPTransport
    private let base: String
    private let gate: RequestGate
    private let timeout: Duration

    /// The longest that is known, tickers of 480 coins and candles of years, have 0.2 to 1 MB.
    private static let bodyBytesMax = 8 << 20
    /// "Custom text": the exchange's word for too many connections.
    private static let blockedStatus = "5600"

    /// Makes a client.
    ///
    /// - Parameters:
    ///   - transport: sends the requests.
    ///   - baseURL: scheme, host and port, such as ``BithumbAddresses/rest``.
    ///   - gate: the pace of everything that asks the same exchange.
    ///   - timeout: the longest one request may take, waiting at the gate not included.
    public init(
        transport: any HTTPTransport,
        baseURL: String,
        gate: RequestGate,
        timeout: Duration = .seconds(10)
    ) {
        self.transport = transport
        base = baseURL.hasSuffix("/") ? String(baseURL.dropLast()) : baseURL
        self.gate = gate
        self.timeout = timeout
    }

    /// Waits for the rate and asks once: `GET {base}/public/{name}{query}`.
    func get(
        _ name: String,
        query: String = "",
        _ category: RequestCategory
    ) async throws(DataSourceError) -> Answer {
        try await gate.pass(category)
        let response = try await send("\(base)/public/\(name)\(query)", name: name)
        if let remaining = response.headers["x-ratelimit-remaining"].flatMap({ Int($0) }) {
            gate.note(remaining: remaining, category)
        }
        guard response.status == 200 else {
            if response.status == 429 { gate.pause(category) }
            throw DataSourceError(
                .httpStatus(response.status),
                "\(name): HTTP status \(response.status)"
            )
        }
        return Answer(
            name: name,
            category: category,
            body: response.body,
            feedLabel: Self.feedLabel(response.headers)
        )
    }

    /// Decodes an answer; what is wrong with it is said with the name of what was asked for.
    func read<Output>(
        _ answer: Answer,
        _ decode: ([UInt8]) throws(DataSourceError) -> Output
    ) throws(DataSourceError) -> Output {
        do {
            return try decode(answer.body)
        } catch {
            if case .refused(Self.blockedStatus, _) = error.code { gate.pause(answer.category) }
            var error = DataSourceError(error.code, "\(answer.name): \(error.detail)")
            error.feedLabel = answer.feedLabel
            throw error
        }
    }

    private func send(_ url: String, name: String) async throws(DataSourceError) -> HTTPResponse {
        let request = HTTPRequest(url: url, timeout: timeout, bodyBytesMax: Self.bodyBytesMax)
        do {
            return try await transport.send(request)
        } catch {
            throw DataSourceError(error, during: name)
        }
    }

    /// Our own servers say what they serve, the exchange says nothing; other words are not shown.
    private static func feedLabel(_ headers: [String: String]) -> String? {
        let label = headers["x-hoga-feed"]
        return label == "simulated" || label == "replay" ? label : nil
    }

    /// Checks what becomes part of an address: only what needs no escaping there.
    static func checkPathPart(_ part: String) {
        precondition(
            !part.isEmpty && part.utf8.allSatisfy(isPlain),
            "Markets and intervals are spelled with letters, digits and underscores."
        )
    }

    private static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"):
            true
        default: false
        }
    }
}
