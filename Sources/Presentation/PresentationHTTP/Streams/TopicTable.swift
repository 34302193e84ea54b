import UseCases

/// The topics of the streams, their readers and their bytes.
struct TopicTable {
    typealias Candidate = StreamSchedule<StreamTopic, StreamQuota.Owner>.Candidate

    /// What a topic with readers has followed.
    struct Leases {
        var detail: DetailLease?
        var asset: AssetLease?

        func release() {
            detail?.release()
            asset?.release()
        }
    }

    struct Slot {
        let topic: StreamTopic
        /// The client or user who pays for the topic: the first reader's.
        var owner: StreamQuota.Owner
        var readerCount = 0
        /// When the last reader left, in seconds.
        var unreadSince = 0
        /// The document's size by estimate; 0 before it was made.
        var byteCount = 0
        var leases = Leases()
    }

    private var slots: [StreamTopic.Key: Slot] = [:]
    /// The bytes of topics with readers, in all and by owner.
    private(set) var readBytes = 0
    private var readBytesByOwner: [StreamQuota.Owner: Int] = [:]

    var count: Int { slots.count }

    subscript(key: StreamTopic.Key) -> Slot? { slots[key] }

    var all: [StreamTopic] { slots.values.map(\.topic) }

    /// The topics that have readers.
    var read: [Candidate] {
        slots.values.compactMap { slot in
            slot.readerCount > 0 ? Candidate(topic: slot.topic, owner: slot.owner) : nil
        }
    }

    /// Those of some topics that have readers.
    func read(among keys: Set<StreamTopic.Key>) -> [Candidate] {
        keys.compactMap { key in
            guard let slot = slots[key], slot.readerCount > 0 else { return nil }
            return Candidate(topic: slot.topic, owner: slot.owner)
        }
    }

    /// The bytes of the topics with readers that an owner pays for.
    func readBytes(of owner: StreamQuota.Owner) -> Int { readBytesByOwner[owner, default: 0] }

    /// Whether a topic's growth took its owner, or all together, beyond the bounds.
    func exceeds(_ bounds: DocumentStreams.Bounds, at key: StreamTopic.Key) -> Bool {
        guard let slot = slots[key], slot.readerCount > 0 else { return false }
        // Double, so that documents that grow by a row end no stream.
        return readBytes > bounds.bytesMax * 2
            || readBytes(of: slot.owner) > bounds.bytesPerOwner * 2
    }

    // MARK: - Changes

    mutating func addReader(to slot: Slot) {
        var slot = slot
        slot.readerCount += 1
        if slot.readerCount == 1 { charge(slot.owner, slot.byteCount) }
        slots[slot.topic.key] = slot
    }

    mutating func setSize(_ byteCount: Int, of key: StreamTopic.Key) {
        guard let slot = slots[key], slot.byteCount != byteCount else { return }
        if slot.readerCount > 0 { charge(slot.owner, byteCount - slot.byteCount) }
        slots[key]?.byteCount = byteCount
    }

    /// Removes a reader.
    ///
    /// - Parameters:
    ///   - key: the topic's key.
    ///   - seconds: the time since the start.
    ///   - unreadBytesMax: the bytes of topics without readers that one owner may have.
    /// - Returns: the leases to release after the last reader, and the topics that exceed the
    ///   owner's share.
    mutating func removeReader(
        of key: StreamTopic.Key,
        at seconds: Int,
        unreadBytesMax: Int
    ) -> (leases: Leases?, evicted: [StreamTopic]) {
        guard var slot = slots[key] else { return (nil, []) }
        slot.readerCount -= 1
        guard slot.readerCount == 0 else {
            slots[key] = slot
            return (nil, [])
        }
        let leases = slot.leases
        slot.leases = Leases()
        slot.unreadSince = seconds
        charge(slot.owner, -slot.byteCount)
        // No reader got a revision to resume from.
        if slot.byteCount == 0 {
            slots[key] = nil
            return (leases, [slot.topic])
        }
        slots[key] = slot
        return (leases, evictUnread(of: slot.owner, beyond: unreadBytesMax))
    }

    private mutating func charge(_ owner: StreamQuota.Owner, _ byteCount: Int) {
        readBytes += byteCount
        let bytes = readBytesByOwner[owner, default: 0] + byteCount
        readBytesByOwner[owner] = bytes == 0 ? nil : bytes
    }

    // MARK: - Eviction

    /// Evicts the topics that have been unread since a second or longer.
    mutating func evictUnread(since second: Int) -> [StreamTopic] {
        slots.filter { $0.value.readerCount == 0 && $0.value.unreadSince <= second }
            .compactMap { evictUnread($0.key) }
    }

    /// Evicts an owner's topics without readers, those unread for longest first, until the others
    /// fit.
    private mutating func evictUnread(
        of owner: StreamQuota.Owner,
        beyond bytesMax: Int
    ) -> [StreamTopic] {
        let unread = slots.values.filter { $0.readerCount == 0 && $0.owner == owner }
        var excess = unread.reduce(-bytesMax) { $0 + $1.byteCount }
        guard excess > 0 else { return [] }
        var evicted: [StreamTopic] = []
        for slot in unread.sorted(by: { $0.unreadSince < $1.unreadSince }) where excess > 0 {
            excess -= slot.byteCount
            slots[slot.topic.key] = nil
            evicted.append(slot.topic)
        }
        return evicted
    }

    /// Evicts a topic; nil if it has readers again.
    mutating func evictUnread(_ key: StreamTopic.Key) -> StreamTopic? {
        guard let slot = slots[key], slot.readerCount == 0 else { return nil }
        slots[key] = nil
        return slot.topic
    }

    /// Evicts the topic unread for longest; nil if all have readers.
    mutating func evictOldestUnread() -> StreamTopic? {
        let oldest = slots.values.filter { $0.readerCount == 0 }
            .min { $0.unreadSince < $1.unreadSince }
        return oldest.flatMap { evictUnread($0.topic.key) }
    }
}
