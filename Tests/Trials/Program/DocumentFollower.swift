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
    private var readings = 0

    /// A wrong patch stays in the document, so that not each reading is compared.
    private static let readingsPerComparison = 4

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
            case .nothing:
                readings += 1
                guard readings % Self.readingsPerComparison == 0 else { return }
                return compare(with: instance, into: &report)
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
        var event: [String: ArraySlice<UInt8>] = [:]
        // An empty line ends an event.
        for line in bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
            if line.isEmpty {
                apply(event, into: &report)
                event = [:]
            } else if let colon = line.firstIndex(of: UInt8(ascii: ":")) {
                let name = String(decoding: line[..<colon], as: UTF8.self)
                event[name] = line[colon...].dropFirst(2)
            }
        }
    }

    private mutating func apply(
        _ event: [String: ArraySlice<UInt8>],
        into report: inout ProgramReport
    ) {
        guard let name = event["event"], let id = event["id"], let data = event["data"] else {
            return
        }
        let kind = String(decoding: name, as: UTF8.self)
        let revision = String(decoding: id, as: UTF8.self)
        lastID = revision
        report.check("event \(kind)")
        guard kind != "bookmark" else { return }
        do {
            let value = try OrderedJSON(data)
            if kind == "patch" {
                try document?.apply(value, revision: revision)
            } else {
                document = value
            }
        } catch {
            report.fail("the event \(kind) of \(query) cannot be applied: \(error)")
        }
    }
}
