public import Domain
public import ViewStates

/// A user's document to stream.
public struct UserStreamSource: Sendable {
    /// The user.
    public let user: UserID
    /// `market-list`, `portfolio`, `alerts`, or a snapshot of several documents.
    public let query: UserDocumentQuery
    /// The user's producers; other producers make another topic.
    public let producers: UserDocumentProducers
    /// Called each second while the stream has readers, so that the user's state stays loaded.
    public let keepLoaded: @Sendable () -> Void

    /// Makes a source.
    public init(
        user: UserID,
        query: UserDocumentQuery,
        producers: UserDocumentProducers,
        keepLoaded: @escaping @Sendable () -> Void
    ) {
        self.user = user
        self.query = query
        self.producers = producers
        self.keepLoaded = keepLoaded
    }
}
