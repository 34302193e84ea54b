public import Domain

/// What a market feed has found out about its source so far, for the feeds beside it.
public final class FeedIdentity: Sendable {
    /// What is known.
    struct Knowledge: Sendable, Equatable {
        /// The kind that was asked for, or what the source says.
        var kind: FeedKind
        /// Whether the source has answered: a server of ours names itself, the exchange does not.
        var isCertain = false
        /// Whether the listings had their turn, whatever came of it.
        var isListingAttempted = false
    }

    let knowledge: Signal<Knowledge>

    /// Nothing is known but what to expect.
    public init(expecting kind: FeedKind) { knowledge = Signal(Knowledge(kind: kind)) }

    /// The kind of feed as far as is known.
    public var kind: FeedKind { knowledge.value.kind }

    /// Takes what the source serves.
    func note(_ kind: FeedKind) {
        knowledge.update { knowledge in
            knowledge.kind = kind
            knowledge.isCertain = true
        }
    }

    /// Notes that the listings had their turn.
    func noteListingAttempt() { knowledge.update { $0.isListingAttempted = true } }
}
