import Domain
import Synchronization

/// All rows of a list from one snapshot.
struct ListCut: Sendable {
    /// In the list's order; nil for a market that the snapshot lacks.
    let rows: [ListedRow?]
    /// The states of the rows' changes.
    let changes: ChangeStates
    let isFeedComplete: Bool
}

/// One revision of a list, of which pages are read.
struct ListRevision: Sendable {
    let envelope: DocumentEnvelope
    /// The page that has this revision, without its rows.
    let head: MarketListViewState
    let cut: ListCut

    /// The page of a query, which differs from that of the head in its limits only.
    func page(_ query: MarketListQuery) -> DocumentVersion {
        var head = head
        (head.query.offset, head.query.limit) = (query.offset, query.limit)
        // User data that are not loaded say so in place of what is known.
        if head.health.known != nil {
            let counted = query.rangeWithChange(of: cut.rows.count)
            let changes = cut.changes.coverage(of: counted)
            head.health.add(changes, isFeedComplete: cut.isFeedComplete)
        }
        var parts = PartWriter(after: nil)
        let rows = cut.rows[query.shownRange(of: cut.rows.count)].compactMap(\.self)
        MarketListContent.write(head, rows, to: &parts, after: nil)
        return MarketListContent.version(envelope, parts.document)
    }
}

/// The revisions of one list, each for a minute after it was the newest.
///
/// Rows that several revisions show are kept and counted once. When full, the revisions that were
/// the newest longest ago are dropped.
final class ListRevisions: Sendable {
    /// How long pages of a revision can be read after it was the newest.
    static let lifetime: Duration = .seconds(60)

    fileprivate struct Entry {
        let revision: ListRevision
        /// The time of the last snapshot in which it was the newest.
        var newestAt: Timestamp
    }

    fileprivate struct State {
        /// By the counters of the revisions.
        var entries: [UInt64: Entry] = [:]
        /// How many revisions show a row.
        var uses: [ObjectIdentifier: Int] = [:]
        var byteCount = 0
        /// The size that ``takeNewSize()`` returned last.
        var takenSize = 0
    }

    private let bytesMax: Int
    private let state = Mutex(State())

    /// Makes an empty collection.
    ///
    /// - Parameter bytesMax: the most bytes of its revisions, by estimate.
    init(bytesMax: Int) { self.bytesMax = bytesMax }

    /// Keeps a revision; one that is kept already stays as it is.
    func keep(_ revision: ListRevision, newestAt: Timestamp) {
        state.withLock { state in
            for (counter, entry) in state.entries where entry.isOver(at: newestAt) {
                state.remove(counter)
            }
            state.add(Entry(revision: revision, newestAt: newestAt))
            while state.byteCount > bytesMax, let oldest = state.oldest { state.remove(oldest) }
        }
    }

    /// Notes that a revision is the newest; false if it is not kept.
    func renew(_ revision: DocumentRevision, newestAt: Timestamp) -> Bool {
        state.withLock { state in
            guard state.entries[revision.counter] != nil else { return false }
            state.entries[revision.counter]?.newestAt = newestAt
            return true
        }
    }

    /// A revision of which pages can be read.
    func revision(_ revision: DocumentRevision, at now: Timestamp) -> ListRevision? {
        state.withLock { state in
            guard let entry = state.entries[revision.counter], !entry.isOver(at: now) else {
                return nil
            }
            return entry.revision
        }
    }
}

extension ListRevisions: CacheEntry {
    var isRecalled: Bool { false }

    func takeNewSize() -> Int? {
        state.withLock { state in
            guard state.byteCount != state.takenSize else { return nil }
            state.takenSize = state.byteCount
            return state.byteCount
        }
    }
}

extension ListRevisions.Entry {
    fileprivate func isOver(at now: Timestamp) -> Bool {
        now.isAtLeast(ListRevisions.lifetime, after: newestAt)
    }

    /// The bytes that no other revision shares, by estimate.
    fileprivate var ownByteCount: Int {
        revision.cut.rows.count * (MemoryLayout<ListedRow?>.stride + 1) + 2_048
    }
}

extension ListRevisions.State {
    /// An estimate of what a row takes beside its bytes: two objects, and its place in ``uses``.
    private static var rowOverhead: Int { 128 }

    fileprivate var oldest: UInt64? {
        entries.min { $0.value.newestAt < $1.value.newestAt }?.key
    }

    fileprivate mutating func add(_ entry: ListRevisions.Entry) {
        let counter = entry.revision.envelope.revision.counter
        guard entries[counter] == nil else { return }
        entries[counter] = entry
        byteCount += entry.ownByteCount
        for case let row? in entry.revision.cut.rows {
            let count = uses[ObjectIdentifier(row.fragment), default: 0]
            uses[ObjectIdentifier(row.fragment)] = count + 1
            if count == 0 { byteCount += row.fragment.bytes.count + Self.rowOverhead }
        }
    }

    fileprivate mutating func remove(_ counter: UInt64) {
        guard let entry = entries.removeValue(forKey: counter) else { return }
        byteCount -= entry.ownByteCount
        for case let row? in entry.revision.cut.rows {
            let count = uses[ObjectIdentifier(row.fragment), default: 0]
            uses[ObjectIdentifier(row.fragment)] = count > 1 ? count - 1 : nil
            if count == 1 { byteCount -= row.fragment.bytes.count + Self.rowOverhead }
        }
    }
}

/// A page of a revision as bytes.
final class ListPage: Sendable {
    let document: EncodedDocument
    private let byteCount: Int

    /// Makes a page.
    ///
    /// - Parameters:
    ///   - version: the page.
    ///   - key: the page's key in the cache, a part of its tag.
    init(_ version: DocumentVersion, _ key: DocumentCacheKey) {
        document = EncodedDocument(version.revision, key) { version.json }
        // The rows, their JSON and their gzip.
        byteCount = version.state.byteCount * 9 / 4 + 2_048
    }
}

extension ListPage: CacheEntry {
    var isRecalled: Bool { false }

    func takeNewSize() -> Int? { byteCount }
}
