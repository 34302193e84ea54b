public import Domain
public import HTTPServer
public import NetworkAddresses
public import UseCases
public import ViewStates
import WebPage

/// The public listener: documents and event streams.
///
/// Every request takes the same way: ``RequestPipeline`` identifies and charges it, ``Route`` finds
/// its target, the token is verified if the route needs one, the route responds, and the pipeline
/// adds the common fields and records it.
public final class SnapshotService: Sendable {
    let documents: DocumentPrefetcher
    let latest: SnapshotPublisher
    let interests: DetailInterests
    let assetInterests: AssetInterests
    let waiters: FirstDataWaiters
    let now: @Sendable () -> Timestamp
    let pipeline: RequestPipeline
    let staticDocuments: StaticDocuments
    /// The page at `/`; nil if it is off.
    let page: PageResponses?
    let configuration: ServiceConfiguration
    let personal: (any UserAPI)?
    let streams: DocumentStreams
    let streamQuota: StreamQuota
    /// Make what event loops do not.
    let workers: DocumentWorkers

    /// Makes the service.
    ///
    /// - Parameters:
    ///   - documents: produces the documents.
    ///   - latest: publishes the snapshots of the board; the same as the documents'.
    ///   - interests: receives the details that requests ask for.
    ///   - assetInterests: receives requests for deposits and withdrawals.
    ///   - streams: streams the documents.
    ///   - personal: the users' data and tokens; nil without a store.
    ///   - about: makes the document `about` in a language; called once for each.
    ///   - configuration: the limits and switches.
    ///   - observers: receive a record of every finished request.
    ///   - now: the local wall clock.
    ///   - uptime: a monotonic clock.
    ///   - makeRequestID: a new request id at each call.
    public convenience init(
        documents: DocumentProducers,
        latest: SnapshotPublisher,
        interests: DetailInterests,
        assetInterests: AssetInterests,
        streams: DocumentStreams,
        personal: UserService?,
        about: (Language) -> AboutDocument,
        configuration: ServiceConfiguration,
        observers: [any RequestObserver],
        now: @escaping @Sendable () -> Timestamp,
        uptime: @escaping @Sendable () -> Duration,
        makeRequestID: @escaping @Sendable () -> String
    ) {
        self.init(
            documents: documents,
            latest: latest,
            interests: interests,
            assetInterests: assetInterests,
            streams: streams,
            staticDocuments: StaticDocuments(about: about),
            personal: personal,
            configuration: configuration,
            pipeline: RequestPipeline(
                configuration: configuration,
                observers: observers,
                uptime: uptime,
                makeRequestID: makeRequestID
            ),
            now: now
        )
    }

    init(
        documents: DocumentProducers,
        latest: SnapshotPublisher,
        interests: DetailInterests,
        assetInterests: AssetInterests,
        streams: DocumentStreams,
        staticDocuments: StaticDocuments,
        personal: (any UserAPI)?,
        configuration: ServiceConfiguration,
        pipeline: RequestPipeline,
        now: @escaping @Sendable () -> Timestamp
    ) {
        self.documents = DocumentPrefetcher(documents: documents, latest: latest)
        waiters = FirstDataWaiters(latest: latest)
        self.latest = latest
        self.interests = interests
        self.assetInterests = assetInterests
        self.now = now
        self.configuration = configuration
        self.streams = streams
        streamQuota = StreamQuota(streamsMax: configuration.streamsPerUser)
        self.staticDocuments = staticDocuments
        page = configuration.servesPage ? PageResponses(WebPage()) : nil
        self.personal = personal
        self.pipeline = pipeline
        workers = DocumentWorkers(threadCount: configuration.documentThreads)
    }

    /// Prefetches requested documents of each new snapshot until the task is cancelled.
    public func run() async { await documents.run() }

    /// Answers a request; never blocks.
    ///
    /// The first request for a market's data, and for deposits and withdrawals, is deferred until
    /// the data arrives.
    public func answer(_ request: HTTPServerRequest) -> HTTPServerReply {
        var context = pipeline.begin(request)
        do throws(Problem) {
            let found = Route.find(request.path)
            context.route = found?.route
            if found?.route.isStream ?? false { context.ifNoneMatch = nil }
            let query = found.flatMap { RequestedQuery($0.route, $0.place, request) }
            context.cost = query?.cost(isGzip: context.acceptsGzip) ?? .one
            try pipeline.admit(&context)
            guard let (route, place) = found else { throw Self.notFound(request) }
            if pipeline.crossOrigin.isPreflight(request) {
                let fields = pipeline.crossOrigin.permission(request, route)
                return reply(
                    RouteResponse(status: 204, content: .nothing, headers: fields),
                    context
                )
            }
            let call = RoutedRequest(
                request: request,
                requestID: context.id,
                route: route,
                method: try Self.method(request, route),
                place: place,
                query: query,
                client: context.client
            )
            return try authorize(call, context)
        } catch {
            return .response(pipeline.response(error, context))
        }
    }

    /// The response to a request that the server rejected.
    ///
    /// - Parameters:
    ///   - reason: what is wrong with the request.
    ///   - peer: the peer; `X-Forwarded-For` of a malformed request is not trusted.
    /// - Returns: a problem document.
    public func rejection(
        _ reason: HTTPServerRejection,
        of peer: NetworkAddress
    ) -> HTTPServerResponse {
        let problem: Problem =
            switch reason {
            case .badRequest:
                .invalidParameter(
                    "request",
                    "the request line or header fields are malformed or contradictory",
                    allowed: ["UTF-8 without zero bytes, one Host, one length"]
                )
            case .bodyTooLarge:
                Problem(
                    code: .bodyTooLarge,
                    detail: "the body exceeds \(ServiceConfiguration.bodyBytesMax) bytes"
                )
            case .headerTooLarge:
                Problem(
                    code: .headerTooLarge,
                    detail: "the header exceeds \(ServiceConfiguration.headerBytesMax) bytes"
                )
            }
        return pipeline.response(problem, to: peer)
    }

    /// Responds for the route of an authorized request.
    func answer(
        _ call: RoutedRequest,
        _ grant: TokenGrant?,
        _ context: RequestContext
    ) throws(Problem) -> HTTPServerReply {
        switch call.route.target {
        case .marketList, .detail, .assets, .snapshot: return try document(call, context)
        case .about:
            let kind = latest.value.board.feed.kind
            let document = try staticDocuments.about(call.request.query, of: kind)
            return reply(.document(document), context)
        case .personal:
            guard let personal, let grant else { throw Self.notFound(call.request) }
            return call.route.isStream
                ? try personalStream(call, grant, personal, context)
                : try personalAnswer(call, grant, personal, context)
        case .stream: return try stream(call, context)
        case .openAPI:
            return reply(.document(try staticDocuments.openAPI(call.request.query)), context)
        case .page(let target):
            guard let response = page?.response(target, call.request.path) else {
                throw Self.notFound(call.request)
            }
            return reply(response, context)
        }
    }

    /// A complete response.
    func reply(_ response: RouteResponse, _ context: RequestContext) -> HTTPServerReply {
        .response(pipeline.response(response, context))
    }

    private static func method(
        _ request: HTTPServerRequest,
        _ route: Route
    ) throws(Problem) -> Route.Method {
        guard let method = Route.Method(rawValue: request.method), route.methods.contains(method)
        else { throw .methodNotAllowed(request.method, allowed: route.allow) }
        return method
    }

    static func notFound(_ request: HTTPServerRequest) -> Problem {
        Problem(code: .notFound, detail: "no resource at \(Problem.short(request.path))")
    }
}
