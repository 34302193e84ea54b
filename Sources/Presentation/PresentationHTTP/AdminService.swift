public import Domain
public import HTTPServer
public import UseCases
public import ViewStates
import Synchronization

/// The admin listener: liveness, readiness and metrics.
public final class AdminService: Sendable {
    /// The longest wait for the first list; later the documents' health reports what is missing.
    public static let patience: Duration = .seconds(30)

    private let latest: SnapshotPublisher
    private let store: @Sendable () -> ReadinessDocument.Store
    private let metrics: Metrics
    private let now: @Sendable () -> Timestamp
    private let startedAt: Timestamp
    private let makeRequestID: @Sendable () -> String
    private let isStopping = Mutex(false)

    /// Makes the service and starts its wait for the first list.
    ///
    /// - Parameters:
    ///   - latest: publishes the snapshots of the board.
    ///   - store: the state of the store.
    ///   - metrics: the content of `/metrics`.
    ///   - now: the local wall clock.
    ///   - makeRequestID: a new request id at each call.
    public init(
        latest: SnapshotPublisher,
        store: @escaping @Sendable () -> ReadinessDocument.Store = { .none },
        metrics: Metrics = Metrics([]),
        now: @escaping @Sendable () -> Timestamp,
        makeRequestID: @escaping @Sendable () -> String
    ) {
        self.latest = latest
        self.store = store
        self.metrics = metrics
        self.now = now
        startedAt = now()
        self.makeRequestID = makeRequestID
    }

    /// Reports the process as not ready from now on.
    public func stop() {
        isStopping.withLock { $0 = true }
    }

    /// Answers a request; never blocks.
    public func answer(_ request: HTTPServerRequest) -> HTTPServerReply {
        do throws(Problem) {
            switch request.path {
            case "/healthz":
                try Self.requireGet(request)
                return .response(Self.document(status: 200, Array(#"{"alive":true}"#.utf8)))
            case "/readyz":
                try Self.requireGet(request)
                return .response(try readiness(request))
            case "/metrics":
                try Self.requireGet(request)
                return .response(
                    Self.document(status: 200, metrics.text, type: MetricsText.contentType)
                )
            default:
                throw SnapshotService.notFound(request)
            }
        } catch {
            return .response(error.response(requestID: makeRequestID()))
        }
    }

    /// Ready from the first list, or after ``patience``, until ``stop()``.
    private func readiness(_ request: HTTPServerRequest) throws(Problem) -> HTTPServerResponse {
        let required = try Self.required(RequestParameters(request, known: ["require"]))
        let board = latest.value.board
        let now = now()
        let hasBegun = !board.markets.isEmpty || now.duration(since: startedAt) >= Self.patience
        let isFeedUp = !required.contains("feed") || board.feed.isFresh(at: now)
        let store = store()
        let isStoreUp = !required.contains("store") || store.isReady
        let isReady = hasBegun && isFeedUp && isStoreUp && !isStopping.withLock { $0 }
        return Self.document(
            status: isReady ? 200 : 503,
            ReadinessDocument(
                ready: isReady,
                feed: board.feed,
                details: board.detailStatus,
                marketCount: board.details.count,
                store: store
            ).json
        )
    }

    private static func requireGet(_ request: HTTPServerRequest) throws(Problem) {
        guard request.method == "GET" else {
            throw .methodNotAllowed(request.method, allowed: "GET, HEAD")
        }
    }

    private static func required(_ parameters: RequestParameters) throws(Problem) -> Set<String> {
        let allowed = ["feed", "store"]
        var required: Set<String> = []
        for part in (parameters["require"] ?? "").split(separator: ",") {
            guard allowed.contains(String(part)) else {
                throw .invalidParameter(
                    "require",
                    "\"\(Problem.short(String(part)))\" is not an allowed value",
                    allowed: allowed
                )
            }
            required.insert(String(part))
        }
        return required
    }

    private static func document(
        status: Int,
        _ body: [UInt8],
        type: String = "application/json"
    ) -> HTTPServerResponse {
        HTTPServerResponse(
            status: status,
            headers: [
                (name: "Content-Type", value: type),
                (name: "Cache-Control", value: "no-store"),
            ] + ContentProtection.ofData,
            body: body
        )
    }
}
