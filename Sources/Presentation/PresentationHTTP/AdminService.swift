public import Domain
public import HTTPServer
public import UseCases
public import ViewStates
import Synchronization

/// The admin listener: whether the process lives, whether requests should come to it, and its
/// figures.
public final class AdminService: Sendable {
    /// Readiness does not wait longer than this for the first list: documents tell the rest.
    public static let patience: Duration = .seconds(30)

    private let latest: SnapshotPublisher
    private let store: @Sendable () -> ReadinessDocument.Store
    private let metrics: Metrics
    private let now: @Sendable () -> Timestamp
    private let startedAt: Timestamp
    private let makeRequestID: @Sendable () -> String
    private let isLeaving = Mutex(false)

    /// Makes the service; its start is the moment of this call.
    ///
    /// - Parameters:
    ///   - latest: where boards come from.
    ///   - store: how the store stands.
    ///   - metrics: what `/metrics` shows.
    ///   - now: the local wall clock.
    ///   - makeRequestID: names a request in answers and logs.
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

    /// Says that the process is about to end: from now on it is not ready.
    public func leave() {
        isLeaving.withLock { $0 = true }
    }

    /// Answers one request; never waits.
    public func answer(_ request: HTTPServerRequest) -> HTTPServerReply {
        do throws(Problem) {
            switch request.path {
            case "/healthz":
                try SnapshotService.requireGet(request)
                return .response(Self.document(status: 200, Array(#"{"alive":true}"#.utf8)))
            case "/readyz":
                try SnapshotService.requireGet(request)
                return .response(try readiness(request))
            case "/metrics":
                try SnapshotService.requireGet(request)
                return .response(
                    Self.document(status: 200, metrics.text, type: MetricsText.contentType)
                )
            default:
                throw Problem(
                    code: .notFound,
                    detail: "\(Problem.short(request.path)) is not an address here"
                )
            }
        } catch {
            return .response(error.response(requestID: makeRequestID()))
        }
    }

    /// Ready from the first list on, or after half a minute, until the process is told to end.
    private func readiness(_ request: HTTPServerRequest) throws(Problem) -> HTTPServerResponse {
        let required = try Self.required(RequestParameters(request, known: ["require"]))
        let board = latest.value.board
        let now = now()
        let hasBegun = !board.markets.isEmpty || now.duration(since: startedAt) >= Self.patience
        let isFeedUp = !required.contains("feed") || board.feed.isFresh(at: now)
        let store = store()
        let isStoreUp = !required.contains("store") || store.isReady
        let isReady = hasBegun && isFeedUp && isStoreUp && !isLeaving.withLock { $0 }
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

    private static func required(_ parameters: RequestParameters) throws(Problem) -> Set<String> {
        let allowed = ["feed", "store"]
        var required: Set<String> = []
        for part in (parameters["require"] ?? "").split(separator: ",") {
            guard allowed.contains(String(part)) else {
                throw .invalidParameter(
                    "require",
                    "\"\(Problem.short(String(part)))\" is not one of its values",
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
            ],
            body: body
        )
    }
}
