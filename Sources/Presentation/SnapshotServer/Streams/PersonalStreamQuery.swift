public import Domain
public import Presentation

/// What a user follows of that user's own documents.
public struct PersonalStreamQuery: Sendable {
    /// Whose documents they are.
    public let user: UserID
    /// Which document: `market-list`, `portfolio`, or a snapshot of several.
    public let query: PersonalQuery
    /// Makes the user's documents; other makers are another stream.
    public let cutters: PersonalCutters
    /// Called each second while somebody reads, so that what is kept for the user stays read.
    public let keepReading: @Sendable () -> Void

    /// Makes a query.
    public init(
        user: UserID,
        query: PersonalQuery,
        cutters: PersonalCutters,
        keepReading: @escaping @Sendable () -> Void
    ) {
        self.user = user
        self.query = query
        self.cutters = cutters
        self.keepReading = keepReading
    }
}
