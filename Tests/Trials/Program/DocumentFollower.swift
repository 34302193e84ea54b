import PresentationHTTP
import TestSupport
import ViewStates

/// A reader of one document's stream, which rebuilds the document from patches.
struct DocumentFollower {
    /// The document.
    let query: DocumentQuery
    /// How many looks pass between two readings.
    let pause: Int

    private var subscription: StreamSubscription?
    private var document: OrderedJSON?
    private var lastID: String?

    init(_ query: DocumentQuery, pause: Int) {
        self.query = query
        self.pause = pause
    }

    /// Leaves the stream of an instance that ends, but keeps what was read.
    mutating func leave() {
        subscription?.cancel()
        subscription = nil
    }

    /// Reads what the stream has, and compares the document with the one that is read whole.
    mutating func look(
        at instance: TrialInstance,
        _ look: Int,
        into report: inout ProgramReport
    ) {
        guard look % pause == 0 else { return }
        guard let subscription = subscription ?? begin(at: instance) else { return }
        while true {
            switch subscription.next() {
            case .bytes(let bytes): read(bytes, into: &report)
            case .nothing: return compare(with: instance, into: &report)
            case .end: return leave()
            }
        }
    }

    private mutating func begin(at instance: TrialInstance) -> StreamSubscription? {
        subscription = try? instance.streams.subscribe(to: query, resumingAfter: lastID)
        return subscription
    }

    private mutating func compare(
        with instance: TrialInstance,
        into report: inout ProgramReport
    ) {
        let (bytes, revision) = instance.documents.bytes(query)
        guard revision == lastID, let document else { return }
        report.check("patched document equals the whole one")
        guard let whole = try? OrderedJSON(bytes), whole == document else {
            return report.fail("the patched document of \(query) is not the whole one")
        }
    }

    /// Applies the events of a chunk.
    private mutating func read(_ bytes: [UInt8], into report: inout ProgramReport) {
        let text = String(decoding: bytes, as: UTF8.self)
        for event in text.split(separator: "\n\n") {
            var fields: [Substring: Substring] = [:]
            for line in event.split(separator: "\n") {
                let parts = line.split(separator: ": ", maxSplits: 1)
                if parts.count == 2 { fields[parts[0]] = parts[1] }
            }
            guard let name = fields["event"], let id = fields["id"], let data = fields["data"]
            else { continue }
            lastID = String(id)
            report.check("event \(name)")
            guard name != "bookmark" else { continue }
            do {
                let value = try OrderedJSON(data.utf8)
                if name == "patch" {
                    try document?.apply(value, revision: String(id))
                } else {
                    document = value
                }
            } catch {
                report.fail("the event \(name) of \(query) cannot be applied: \(error)")
            }
        }
    }
}
