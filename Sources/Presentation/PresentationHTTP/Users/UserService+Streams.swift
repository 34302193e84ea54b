import Domain
import HTTPServer
import ViewStates
import Synchronization
import UseCases

/// The stream of a user.
struct UserStream: Sendable {
    /// The events.
    let subscription: StreamSubscription
    /// Ends the stream; called once, in place of the subscription's `cancel`.
    let end: @Sendable () -> Void
}

/// The open streams by token.
///
/// Streams of an invalid token end.
///
/// At most one for each streaming connection.
final class OpenUserStreams: Sendable {
    private struct State {
        var streams: [UInt64: (token: TokenHash, subscription: StreamSubscription)] = [:]
        var number: UInt64 = 0
    }

    private let state = Mutex(State())

    /// The number of open streams.
    var count: Int { state.withLock { $0.streams.count } }

    func add(_ token: TokenHash, _ subscription: StreamSubscription) -> UInt64 {
        state.withLock { state in
            state.number += 1
            state.streams[state.number] = (token, subscription)
            return state.number
        }
    }

    func remove(_ number: UInt64) { state.withLock { $0.streams[number] = nil } }

    /// Ends the streams of invalid tokens.
    ///
    /// Each token is checked once.
    func end(where isInvalid: (TokenHash) -> Bool) {
        let streams = state.withLock { Array($0.streams.values) }
        var known: [TokenHash: Bool] = [:]
        for (token, subscription) in streams {
            let isOver = known[token] ?? isInvalid(token)
            known[token] = isOver
            if isOver { subscription.leave() }
        }
    }
}

extension UserService {
    /// Opens a stream.
    ///
    /// The user stays pinned and the token watched while it is open. A revoked token ends it within
    /// a second.
    ///
    /// - Parameters:
    ///   - query: the documents to stream.
    ///   - call: the request.
    ///   - grant: the grant of the token.
    ///   - token: the token.
    ///   - reader: the reader.
    ///   - reply: is called once, on any thread.
    func stream(
        _ query: UserStreamQuery,
        _ call: RoutedRequest,
        _ grant: TokenGrant,
        _ token: AccessToken,
        for reader: StreamReader,
        reply: @escaping @Sendable (Result<UserStream, Problem>) -> Void
    ) {
        let lastEventID = call.request.header("last-event-id")
        let hash = hash(token)
        switch query {
        case .publicTabs(let query):
            reply(
                begin(hash, whenOver: {}) { () throws(StreamRejection) in
                    try streams.subscribe(to: query, for: reader, resumingAfter: lastEventID)
                }
            )
        case .own(let query):
            put(refuse: { reply(.failure($0)) }) { [self] in
                do throws(StoreFailure) {
                    reply(try await begin(query, of: grant.user, hash, reader, lastEventID))
                } catch {
                    reply(.failure(Problem(error)))
                }
            }
        }
    }

    private func begin(
        _ query: UserDocumentQuery,
        of user: UserID,
        _ token: TokenHash,
        _ reader: StreamReader,
        _ lastEventID: String?
    ) async throws(StoreFailure) -> Result<UserStream, Problem> {
        // A pinned user is not evicted: the stream and the cache share one state.
        try users.pin(user)
        newsLatency.watch(user)
        let (users, newsLatency) = (users, newsLatency)
        let unpin = { @Sendable in
            newsLatency.unwatch(user)
            users.unpin(user)
        }
        let state: UserStatePublisher
        do throws(StoreFailure) {
            state = try await users.state(of: user)
        } catch {
            unpin()
            throw error
        }
        return begin(token, whenOver: unpin) { () throws(StreamRejection) in
            try streams.subscribe(
                to: UserStreamSource(
                    user: user,
                    query: query,
                    producers: documents(of: state).producers,
                    keepLoaded: {}
                ),
                for: reader,
                resumingAfter: lastEventID
            )
        }
    }

    /// Subscribes and watches the token.
    ///
    /// Calls `whenOver` once, when the stream ends or is refused.
    private func begin(
        _ token: TokenHash,
        whenOver: @escaping @Sendable () -> Void,
        _ subscribe: () throws(StreamRejection) -> StreamSubscription
    ) -> Result<UserStream, Problem> {
        let (tokens, openStreams) = (tokens, openStreams)
        do throws(StreamRejection) {
            let subscription = try subscribe()
            tokens.watch(token)
            let number = openStreams.add(token, subscription)
            return .success(
                UserStream(subscription: subscription) {
                    subscription.cancel()
                    openStreams.remove(number)
                    tokens.unwatch(token)
                    whenOver()
                }
            )
        } catch {
            whenOver()
            return .failure(Problem(error))
        }
    }
}

extension Problem {
    /// The answer to a refused stream.
    fileprivate init(_ refusal: StreamRejection) {
        switch refusal {
        case .tooManyTopics, .tooManyBytes, .tooManyInterests:
            self.init(
                code: .rateLimited,
                detail: "the limit of streamed documents is reached. Try again in a minute"
            )
        case .notStreamed:
            self = .invalidParameter(
                "documents",
                "is not streamed",
                allowed: UserStreamQuery.documents
            )
        case .stopping: self = .storeAway
        }
    }
}
