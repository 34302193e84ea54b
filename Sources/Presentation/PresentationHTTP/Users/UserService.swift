public import Domain
public import ViewStates
public import UseCases

/// The routes of users: `/v1/me` and below.
///
/// Cached states answer at once. A request that waits for the store is a task without a thread. The
/// user of a request is the owner of its token, and nothing else in the request names one.
public final class UserService: Sendable {
    /// The dependencies of the service.
    public struct Parts: Sendable {
        /// Looks tokens up.
        public var tokens: any TokenRepository
        /// Lists, makes and revokes the tokens of the owner of one.
        public var ownTokens: any OwnTokenRepository
        /// Reads and changes webhooks; nil for a service without them.
        public var webhooks: WebhookAccess?
        /// Reads and changes records.
        public var users: any UserRepository
        /// Tells which users another process changed; nil if change counts are polled.
        public var notifications: (any ChangeNotificationRepository)?
        /// Whether the store refuses all changes.
        public var isReadOnly: Bool
        /// Hashes a token's text with SHA-256.
        public var hash: @Sendable (AccessToken) -> TokenHash
        /// Makes a token of random bytes at each call.
        public var makeToken: @Sendable () -> AccessToken
        /// The rows of public lists, which the lists of users share.
        public var rows: SharedMarketRows
        /// Streams documents; notified when a user's state changes.
        public var streams: DocumentStreams
        /// The interests in deposit and withdrawal states.
        ///
        /// A portfolio needs them.
        public var assetInterests: AssetInterests
        /// The first part of the revisions of market documents; new at each start.
        public var epoch: String
        /// The budget of users in memory, in estimated bytes.
        public var userBytesMax: Int
        /// Is called with each failure of the store; it must return at once.
        public var onStoreFailure: @Sendable (StoreFailure) -> Void
        /// Is called with the result of each change that the store had to write: nil, or the
        /// store's failure; it must return at once.
        public var onChange: @Sendable (StoreFailure?) -> Void
        /// Is called with each user of whom the store has lost changes; it must return at once.
        public var onLoss: @Sendable (UserID) -> Void
        /// The local wall clock.
        public var now: @Sendable () -> Timestamp

        /// Makes the dependencies.
        public init(
            tokens: any TokenRepository,
            ownTokens: any OwnTokenRepository,
            webhooks: WebhookAccess? = nil,
            users: any UserRepository,
            notifications: (any ChangeNotificationRepository)?,
            isReadOnly: Bool = false,
            hash: @escaping @Sendable (AccessToken) -> TokenHash,
            makeToken: @escaping @Sendable () -> AccessToken,
            rows: SharedMarketRows,
            streams: DocumentStreams,
            assetInterests: AssetInterests,
            epoch: String,
            userBytesMax: Int,
            onStoreFailure: @escaping @Sendable (StoreFailure) -> Void,
            onChange: @escaping @Sendable (StoreFailure?) -> Void = { _ in },
            onLoss: @escaping @Sendable (UserID) -> Void = { _ in },
            now: @escaping @Sendable () -> Timestamp
        ) {
            self.tokens = tokens
            self.ownTokens = ownTokens
            self.webhooks = webhooks
            self.users = users
            self.notifications = notifications
            self.isReadOnly = isReadOnly
            self.hash = hash
            self.makeToken = makeToken
            self.rows = rows
            self.streams = streams
            self.assetInterests = assetInterests
            self.epoch = epoch
            self.userBytesMax = userBytesMax
            self.onStoreFailure = onStoreFailure
            self.onChange = onChange
            self.onLoss = onLoss
            self.now = now
        }
    }

    let tokens: TokenVerifier
    let ownTokens: any OwnTokenRepository
    let webhooks: WebhookAccess?
    let users: UserStateService
    /// Has the whole log of alerts, of which records have the newest part.
    let records: any UserRepository
    let isReadOnly: Bool
    let hash: @Sendable (AccessToken) -> TokenHash
    let makeToken: @Sendable () -> AccessToken
    let now: @Sendable () -> Timestamp
    let streams: DocumentStreams
    let rows: SharedMarketRows
    let openStreams = OpenUserStreams()
    let newsLatency: NewsLatency
    private let assetInterests: AssetInterests
    private let onStoreFailure: @Sendable (StoreFailure) -> Void
    let onChange: @Sendable (StoreFailure?) -> Void
    private let clock: any Clock<Duration>
    private let makeDocuments: @Sendable (UserStatePublisher) -> UserDocuments
    private let cachedDocuments: CachedUserDocuments
    private let jobs = UserRequestTasks()
    private let hasNews: Bool

