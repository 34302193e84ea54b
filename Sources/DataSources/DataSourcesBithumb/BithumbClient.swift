import Concurrency
public import DataSourceContracts

/// Sends the REST requests of all sources: rate limits, headers, and the exchange's error forms.
///
/// API 1.x and 2.x share one host and one count of requests. A response with HTTP 429 or status
/// 5600 pauses its category: that call throws the server's error, later ones throw `rateLimited`
/// without being sent.
///
/// Source: <https://apidocs.bithumb.com>, API v1.2.0 and v2.1.5, seen 2026-11.
public struct BithumbClient: Sendable {
    /// A response whose body is not decoded yet.
    struct Response {
        /// The path without its query, for errors.
        let name: String
        let category: RequestCategory
        /// 200, or the status of an error of API 2.x.
        let status: Int
        let body: [UInt8]
        let feedLabel: String?
    }

    private let transport: any HTTPTransport
    private let base: String
    private let rateLimiter: RequestRateLimiter
    private let timeout: Duration
    private let requests: UpstreamRequestCounts
    private let onDate: @Sendable (Int64, Duration) -> Void

    /// The longest known bodies, tickers of 480 coins and candles of years, have 0.2 to 1 MB.
    private static let bodyBytesMax = 8 << 20
    /// 5600 is "Custom text" in API 1.x, sent for too many requests; the others are those of API
    /// 2.x.
    private static let blockedStatuses: Set<String> = ["5600", "429", "too_many_requests"]

    /// Makes a client.
    ///
    /// - Parameters:
    ///   - transport: sends the requests.
    ///   - baseURL: scheme, host and port, such as ``BithumbAddresses/rest``.
    ///   - rateLimiter: the rate of all clients of the same exchange.
    ///   - timeout: the longest that one request may take, without the wait for the rate.
    ///   - requests: counts them.
    ///   - onDate: takes the date of each response, in Unix seconds, and the time since its request
    ///     was sent.
    public init(
        transport: any HTTPTransport,
        baseURL: String,
        rateLimiter: RequestRateLimiter,
        timeout: Duration = .seconds(10),
        requests: UpstreamRequestCounts = UpstreamRequestCounts(),
        onDate: @escaping @Sendable (_ second: Int64, _ took: Duration) -> Void = { _, _ in }
    ) {
        self.transport = transport
        base = baseURL.hasSuffix("/") ? String(baseURL.dropLast()) : baseURL
        self.rateLimiter = rateLimiter
        self.timeout = timeout
        self.requests = requests
        self.onDate = onDate
    }

    /// Measures on the clock of the rate.
    var stopwatch: Stopwatch { rateLimiter.stopwatch }

    /// Waits for the rate and sends one request: `GET {base}/public/{name}{query}`, or below `/v1`.
    func get(
        _ name: String,
        query: String = "",
        _ category: RequestCategory,
        of generation: APIGeneration = .v1
    ) async throws(DataSourceError) -> Response {
        try await rateLimiter.acquire(category)
        let response = try await send(
            "\(base)/\(generation.root)/\(name)\(query)",
            name: name,
            category
        )
        if let remaining = response.headers["x-ratelimit-remaining"].flatMap({ Int($0) }) {
            rateLimiter.note(remaining: remaining, category)
        }
        guard generation.hasContent(status: response.status) else {
            if response.status == 429 { rateLimiter.pause(category) }
            throw Self.failure(name, status: response.status)
        }
        return Response(
            name: name,
            category: category,
            status: response.status,
            body: response.body,
            feedLabel: Self.feedLabel(response.headers)
        )
    }

    /// Decodes a response; errors carry the name of the request.
    func read<Output>(
        _ response: Response,
        _ decode: ([UInt8]) throws(DataSourceError) -> Output
    ) throws(DataSourceError) -> Output {
        let output: Output
        do {
            output = try decode(response.body)
        } catch {
            throw translated(error, response)
        }
        guard response.status == 200 else {
            throw translated(DataSourceError(.malformed, "data with an HTTP error"), response)
        }
        return output
    }

    private func translated(_ error: DataSourceError, _ response: Response) -> DataSourceError {
        var translated = DataSourceError(error.code, "\(response.name): \(error.detail)")
        if case .refused(let status, _) = error.code {
            if Self.blockedStatuses.contains(status) { rateLimiter.pause(response.category) }
        } else if response.status != 200 {
            translated = Self.failure(response.name, status: response.status)
        }
        translated.feedLabel = response.feedLabel
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
        let sentAt = stopwatch.elapsed
        do {
            let response = try await transport.send(request)
            // A response from a cache has the date of an earlier one.
            if let date = response.headers["date"].flatMap({ HTTPDate.seconds($0) }),
                response.headers["age"] == nil
            {
                onDate(date, stopwatch.elapsed - sentAt)
            }
            requests.count(category, .status(response.status))
            return response
        } catch {
            requests.count(category, .failure(error.code))
            throw DataSourceError(error, during: name)
        }
    }

    /// hoga's own servers label their feed, the exchange does not; other labels are ignored.
    private static func feedLabel(_ headers: [String: String]) -> String? {
        let label = headers["x-hoga-feed"]
        return label == "simulated" || label == "replay" ? label : nil
    }

    /// Checks a part of a path: only characters that need no escaping.
    static func checkPathPart(_ part: String) {
        precondition(
            !part.isEmpty && part.utf8.allSatisfy(isPlain),
            "Markets and intervals are spelled with letters, digits and underscores."
        )
    }

    /// Whether a byte is a letter, a digit or an underscore.
    static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"):
            true
        default: false
        }
    }
}

/// The default addresses of the exchange.
///
/// Source: <https://apidocs.bithumb.com>, API v1.2.0 and v2.1.5, seen 2026-11.
public enum BithumbAddresses: Sendable {
    /// The base of all REST addresses.
    public static let rest = "https://api.bithumb.com"
    /// The public WebSocket of API 1.x.
    public static let streamV1 = "wss://pubwss.bithumb.com/pub/ws"
    /// The public WebSocket of API 2.x.
    public static let streamV2 = "wss://ws-api.bithumb.com/websocket/v1"
}

extension APIGeneration {
    /// The first part of its REST paths.
    fileprivate var root: String {
        switch self {
        case .v1: "public"
        case .v2: "v1"
        }
    }

    /// Whether a body with this HTTP status holds data or an error of the API.
    ///
    /// An error has HTTP status 200 and a status in the body; in API 2.x it has HTTP status 200 or
    /// 4xx and a name in the body.
    fileprivate func hasContent(status: Int) -> Bool {
        switch self {
        case .v1: status == 200
        case .v2: status == 200 || (400..<500).contains(status) && status != 429
        }
    }
}
