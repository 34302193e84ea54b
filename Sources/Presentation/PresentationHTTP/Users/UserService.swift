public import Domain
public import UseCases
public import ViewStates

/// The room of what is kept for users: `/v1/me` and what is below it, for any number of them.
///
/// What is known answers at once; what waits for the store does so as a job, with no thread. A
/// user's documents are made of that user's seat alone, which is found by the number that the
/// store gave for the token, and by nothing that a request says.
public final class UserService: Sendable {
    /// What the service works with.
    public struct Parts: Sendable {
        /// Knows whose tokens are.
        public var tokens: any TokenRepository
        /// Keeps what is personal.
        public var personal: any UserRepository
        /// Hears what others change.
        public var news: any ChangeNotificationRepository
        /// Hashes a token's text with SHA-256.
        public var hash: @Sendable (AccessToken) -> TokenHash
        /// The rows of everybody's lists, which the lists of users share.
        public var rows: SharedMarketRows
        /// Streams documents; is told when what is kept for a user has changed.
        public var streams: DocumentStreams
        /// Who looks at deposits and withdrawals: whoever asks for a portfolio.
        public var assetInterests: AssetInterests
        /// The first part of the revisions of market documents, new at each start.
        public var epoch: String
        /// Is told why the store failed somebody who asked; it must return at once.
        public var onStoreFailure: @Sendable (StoreFailure) -> Void
        /// The local wall clock.
        public var now: @Sendable () -> Timestamp

        /// Gathers parts.
        public init(
            tokens: any TokenRepository,
            personal: any UserRepository,
            news: any ChangeNotificationRepository,
            hash: @escaping @Sendable (AccessToken) -> TokenHash,
            rows: SharedMarketRows,
            streams: DocumentStreams,
            assetInterests: AssetInterests,
            epoch: String,
            onStoreFailure: @escaping @Sendable (StoreFailure) -> Void,
            now: @escaping @Sendable () -> Timestamp
        ) {
            self.tokens = tokens
            self.personal = personal
            self.news = news
            self.hash = hash
            self.rows = rows
            self.streams = streams
            self.assetInterests = assetInterests
            self.epoch = epoch
            self.onStoreFailure = onStoreFailure
            self.now = now
        }
    }

    let tokens: TokenVerifier
    let users: UserStateService<UserDocuments>
    let hash: @Sendable (AccessToken) -> TokenHash
    let streams: DocumentStreams
    let rows: SharedMarketRows
    let openStreams = OpenUserStreams()
    private let assetInterests: AssetInterests
    private let onStoreFailure: @Sendable (StoreFailure) -> Void
    private let now: @Sendable () -> Timestamp
    private let pause: @Sendable () async throws -> Void
    private let jobs = UserRequestTasks()

    /// Makes the service; it waits for the store once ``run()`` runs.
    ///
    /// - Parameters:
    ///   - parts: what it works with.
    ///   - clock: measures how old answers of the store are.
    public init<C: Clock>(_ parts: Parts, clock: C) where C.Duration == Duration {
        tokens = TokenVerifier(repository: parts.tokens, clock: clock, now: parts.now)
        users = UserStateService(repository: parts.personal, news: parts.news, clock: clock) {
            latest in
            latest.onChange { [streams = parts.streams] in streams.scheduleUpdate() }
            return UserDocuments(
                latest,
                producers: UserDocumentProducers(
                    personal: latest,
                    rows: parts.rows,
                    scopes: [],
                    epoch: parts.epoch
                )
            )
        }
        streams = parts.streams
        rows = parts.rows
        hash = parts.hash
        pause = { try await clock.sleep(for: TokenVerifier.lookInterval) }
        assetInterests = parts.assetInterests
        onStoreFailure = parts.onStoreFailure
        now = parts.now
    }

    /// Talks to the store until the task is cancelled; to be called once.
    ///
    /// Requests that wait then are answered with 503.
    public func run() async {
        await withTaskGroup { group in
            group.addTask { await self.tokens.run() }
            group.addTask { await self.users.run() }
            group.addTask { await self.jobs.run() }
            group.addTask { await self.endShutStreams() }
            await group.waitForAll()
        }
    }

    /// Ends the streams of tokens that open nothing any more.
    private func endShutStreams() async {
        while !Task.isCancelled {
            try? await pause()
            openStreams.end { !tokens.isOpen($0) }
        }
    }
}

extension UserService: UserAPI {
    /// Looks a token up; at once where it was shown within the last second.
    func grant(
        of token: AccessToken,
        reply: @escaping @Sendable (Result<TokenGrant, Problem>) -> Void
    ) {
        let hash = hash(token)
        if let known = tokens.known(hash) { return reply(known.mapError { Problem($0) }) }
        put(refuse: { reply(.failure($0)) }) { [self] in
            do throws(StoreFailure) {
                reply(.success(try await tokens.grant(of: hash)))
            } catch {
                tell(error)
                reply(.failure(Problem(error)))
            }
        }
    }

    /// Answers a request on a personal address.
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
                if let seat = users.current(user) {
                    return reply(Self.document(query, seat, grant))
                }
                wait(for: call, grant, reply) { service throws(StoreFailure) in
                    Self.document(query, try await service.users.seat(of: user), grant)
                }
            case .change(let change):
                wait(for: call, grant, reply) { service throws(StoreFailure) in
                    try await service.make(change, grant, call.permit)
                }
            }
        } catch {
            reply(.problem(error))
        }
    }

    private static func document(
        _ query: UserDocumentQuery,
        _ seat: UserStateEntry<UserDocuments>,
        _ grant: TokenGrant
    ) -> RouteResponse {
        .document(seat.companion.document(query, scopes: grant.scope.scopes))
    }

    /// Does something that waits for the store.
    private func wait(
        for call: RoutedRequest,
        _ grant: TokenGrant,
        _ reply: @escaping @Sendable (RouteResponse) -> Void,
        _ body: @escaping @Sendable (UserService) async throws(StoreFailure) -> RouteResponse
    ) {
        put(refuse: { reply(.problem($0)) }) { [self] in
            do throws(StoreFailure) {
                reply(try await body(self))
            } catch {
                let failure = await reason(error, call)
                tell(failure)
                reply(.problem(Problem(failure, about: UserRequest.subject(call))))
            }
        }
    }

    /// Why a call failed, after another look at the token.
    ///
    /// A store without the user says that it has none, which is no failure of the store: whoever
    /// was removed since the token was looked up is told that it opens nothing.
    private func reason(_ failure: StoreFailure, _ call: RoutedRequest) async -> StoreFailure {
        guard failure.code == .unavailable, let token = call.token else { return failure }
        let hash = hash(token)
        tokens.doubt(hash)
        do throws(StoreFailure) {
            _ = try await tokens.grant(of: hash)
            return failure
        } catch {
            return error.code == .unauthorized ? error : failure
        }
    }

    /// Tells of what is wrong with the store, and not with a token or a change.
    private func tell(_ failure: StoreFailure) {
        if failure.isStoreFault, failure.code != .unauthorized { onStoreFailure(failure) }
    }

    func put(
        refuse: @escaping @Sendable (Problem) -> Void,
        _ perform: @escaping @Sendable () async -> Void
    ) {
        let job = UserRequestTasks.Job(perform: perform, refuse: { refuse(.storeAway) })
        if !jobs.put(job) { refuse(.tooManyWaiting) }
    }
}