    /// Makes the service.
    ///
    /// Requests that need the store wait until ``run()`` runs.
    ///
    /// - Parameters:
    ///   - parts: the repositories and outlets.
    ///   - clock: measures the age of cached answers.
    public init(_ parts: Parts, clock: any Clock<Duration>) {
        let tokens = TokenVerifier(repository: parts.tokens, clock: clock, now: parts.now)
        self.tokens = tokens
        ownTokens = parts.ownTokens
        webhooks = parts.webhooks
        records = parts.users
        let latency = NewsLatency(clock: clock)
        newsLatency = latency
        let documents = CachedUserDocuments()
        cachedDocuments = documents
        users = UserStateService(
            repository: parts.users,
            notifications: parts.notifications.map {
                VerifiedNotifications(
                    verifier: tokens,
                    notifications: MeasuredNotifications(latency: latency, notifications: $0)
                )
            },
            polls: parts.notifications == nil,
            outlet: .requests,
            bytesMax: parts.userBytesMax,
            clock: clock,
            onChange: { [streams = parts.streams] user in
                streams.scheduleUpdate()
                latency.published(user)
            },
            onEviction: { documents.evict($0) },
            onLoss: parts.onLoss
        )
        makeDocuments = { state in
            UserDocuments(
                state,
                producers: UserDocumentProducers(
                    personal: state,
                    rows: parts.rows,
                    scopes: [],
                    epoch: parts.epoch
                )
            )
        }
        hasNews = parts.notifications != nil
        streams = parts.streams
        rows = parts.rows
        isReadOnly = parts.isReadOnly
        hash = parts.hash
        makeToken = parts.makeToken
        self.clock = clock
        assetInterests = parts.assetInterests
        onStoreFailure = parts.onStoreFailure
        onChange = parts.onChange
        now = parts.now
    }

    /// Reads the records of these users again soon, because their alerts fired; returns at once.
    public func reload(_ users: [UserID]) {
        for user in users { self.users.invalidate(user) }
    }

    /// The users in memory.
    public var size: UserStateSize { users.size }
    /// How late changes by other processes reach open streams; nil if change counts are polled.
    public var newsLatencies: LatencyHistogram? { hasNews ? newsLatency.histogram : nil }

    /// Serves requests until the task is cancelled.
    ///
    /// Called once.
    ///
    /// Requests that wait then are answered with 503.
    public func run() async {
        await withTaskGroup { group in
            group.addTask { await self.tokens.run() }
            group.addTask { await self.users.run() }
            group.addTask { await self.jobs.run() }
            group.addTask { await self.endInvalidStreams() }
            await group.waitForAll()
        }
    }

    /// Ends the streams of invalid tokens.
    private func endInvalidStreams() async {
        while !Task.isCancelled {
            try? await clock.sleep(for: TokenVerifier.refreshInterval)
            openStreams.end { !tokens.isValid($0) }
        }
    }
}

extension UserService: UserAPI {
    /// Looks a token up; at once if the cache knows it.
    func grant(
        of token: AccessToken,
        admit: () throws(Problem) -> Void,
        reply: @escaping @Sendable (Result<TokenGrant, Problem>) -> Void
    ) {
        let hash = hash(token)
        do throws(Problem) {
            if tokens.isUnknown(hash) { try admit() }
        } catch {
            return reply(.failure(error))
        }
        if let known = tokens.known(hash) { return reply(known.mapError { Problem($0) }) }
        put(refuse: { reply(.failure($0)) }) { [self] in
            do throws(StoreFailure) {
                reply(.success(try await tokens.grant(of: hash)))
            } catch {
                report(error)
                reply(.failure(Problem(error)))
            }
        }
    }

