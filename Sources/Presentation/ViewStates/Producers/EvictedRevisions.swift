/// What is left of documents that a shelf has forgotten: enough to know them again, so that their
/// revision does not change when their content has not.
///
/// Bound: ``documentsMax`` documents, some hundred bytes each, whatever they were asked with; when
/// half of them are newer than the rest, the rest is given up.
struct EvictedRevisions<Query: Hashable>: Sendable {
    /// How many documents are known again, at the most.
    static var documentsMax: Int { 4_096 }

    /// What is left of a document.
    private struct Trace: Sendable {
        let envelope: DocumentEnvelope
        let digest: Int
    }

    /// By the hashes of their queries, which may be long: of two with one hash the newer is kept,
    /// and the content tells them apart.
    private var newer: [Int: Trace] = [:]
    private var older: [Int: Trace] = [:]

    /// Keeps what is needed to know a document again.
    mutating func put(_ query: Query, _ envelope: DocumentEnvelope, _ bytes: [UInt8]) {
        if newer.count >= Self.documentsMax / 2 {
            older = newer
            newer = [:]
        }
        newer[query.hashValue] = Trace(envelope: envelope, digest: Self.digest(bytes))
    }

    /// Takes what is left of the last document of a query, if that was the one that is made now.
    ///
    /// - Parameters:
    ///   - query: whose document it is.
    ///   - source: where its data come from.
    ///   - encode: the document as JSON with an envelope.
    /// - Returns: the envelope of then and the JSON with it; nil if it is another document, or not
    ///   known any more.
    mutating func take(
        _ query: Query,
        _ source: SourceViewState,
        encode: (DocumentEnvelope) -> [UInt8]
    ) -> (envelope: DocumentEnvelope, bytes: [UInt8])? {
        let key = query.hashValue
        let old = older.removeValue(forKey: key)
        guard let trace = newer.removeValue(forKey: key) ?? old,
            trace.envelope.source == source
        else { return nil }
        let bytes = encode(trace.envelope)
        return Self.digest(bytes) == trace.digest ? (trace.envelope, bytes) : nil
    }

    /// Of the whole document: 64 bits, keyed anew in each process, so that nobody can look for two
    /// documents with the same.
    private static func digest(_ bytes: [UInt8]) -> Int { bytes.hashValue }
}
