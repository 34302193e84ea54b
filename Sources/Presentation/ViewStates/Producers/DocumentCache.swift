import Domain
import Synchronization

/// The cache key of a document.
enum DocumentCacheKey: Sendable, Hashable {
    /// A public document.
    case shared(DocumentQuery)
    /// A user's document, by the number of its producer: two producers never share an entry.
    case user(producer: UInt64, UserDocumentQuery)
    /// The revisions of a list whose pages can be read; 0 is the producer of public lists.
    case revisions(producer: UInt64, MarketListQuery)
}

/// The documents of the process, by cache key, revision and coding: each is made once per revision
/// and encoded once per coding.
///
/// The cache keeps the last content of each key, so that a new revision is made exactly when the
/// content changes. A full cache evicts the least recently used contents and keeps their
/// revision and digest: a document that comes back unchanged keeps its revision. Pinned documents
/// are neither counted nor evicted; their readers bound them. Revisions of lists are evicted whole.
public final class DocumentCache: Sendable {
    /// The bounds of a cache.
    public struct Bounds: Sendable {
        /// Maximum keys, those with evicted contents included.
        public var keysMax = 4_096
        /// Maximum bytes of contents and encoded documents, by estimate.
        public var bytesMax: Int
        /// The revisions of each document that a stream can continue from.
        public var log = ChangeLog.Bounds()

        /// The bounds of a service.
        public init(bytesMax: Int = 64 << 20) { self.bytesMax = bytesMax }
    }

    fileprivate struct Slot {
        let entry: any CacheEntry
        /// When the slot was last used, in uses of the table.
        var usedAt: UInt64
        var byteCount = 0
        var pinCount = 0
        var isPinned: Bool { pinCount > 0 }
    }

    fileprivate struct Table {
        var slots: [DocumentCacheKey: Slot] = [:]
        /// Of all slots that are not pinned.
        var byteCount = 0
        var uses: UInt64 = 0
    }

    private let bounds: Bounds
    private let table = Mutex(Table())
    private let revisions = Atomic<UInt64>(0)
    private let producers = Atomic<UInt64>(0)

    /// Makes an empty cache.
    public init(bounds: Bounds = Bounds()) {
        self.bounds = bounds
    }

    /// The number of cached contents, without those of pinned documents.
    var count: Int { table.withLock { $0.slots.values.count { $0.byteCount > 0 && !$0.isPinned } } }

    /// The most bytes of contents.
    public var bytesMax: Int { bounds.bytesMax }

    /// The number of keys, and the estimated bytes of their contents.
    public var size: (keys: Int, bytes: Int) { table.withLock { ($0.slots.count, $0.byteCount) } }

    /// A new number for a producer of users' documents.
    func nextProducer() -> UInt64 { producers.add(1, ordering: .relaxed).newValue }

    /// The encoded document of a key, if it was compared with this snapshot or a newer one.
    func encoded(
        _ key: DocumentCacheKey,
        notBefore sequence: UInt64
    ) -> (document: EncodedDocument, sequence: UInt64)? {
        let entry: (any CacheEntry)? = table.withLock { $0.use(key) }
        return entry?.encoded(notBefore: sequence)
    }

    /// The document of an entry from the newest snapshot.
    ///
    /// - Parameters:
    ///   - entry: the key's entry.
    ///   - epoch: the first part of its revisions.
    ///   - prepare: called with a new revision before readers get it.
    ///   - produce: reads the newest snapshot and makes the content, from the last edition; never
    ///     called concurrently for one key, so that no older snapshot follows a newer one.
    /// - Returns: the newest edition of the document.
    func edition<Content>(
        of entry: CachedDocument<Content>,
        epoch: String,
        prepare: EncodedDocument.Preparation? = nil,
        produce: (CachedDocument<Content>.Edition?) -> Production<Content>
    ) -> CachedDocument<Content>.Edition {
        let edition = entry.update(
            makeRevision: {
                let counter = revisions.add(1, ordering: .relaxed).newValue
                return DocumentRevision(epoch: epoch, counter: counter)
            },
            prepare: prepare,
            produce: produce
        )
        updateSize(of: entry, entry.key)
        return edition
    }

    /// Keeps the content of a key until ``unpin(_:)``.
    func pin<Content>(_ key: DocumentCacheKey) -> CachedDocument<Content> {
        entry(key, pins: 1)
    }

    /// Releases a pinned key; after the last release it counts and can be evicted like any other.
    func unpin(_ key: DocumentCacheKey) {
        change { table in
            guard var slot = table.slots[key], slot.isPinned else { return }
            slot.pinCount -= 1
            // Readers of a pinned document use its entry without asking the table.
            table.uses += 1
            slot.usedAt = table.uses
            if !slot.isPinned { table.byteCount += slot.byteCount }
            table.slots[key] = slot
        }
    }

