/// A query whose document somebody follows: its revisions go on without a break until this is
/// given up, however many other queries are asked.
public final class PinnedDocument: Sendable {
    private let read: @Sendable () -> DocumentVersion
    private let letGo: @Sendable () -> Void

    init(
        read: @escaping @Sendable () -> DocumentVersion,
        letGo: @escaping @Sendable () -> Void
    ) {
        self.read = read
        self.letGo = letGo
    }

    deinit { letGo() }

    /// The document from the newest cut; the same as a GET has of that cut.
    public func version() -> DocumentVersion { read() }
}
