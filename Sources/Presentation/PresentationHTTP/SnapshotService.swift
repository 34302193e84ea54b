public import Domain
public import HTTPServer
public import UseCases
public import ViewStates

/// The public listener: documents and events for programs.
///
/// Every request goes one way: client, name, limits, a browser's question, route, method, access,
/// answer; then the fields that every answer has, and its record.
public final class SnapshotService: Sendable {
    let answers: DocumentPrefetcher
    let latest: SnapshotPublisher
    let interests: DetailInterests
    let assetInterests: AssetInterests
    let waiters: FirstDataWaiters
    let now: @Sendable () -> Timestamp
    let manners: RequestPipeline
    let fixed: StaticDocuments
    let rules: ServiceConfiguration
    let personal: (any UserAPI)?
    let streams: DocumentStreams
    let seats: StreamQuota

    /// Makes the service.
    ///
    /// - Parameters:
    ///   - documents: makes the documents.
    ///   - latest: where boards come from: the same as the documents'.
    ///   - interests: who looks at which details; every question of a market is a glance at it.
    ///   - assetInterests: who looks at deposits and withdrawals, likewise.
    ///   - streams: streams them.
    ///   - personal: what is kept for users, and whose tokens are; nil where nothing is.
    ///   - about: what the program tells of itself.
    ///   - rules: what clients may do.
    ///   - observers: are told of every request that was answered.
    ///   - now: the local wall clock.
    ///   - uptime: a clock that never goes back, since any fixed moment.
    ///   - makeRequestID: names a request in answers and logs; different at each call.
    public convenience init(
        documents: DocumentProducers,
        latest: SnapshotPublisher,
        interests: DetailInterests,
        assetInterests: AssetInterests,
        streams: DocumentStreams,
        personal: UserService?,
        about: AboutDocument,
        rules: ServiceConfiguration,
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
            fixed: StaticDocuments(about: about),
            personal: personal,
            rules: rules,
            manners: RequestPipeline(
                rules: rules,
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
        fixed: StaticDocuments,
        personal: (any UserAPI)?,
        rules: ServiceConfiguration,
        manners: RequestPipeline,
        now: @escaping @Sendable () -> Timestamp
    ) {
        answers = DocumentPrefetcher(documents: documents, latest: latest)
        waiters = FirstDataWaiters(latest: latest)
        self.latest = latest
        self.interests = interests
        self.assetInterests = assetInterests
        self.now = now
        self.rules = rules
        self.streams = streams
        seats = StreamQuota(seatsMax: rules.streamsPerUser)
        self.fixed = fixed
        self.personal = personal
        self.manners = manners
    }

    /// Makes what is asked for of each new cut before anybody waits for it, until the task is
    /// cancelled; without it, whoever asks first waits.
    public func run() async { await answers.prepare() }

    /// Answers one request; never blocks.
    ///
    /// The answer to the first question of a market, and of deposits and withdrawals, waits,
    /// without a thread, until its data are there.
    public func answer(_ request: HTTPServerRequest) -> HTTPServerReply {
        var pass = manners.begin(request)
        do throws(Problem) {
            let found = Route.find(request.path)
            pass.route = found?.route
            if found?.route.isStream ?? false { pass.ifNoneMatch = nil }
            try manners.admit(&pass)
            guard let (route, place) = found else { throw Self.notFound(request) }
            if manners.crossOrigin.isPreflight(request) {
                let fields = manners.crossOrigin.permission(request, route)
                return reply(RouteResponse(status: 204, content: .nothing, headers: fields), pass)
            }
            let call = RoutedRequest(
                request: request,
                requestID: pass.id,
                route: route,
                method: try Self.method(request, route),
                place: place,
                client: pass.client
            )
            return try enter(call, pass)
        } catch {
            return .response(manners.response(error, pass))
        }
    }

    /// Words the refusal of a request that is never routed: its bytes are not to be trusted.
    ///
    /// - Parameters:
    ///   - refusal: what is wrong with it.
    ///   - peer: who sent it; a proxy that is trusted is not believed here in whom it forwards.
    /// - Returns: the answer behind which the connection ends.
    public func refuse(
        _ refusal: HTTPServerRejection,
        of peer: NetworkAddress
    ) -> HTTPServerResponse {
        let problem: Problem =
            switch refusal {
            case .badRequest:
                .invalidParameter(
                    "request",
                    "its path or parameters are no text, or its headers contradict each other",
                    allowed: ["UTF-8 without zero bytes, one Host, one length"]
                )
            case .bodyTooLarge:
                Problem(
                    code: .bodyTooLarge,
                    detail: "a body has at most \(ServiceConfiguration.bodyBytesMax) bytes"
                )
            case .headerTooLarge:
                Problem(
                    code: .headerTooLarge,
                    detail: "a header has at most \(ServiceConfiguration.headerBytesMax) bytes"
                )
            }
        return manners.response(problem, to: peer)
    }

    /// Goes where the route leads; whoever needs a token has shown it.
    func answer(
        _ call: RoutedRequest,
        _ grant: TokenGrant?,
        _ pass: RequestContext
    ) throws(Problem) -> HTTPServerReply {
        switch call.route.target {
        case .marketList, .detail, .assets, .snapshot: return try document(call, pass)
        case .about:
            let kind = latest.value.board.feed.kind
            return reply(.document(try fixed.about(call.request.query, of: kind)), pass)
        case .personal:
            guard let personal, let grant else { throw Self.notFound(call.request) }
            return call.route.isStream
                ? try personalStream(call, grant, personal, pass)
                : personalAnswer(call, grant, personal, pass)
        case .stream: return try stream(call, pass)
        case .openAPI:
            return reply(.document(try fixed.openAPI(call.request.query)), pass)
        }
    }

    /// The complete answer.
    func reply(_ answer: RouteResponse, _ pass: RequestContext) -> HTTPServerReply {
        .response(manners.response(answer, pass))
    }

    private static func method(
        _ request: HTTPServerRequest,
        _ route: Route
    ) throws(Problem) -> Route.Method {
        guard let method = Route.Method(rawValue: request.method), route.methods.contains(method)
        else {
            throw Problem(
                code: .methodNotAllowed,
                detail: "\(Problem.short(request.method)) is not taken here",
                allowedMethods: route.allow
            )
        }
        return method
    }

    static func notFound(_ request: HTTPServerRequest) -> Problem {
        Problem(
            code: .notFound,
            detail: "\(Problem.short(request.path)) is not an address here"
        )
    }

    static func requireGet(_ request: HTTPServerRequest) throws(Problem) {
        guard request.method == "GET" else {
            throw Problem(
                code: .methodNotAllowed,
                detail: "\(Problem.short(request.method)) is not taken here",
                allowedMethods: "GET, HEAD"
            )
        }
    }
}
