import Compression
import Domain
import HTTPServer
import WebSocketFraming

/// Answers HTTP requests like the exchange's REST host, and accepts stream connections.
struct RESTService: Sendable {
    let feed: StreamServer.Feed
    let status: SimulatorStatus
    let limiter: RateLimiter
    let refusal: ExchangeSimulator.Refusal
    let compression: ExchangeSimulator.Compression
    let inbox: StreamAcceptQueue
    /// Counts new connections to the stream of API 2.x, whose number per second is limited.
    let connectionLimiter = RateLimiter(perSecond: connectionsPerSecondMax)
    let control: ControlService
    let now: @Sendable () -> Timestamp

    /// Smaller bodies are sent uncompressed, because gzip would hardly shorten them.
    private static let gzipBytesMin = 1_024
    /// The fastest level: bodies change with every request.
    private static let gzipLevel = 1
    /// How many connections to the stream of API 2.x an address may open per second.
    ///
    /// The exchange blocks an address that exceeds it for up to ten minutes, the simulator does
    /// not.
    private static let connectionsPerSecondMax = 10

    /// The `x-hoga-feed` header of a feed, so that it cannot be mistaken for the real exchange.
    static func name(of feed: StreamServer.Feed) -> String {
        switch feed {
        case .simulated: "simulated"
        case .replay: "replay"
        }
    }

    func reply(to request: HTTPServerRequest) -> HTTPServerReply {
        for api in APIVersion.allCases where request.path == api.streamPath {
            return upgrade(request, to: api)
        }
        if request.path.hasPrefix("/simulator/") {
            return .response(control.response(to: request))
        }
        let faults = status.faults
        let response = limited(request, faults: faults)
        guard let milliseconds = faults.latencyMilliseconds else { return .response(response) }
        return .delayed(response, milliseconds: milliseconds)
    }

    // MARK: REST

    private func limited(_ request: HTTPServerRequest, faults: FaultSet) -> HTTPServerResponse {
        let time = now()
        let remaining = limiter.acquire(
            client: request.remoteAddress,
            category: RateLimiter.Category(path: request.path),
            at: time
        )
        let answer: Answer =
            switch (remaining, refusal) {
            case (nil, .status429): .tooManyRequests
            case (nil, .status5600): .refusal5600
            case (.some, _): broken(request, faults) ?? self.answer(request, faults)
            }
        return response(answer, to: request, remaining: remaining ?? 0)
    }

    /// The answer that a fault forces on every request.
    private func broken(_ request: HTTPServerRequest, _ faults: FaultSet) -> Answer? {
        if let api = APIVersion.ofREST(path: request.path), faults.isOff(api) { return .noRoute }
        if let status = faults.serverErrorStatus {
            return Answer(status: status, type: "text/plain", body: Array("server error\n".utf8))
        }
        if faults.isOn(.htmlBodies) { return .html }
        if faults.isOn(.tooManyRequests) { return .tooManyRequests }
        if faults.isOn(.refusal5600) { return .refusal5600 }
        return nil
    }

    private func answer(_ request: HTTPServerRequest, _ faults: FaultSet) -> Answer {
        guard request.method == "GET" else { return .error("5100", "Bad Request") }
        let answer =
            switch feed {
            case .simulated(let simulated):
                request.path.hasPrefix("/v1/")
                    ? MarketResponses(feed: simulated, faults: faults).answer(request)
                    : SimulatedResponses(feed: simulated).answer(request)
            case .replay(let replay):
                replay.answer(path: request.path).map { Answer(status: $0.status, body: $0.body) }
                    ?? Self.unrecorded(request.path)
            }
        var whole = answer
        whole.body = status.counted(restBody: answer.body)
        return whole
    }

    /// The answer to a path that was not recorded, in the format of its API.
    private static func unrecorded(_ path: String) -> Answer {
        path.hasPrefix("/v1/") ? .noRoute : .error("5500", "기록에 없는 경로")
    }

