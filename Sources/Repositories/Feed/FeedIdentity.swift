import Concurrency
public import Domain

/// The facts a market feed has about its source, for the other feeds.
public final class FeedIdentity: Sendable {
    /// The known facts.
    struct State: Sendable, Equatable {
        /// The configured kind, or the kind that the source names.
        var kind: FeedKind
        /// Whether the source has answered: hoga's servers name themselves, the exchange does not.
        var isCertain = false
        /// Whether the listings were read once, with or without success.
        var isListingAttempted = false
    }

    let state: AsyncValue<State>

    /// Makes an identity of the expected kind.
    public init(expecting kind: FeedKind) { state = AsyncValue(State(kind: kind)) }

    /// The kind of feed, as far as known.
    public var kind: FeedKind { state.value.kind }

    /// Stores the kind that the source serves.
    func note(_ kind: FeedKind) {
        state.update { state in
            state.kind = kind
            state.isCertain = true
        }
    }

    /// Stores that the listings were read once.
    func noteListingAttempt() { state.update { $0.isListingAttempted = true } }
}
