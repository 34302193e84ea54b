public import Domain
public import ViewStates

/// What a user follows of that user's own documents.
public struct UserStreamSource: Sendable {
    /// Whose documents they are.
    public let user: UserID
    /// Which document: `market-list`, `portfolio`, or a snapshot of several.
    public let query: UserDocumentQuery
    /// Makes the user's documents; other makers are another stream.
    public let cutters: UserDocumentProducers
    /// Called each second while somebody reads, so that what is kept for the user stays read.
    public let keepLoaded: @Sendable () -> Void

    /// Makes a query.
    public init(
        user: UserID,
        query: UserDocumentQuery,
        cutters: UserDocumentProducers,
        keepLoaded: @escaping @Sendable () -> Void
    ) {
        self.user = user
        self.query = query
        self.cutters = cutters
        self.keepLoaded = keepLoaded
    }
}
