import Domain
import HTTPServer
import UseCases
import ViewStates
import Synchronization

/// A user's stream, and what is to be told when its reader has gone.
struct UserStream: Sendable {
    /// The events.
    let subscription: StreamSubscription
    /// Gives the stream up; to be called once, instead of the subscription's own `cancel`.
    let end: @Sendable () -> Void
}

/// The streams that tokens have opened: those of a token that opens nothing any more end.
///
/// As many as there are connections that stream.
final class OpenUserStreams: Sendable {
    private struct State {
        var streams: [UInt64: (token: TokenHash, subscription: StreamSubscription)] = [:]
        var number: UInt64 = 0
    }

    private let state = Mutex(State())

    /// How many are open.
    var count: Int { state.withLock { $0.streams.count } }

    func add(_ token: TokenHash, _ subscription: StreamSubscription) -> UInt64 {
        state.withLock { state in
            state.number += 1
            state.streams[state.number] = (token, subscription)
            return state.number
        }
    }

    func remove(_ number: UInt64) { state.withLock { $0.streams[number] = nil } }

    /// Ends the streams of such tokens; each token is asked about once.
    func end(where isShut: (TokenHash) -> Bool) {
        let streams = state.withLock { Array($0.streams.values) }
        var known: [TokenHash: Bool] = [:]
        for (token, subscription) in streams {
            let isOver = known[token] ?? isShut(token)
            known[token] = isOver
            if isOver { subscription.leave() }
        }
    }
}

extension UserService {
    /// Begins a user's stream.
    ///
    /// The user's seat and the token are looked after for as long as it lasts: a token that is
    /// revoked ends it within a second.
    ///
    /// - Parameters:
    ///   - query: what it is to tell.
    ///   - call: a reading of the address of streams.
    ///   - grant: what the token opened a moment ago.
    ///   - token: the token.
    ///   - reply: is called once, at once or later, on any thread.
    func stream(
        _ query: UserStreamQuery,
        _ call: RoutedRequest,
        _ grant: TokenGrant,
        _ token: AccessToken,
        reply: @escaping @Sendable (Result<UserStream, Problem>) -> Void
    ) {
        let lastEventID = call.request.header("last-event-id")
        let hash = hash(token)
        switch query {
        case .publicTabs(let query):
            reply(
                begin(hash, whenOver: {}) { () throws(StreamRejection) in
                    try streams.subscribe(to: query, resumingAfter: lastEventID)
                }
            )
        case .own(let query):
            put(refuse: { reply(.failure($0)) }) { [self] in
                do throws(StoreFailure) {
                    reply(try await begin(query, of: grant.user, hash, lastEventID))
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
        _ lastEventID: String?
    ) async throws(StoreFailure) -> Result<UserStream, Problem> {
        // From here on the seat stays this one.
        try users.hold(user)
        let users = users
        let seat: UserStateEntry<UserDocuments>
        do throws(StoreFailure) {
            seat = try await users.seat(of: user)
        } catch {
            users.release(user)
            throw error
        }
        return begin(token, whenOver: { users.release(user) }) { () throws(StreamRejection) in
            try streams.subscribe(
                to: UserStreamSource(
                    user: user,
                    query: query,
                    producers: seat.companion.producers,
                    keepLoaded: {}
                ),
                resumingAfter: lastEventID
            )
        }
    }

    /// Subscribes, and sees to it that the stream ends with its token; `whenOver` is called once,
    /// when it is over or was refused.
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
    /// Why a stream did not begin.
    fileprivate init(_ refusal: StreamRejection) {
        switch refusal {
        case .tooManyTopics, .tooManyInterests:
            self.init(
                code: .rateLimited,
                detail: "as many different documents are streamed as may be;"
                    + " those that nobody reads are given up within a minute"
            )
        case .notStreamed:
            self = .invalidParameter(
                "documents",
                "the document is none that is streamed",
                allowed: UserStreamQuery.documents
            )
        case .stopping: self = .storeAway
        }
    }
}