    /// Answers a request on a route of users.
    func answer(
        _ call: RoutedRequest,
        _ grant: TokenGrant,
        reply: @escaping @Sendable (RouteResponse) -> Void
    ) {
        let user = grant.user
        do throws(Problem) {
            switch try UserRequest(call, user: user) {
            case .look(let query):
                if query.includesTransfers { assetInterests.touch(now: now()) }
                if let state = users.current(user) {
                    return reply(document(query, state, grant))
                }
                wait(for: call, grant, reply) { service throws(StoreFailure) in
                    service.document(query, try await service.users.state(of: user), grant)
                }
            case .change(let change):
                wait(for: call, grant, reply, onFault: onChange) { service throws(StoreFailure) in
                    try await service.make(change, grant, call.permit)
                }
            case .alerts(let request):
                wait(for: call, grant, reply, onFault: onFault(of: call)) {
                    service throws(StoreFailure) in
                    try await service.answer(request, call, grant)
                }
            case .webhook(let request):
                wait(for: call, grant, reply, onFault: onFault(of: call)) {
                    service throws(StoreFailure) in
                    try await service.answer(request, call, grant)
                }
            case .tokens(let request):
                wait(for: call, grant, reply) { service throws(StoreFailure) in
                    try await service.answer(request, call, grant)
                }
            }
        } catch {
            reply(.problem(error))
        }
    }

    /// Reports failures of the store that a change meets.
    private func onFault(of call: RoutedRequest) -> @Sendable (StoreFailure) -> Void {
        call.method == .get ? { _ in } : onChange
    }

    private func document(
        _ query: UserDocumentQuery,
        _ state: UserStatePublisher,
        _ grant: TokenGrant
    ) -> RouteResponse {
        let documents = documents(of: state)
        var document: CacheableDocument
        if case .marketList(let list) = query, let revision = list.revision {
            guard let page = documents.producers.marketList.page(list) else {
                return .problem(.revisionExpired(revision))
            }
            document = CacheableDocument(document: page, scope: .user)
        } else {
            document = documents.document(query, scopes: grant.scope.scopes, at: exchangeTime)
        }
        document.age = users.age(of: grant.user)
        return .document(document)
    }

    func documents(of state: UserStatePublisher) -> UserDocuments {
        cachedDocuments.documents(of: state, makeDocuments)
    }

    /// Runs a task that waits for the store.
    ///
    /// `onFault` receives the failure of the store.
    private func wait(
        for call: RoutedRequest,
        _ grant: TokenGrant,
        _ reply: @escaping @Sendable (RouteResponse) -> Void,
        onFault: @escaping @Sendable (StoreFailure) -> Void = { _ in },
        _ body: @escaping @Sendable (UserService) async throws(StoreFailure) -> RouteResponse
    ) {
        put(refuse: { reply(.problem($0)) }) { [self] in
            do throws(StoreFailure) {
                reply(try await body(self))
            } catch {
                let failure = await reason(error, call)
                if report(failure) { onFault(failure) }
                reply(.problem(Problem(failure, about: UserRequest.subject(call))))
            }
        }
    }

    /// The reason for a failed call.
    ///
    /// A store reports a removed user as `unavailable`. The token is verified again then, so that
    /// the answer is `unauthorized`.
    private func reason(_ failure: StoreFailure, _ call: RoutedRequest) async -> StoreFailure {
        guard failure.code == .unavailable, let token = call.token else { return failure }
        let hash = hash(token)
        tokens.invalidate(hash)
        do throws(StoreFailure) {
            _ = try await tokens.grant(of: hash)
            return failure
        } catch {
            return error.code == .unauthorized ? error : failure
        }
    }

    /// Reports a failure of the store, but not of a token, a change or the process's memory.
    ///
    /// - Returns: whether the store failed.
    @discardableResult
    private func report(_ failure: StoreFailure) -> Bool {
        guard failure.isStoreFault, failure.code != .unauthorized, failure != .tooManyUsers
        else { return false }
        onStoreFailure(failure)
        return true
    }

    func put(
        refuse: @escaping @Sendable (Problem) -> Void,
        _ perform: @escaping @Sendable () async -> Void
    ) {
        let job = UserRequestTasks.Job(perform: perform, refuse: { refuse(.storeAway) })
        if !jobs.put(job) { refuse(.tooManyWaiting) }
    }
}