    private func response(
        _ answer: Answer,
        to request: HTTPServerRequest,
        remaining: Int
    ) -> HTTPServerResponse {
        let isPacked =
            answer.body.count >= Self.gzipBytesMin
            && Gzip.isAccepted(by: request.header("accept-encoding"))
        var headers = [
            ("Content-Type", answer.type), ("x-hoga-feed", Self.name(of: feed)),
            ("x-ratelimit-remaining", "\(remaining)"), ("x-ratelimit-requested-tokens", "1"),
            ("x-ratelimit-burst-capacity", "\(limiter.perSecond)"),
            ("x-ratelimit-replenish-rate", "\(limiter.perSecond)"), ("Vary", "Accept-Encoding"),
        ]
        if isPacked { headers.append(("Content-Encoding", "gzip")) }
        return HTTPServerResponse(
            status: answer.status,
            headers: headers,
            body: isPacked
                ? Gzip.compressed(answer.body, level: Self.gzipLevel) : answer.body
        )
    }

    // MARK: Stream

    /// Whether the feed has frames of this version; recordings have those of API 1.x.
    private func hasStream(of api: APIVersion) -> Bool {
        if case .replay = feed { return api == .v1 }
        return true
    }

    /// Whether an address may open another connection now.
    private func admits(_ request: HTTPServerRequest, to api: APIVersion) -> Bool {
        guard api == .v2 else { return true }
        let tokens = connectionLimiter.acquire(
            client: request.remoteAddress,
            category: .other,
            at: now()
        )
        return tokens != nil
    }

    private func upgrade(_ request: HTTPServerRequest, to api: APIVersion) -> HTTPServerReply {
        let feedHeader = (name: "x-hoga-feed", value: Self.name(of: feed))
        guard hasStream(of: api), !status.faults.isStreamGone(api) else {
            return .response(response(.noRoute, to: request, remaining: 0))
        }
        guard admits(request, to: api) else {
            return .response(HTTPServerResponse(status: 429, headers: [feedHeader], body: []))
        }
        let accept: String
        do throws(WebSocketUpgradeError) {
            accept = try WebSocketHandshake.acceptValue { request.header($0.lowercased()) }
        } catch {
            let headers = [
                feedHeader, ("Upgrade", "websocket"),
                ("Sec-WebSocket-Version", WebSocketHandshake.version),
            ]
            return .response(HTTPServerResponse(status: error.status, headers: headers, body: []))
        }
        guard let place = inbox.reserve() else {
            return .response(HTTPServerResponse(status: 503, headers: [feedHeader], body: []))
        }
        var headers = [feedHeader, ("Upgrade", "websocket"), ("Sec-WebSocket-Accept", accept)]
        let choice = choice(for: request, to: api)
        if let choice { headers.append(("Sec-WebSocket-Extensions", choice.answer)) }
        return .upgrade(
            HTTPServerUpgrade(headers: headers) { [inbox] socket in
                inbox.put(socket, at: place, of: api, compression: choice?.parameters)
            }
        )
    }

    /// The compression of a connection; the stream of API 1.x has none.
    private func choice(
        for request: HTTPServerRequest,
        to api: APIVersion
    ) -> (parameters: PerMessageDeflate, answer: String)? {
        guard api == .v2, compression != .off else { return nil }
        return PerMessageDeflate.choice(
            among: request.header("sec-websocket-extensions"),
            keepsContext: compression == .withContext
        )
    }
}

extension RESTService {
    /// An answer without headers.
    struct Answer: Sendable {
        var status = 200
        var type = "application/json;charset=UTF-8"
        var body: [UInt8]

        /// The exchange's own error: HTTP status 200, with status and message in the body.
        static func error(_ status: String, _ message: String) -> Answer {
            Answer(body: Array(#"{"status":"\#(status)","message":"\#(message)"}"#.utf8))
        }

        /// An error of API 2.x: HTTP status 200, with a number as name in the body.
        static func error2(_ name: String, _ message: String) -> Answer {
            Answer(body: Array(#"{"error":{"name":\#(name),"message":"\#(message)"}}"#.utf8))
        }

        static let refusal5600 = error("5600", "요청 횟수가 많습니다. 잠시 후 다시 시도해 주세요.")
        static let tooManyRequests = Answer(
            status: 429,
            body: error("5600", "Too Many Requests").body
        )
        /// The exchange's gateway sends this for unknown paths.
        static let noRoute = Answer(
            status: 404,
            body: Array(
                #"{"name":"not_found","message":"No Route matched with those values"}"#.utf8
            )
        )
        static let html = Answer(
            type: "text/html;charset=UTF-8",
            body: Array(
                "<!DOCTYPE html><html><head><title>Attention</title></head><body>점검 중</body></html>"
                    .utf8
            )
        )
    }
}