    /// The document of a key, made if there is none.
    func entry<Content>(
        _ key: DocumentCacheKey,
        pins: Int = 0
    ) -> CachedDocument<Content> {
        entry(key, pins: pins) { CachedDocument(key, logBounds: bounds.log) }
    }

    /// The entry of a key, made if there is none.
    func entry<Entry: CacheEntry>(
        _ key: DocumentCacheKey,
        pins: Int = 0,
        make: () -> Entry
    ) -> Entry {
        table.withLock { table in
            if let entry: Entry = table.use(key, pins: pins) { return entry }
            let entry = make()
            table.slots[key] = Slot(entry: entry, usedAt: table.uses, pinCount: pins)
            return entry
        }
    }

    /// The entry of a key; nil if there is none.
    func existing<Entry: CacheEntry>(_ key: DocumentCacheKey) -> Entry? {
        table.withLock { $0.use(key, pins: 0) }
    }

    /// Counts the size of an entry if it changed.
    func updateSize(of entry: some CacheEntry, _ key: DocumentCacheKey) {
        if let byteCount = entry.takeNewSize() { setSize(byteCount, of: key, entry) }
    }

    private func setSize(_ byteCount: Int, of key: DocumentCacheKey, _ entry: any CacheEntry) {
        change { table in
            guard var slot = table.slots[key], slot.entry === entry,
                slot.byteCount != byteCount
            else { return }
            if !slot.isPinned { table.byteCount += byteCount - slot.byteCount }
            slot.byteCount = byteCount
            table.slots[key] = slot
        }
    }

    /// Changes the table, then evicts what exceeds the bounds.
    private func change(_ body: (inout Table) -> Void) {
        let evicted = table.withLock { table in
            body(&table)
            return table.evict(bounds)
        }
        // Encoding for the digest takes time: not under the table's lock.
        for entry in evicted { entry.evict() }
    }
}

extension DocumentCache.Table {
    /// The entry of a key, as the one used last.
    fileprivate mutating func use(_ key: DocumentCacheKey) -> (any CacheEntry)? {
        uses += 1
        guard let place = slots.index(forKey: key) else { return nil }
        slots.values[place].usedAt = uses
        return slots.values[place].entry
    }

    /// The entry of a key, if it is of this kind, with more pins.
    fileprivate mutating func use<Entry: CacheEntry>(
        _ key: DocumentCacheKey,
        pins: Int
    ) -> Entry? {
        guard let entry = use(key) as? Entry else { return nil }
        if pins > 0, let slot = slots[key] {
            if !slot.isPinned { byteCount -= slot.byteCount }
            slots[key]?.pinCount += pins
        }
        return entry
    }

    /// Chooses the least recently used slots beyond the bounds.
    ///
    /// An eighth more than necessary: choosing looks at all slots.
    ///
    /// - Returns: the entries whose contents are to be evicted.
    fileprivate mutating func evict(_ bounds: DocumentCache.Bounds) -> [any CacheEntry] {
        let isFull = byteCount > bounds.bytesMax
        guard isFull || slots.count > bounds.keysMax else { return [] }
        var oldest = slots.filter { !$0.value.isPinned }
            .sorted { $0.value.usedAt < $1.value.usedAt }
        if slots.count > bounds.keysMax {
            let excess = slots.count - bounds.keysMax / 8 * 7
            for (key, slot) in oldest.prefix(excess) {
                byteCount -= slot.byteCount
                slots[key] = nil
            }
            oldest.removeFirst(min(excess, oldest.count))
        }
        var evicted: [any CacheEntry] = []
        for (key, slot) in oldest where slot.byteCount > 0 {
            guard isFull, byteCount > bounds.bytesMax / 8 * 7 else { break }
            byteCount -= slot.byteCount
            guard slot.entry.isRecalled else {
                slots[key] = nil
                continue
            }
            slots[key]?.byteCount = 0
            evicted.append(slot.entry)
        }
        return evicted
    }
}

/// An entry of the cache, whatever its content.
protocol CacheEntry: AnyObject, Sendable {
    /// Whether an evicted entry stays, so that an equal content is known again.
    var isRecalled: Bool { get }

    /// The encoded document if it was compared with this snapshot or a newer one.
    func encoded(notBefore sequence: UInt64) -> (document: EncodedDocument, sequence: UInt64)?

    /// The size in bytes, by estimate; nil if it is the one returned last.
    func takeNewSize() -> Int?

    /// Drops the content, but for its revision and digest.
    func evict()
}

extension CacheEntry {
    var isRecalled: Bool { true }

    func encoded(notBefore sequence: UInt64) -> (document: EncodedDocument, sequence: UInt64)? {
        nil
    }

    func evict() {}
}

extension CachedDocument: CacheEntry {}
