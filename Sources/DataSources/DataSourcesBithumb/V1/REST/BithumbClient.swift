public import DataSourceContracts

/// Asks the exchange over REST: rate, headers and its ways to refuse, for all sources.
///
/// API 1.x and 2.x live on one host and count requests together. An answer with HTTP 429 or with
/// status 5600 makes the gate rest its category: that call still throws what the server said, those
/// that follow throw `rateLimited` without being sent.
///
/// Source: <https://apidocs.bithumb.com>, API v1.2.0 and v2.1.5, seen 2026-11.
public struct BithumbClient: Sendable {
    /// The families of calls, each with its way to say that something is wrong.
    enum Family {
        /// Below `/public`: errors are HTTP status 200 and a status in the body.
        case v1
        /// Below `/v1`: errors are HTTP status 200 or 4xx and a name in the body.
        case v2

        fileprivate var root: String {
            switch self {
            case .v1: "public"
            case .v2: "v1"
            }
        }

        /// Whether a body that came with this HTTP status has something to say.
        fileprivate func speaks(with status: Int) -> Bool {
            switch self {
            case .v1: status == 200
            case .v2: status == 200 || (400..<500).contains(status) && status != 429
            }
        }
    }

    /// An answer before anybody has looked at its body.
    struct Answer {
        /// What was asked for, as errors call it: the path without its query.
        let name: String
        let category: RequestCategory
        /// 200, or of API 2.x also what an error came with.
        let status: Int
        let body: [UInt8]
        let feedLabel: String?
    }

    private let transport: any HTTPTransport
    private let base: String
    private let gate: RequestRateLimiter
    private let timeout: Duration
    private let requests: UpstreamRequestCounts

    /// The longest that is known, tickers of 480 coins and candles of years, have 0.2 to 1 MB.
    private static let bodyBytesMax = 8 << 20
    /// "Custom text", the word of API 1.x for too many connections, and what API 2.x may say.
    private static let blockedStatuses: Set<String> = ["5600", "429", "too_many_requests"]

    /// Makes a client.
    ///
    /// - Parameters:
    ///   - transport: sends the requests.
    ///   - baseURL: scheme, host and port, such as ``BithumbAddresses/rest``.
    ///   - gate: the pace of everything that asks the same exchange.
    ///   - timeout: the longest one request may take, waiting at the gate not included.
    ///   - requests: counts them.
    public init(
        transport: any HTTPTransport,
        baseURL: String,
        gate: RequestRateLimiter,
        timeout: Duration = .seconds(10),
        requests: UpstreamRequestCounts = UpstreamRequestCounts()
    ) {
        self.transport = transport
        base = baseURL.hasSuffix("/") ? String(baseURL.dropLast()) : baseURL
        self.gate = gate
        self.timeout = timeout
        self.requests = requests
    }

    /// Waits for the rate and asks once: `GET {base}/public/{name}{query}`, or below `/v1`.
    func get(
        _ name: String,
        query: String = "",
        _ category: RequestCategory,
        of family: Family = .v1
    ) async throws(DataSourceError) -> Answer {
        try await gate.pass(category)
        let response = try await send(
            "\(base)/\(family.root)/\(name)\(query)",
            name: name,
            category
        )
        if let remaining = response.headers["x-ratelimit-remaining"].flatMap({ Int($0) }) {
            gate.note(remaining: remaining, category)
        }
        guard family.speaks(with: response.status) else {
            if response.status == 429 { gate.pause(category) }
            throw Self.failure(name, status: response.status)
        }
        return Answer(
            name: name,
            category: category,
            status: response.status,
            body: response.body,
            feedLabel: Self.feedLabel(response.headers)
        )
    }

    /// Decodes an answer; what is wrong with it is said with the name of what was asked for.
    func read<Output>(
        _ answer: Answer,
        _ decode: ([UInt8]) throws(DataSourceError) -> Output
    ) throws(DataSourceError) -> Output {
        let output: Output
        do {
            output = try decode(answer.body)
        } catch {
            throw translated(error, answer)
        }
        guard answer.status == 200 else {
            throw translated(DataSourceError(.malformed, "data with an HTTP error"), answer)
        }
        return output
    }

    private func translated(_ error: DataSourceError, _ answer: Answer) -> DataSourceError {
        var translated = DataSourceError(error.code, "\(answer.name): \(error.detail)")
        if case .refused(let status, _) = error.code {
            if Self.blockedStatuses.contains(status) { gate.pause(answer.category) }
        } else if answer.status != 200 {
            translated = Self.failure(answer.name, status: answer.status)
        }
        translated.feedLabel = answer.feedLabel
        return translated
    }

    private static func failure(_ name: String, status: Int) -> DataSourceError {
        DataSourceError(.httpStatus(status), "\(name): HTTP status \(status)")
    }

    private func send(
        _ url: String,
        name: String,
        _ category: RequestCategory
    ) async throws(DataSourceError) -> HTTPResponse {
        let request = HTTPRequest(url: url, timeout: timeout, bodyBytesMax: Self.bodyBytesMax)
        do {
            let response = try await transport.send(request)
            requests.count(category, .status(response.status))
            return response
        } catch {
            requests.count(category, .failure(error.code))
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
