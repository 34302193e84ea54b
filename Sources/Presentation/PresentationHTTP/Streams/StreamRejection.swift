/// Why a stream did not begin.
public enum StreamRejection: Error, Sendable, Equatable {
    /// As many different documents are streamed as may be; those that nobody reads are given up
    /// within a minute.
    case tooManyTopics
    /// As many different markets and intervals are followed as may be.
    case tooManyInterests
    /// The document is only kept, and tells nothing that changes by itself.
    case notStreamed
    /// The process is about to end.
    case leaving
}
