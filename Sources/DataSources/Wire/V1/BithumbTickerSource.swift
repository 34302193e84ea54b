public import DataSources

/// Reads whole-market tickers from API 1.x: `GET {base}/public/ticker/ALL_{quote}`.
///
/// An answer with HTTP 429 or with status 5600 makes the gate rest the ticker category: that call
/// still throws what the server said, those that follow throw `rateLimited` without being sent.
///
/// Source: <https://apidocs.bithumb.com>, API v1.2.0, seen 2026-11.
public actor BithumbTickerSource: TickerSource {
    private let transport: any HTTPTransport
    private let base: String
    private let gate: RequestGate
    private let timeout: Duration
    private var decoder = TickerAllDecoder()

    /// 480 coins take 150 to 200 kB.
    private static let bodyBytesMax = 8 << 20
    /// "Custom text": the exchange's word for too many connections.
    private static let blockedStatus = "5600"

    /// Makes a source.
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

    /// Reads every market of one quote currency.
    ///
    /// - Parameter quote: `KRW` or `BTC`.
    /// - Returns: the answer, with what the server says it serves.
    /// - Throws: ``DataSourceError``; `cancelled` promptly when the task is cancelled.
    public func tickers(quote: String) async throws(DataSourceError) -> TickerAllDTO {
        precondition(
            !quote.isEmpty && quote.unicodeScalars.allSatisfy { ("A"..."Z").contains($0) },
            "A quote currency is upper-case letters."
        )
        let name = "ticker/ALL_\(quote)"
        try await gate.pass(.ticker)
        let response = try await send("\(base)/public/\(name)", name: name)
        if let remaining = response.headers["x-ratelimit-remaining"].flatMap({ Int($0) }) {
            gate.note(remaining: remaining, .ticker)
        }
        guard response.status == 200 else {
            if response.status == 429 { gate.pause(.ticker) }
            throw DataSourceError(
                .httpStatus(response.status),
                "\(name): HTTP status \(response.status)"
            )
        }
        return try decode(response, name: name)
    }

    private func send(_ url: String, name: String) async throws(DataSourceError) -> HTTPResponse {
        let request = HTTPRequest(url: url, timeout: timeout, bodyBytesMax: Self.bodyBytesMax)
        do {
            return try await transport.send(request)
        } catch {
            throw DataSourceError(error, during: name)
        }
    }

    private func decode(
        _ response: HTTPResponse,
        name: String
    ) throws(DataSourceError) -> TickerAllDTO {
        do {
            var answer = try decoder.decode(response.body)
            answer.feedLabel = Self.feedLabel(response.headers)
            return answer
        } catch {
            if case .refused(Self.blockedStatus, _) = error.code { gate.pause(.ticker) }
            var error = DataSourceError(error.code, "\(name): \(error.detail)")
            error.feedLabel = Self.feedLabel(response.headers)
            throw error
        }
    }

    /// Our own servers say what they serve, the exchange says nothing; other words are not shown.
    private static func feedLabel(_ headers: [String: String]) -> String? {
        let label = headers["x-hoga-feed"]
        return label == "simulated" || label == "replay" ? label : nil
    }
}
