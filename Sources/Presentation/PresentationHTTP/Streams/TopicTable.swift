import UseCases

/// The topics of the streams, their readers and their bytes.
struct TopicTable {
    typealias Candidate = StreamSchedule<StreamTopic, StreamQuota.Owner>.Candidate

    /// What a topic has followed.
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
        let owner: StreamQuota.Owner
        var readerCount = 0
        /// The document's size by estimate; 0 before it was made.
        var byteCount = 0
        var leases = Leases()
    }

    private var slots: [StreamTopic.Key: Slot] = [:]
    /// The bytes of all topics.
    private(set) var byteCount = 0
    private var byteCounts: [StreamQuota.Owner: Int] = [:]

    var count: Int { slots.count }

    subscript(key: StreamTopic.Key) -> Slot? { slots[key] }

    /// All topics.
    var all: [Candidate] {
        slots.values.map { Candidate(topic: $0.topic, owner: $0.owner) }
    }

    /// The topics of some keys.
    func all(among keys: Set<StreamTopic.Key>) -> [Candidate] {
        keys.compactMap { key in
            slots[key].map { Candidate(topic: $0.topic, owner: $0.owner) }
        }
    }

    /// The bytes of the topics that an owner pays for.
    func byteCount(of owner: StreamQuota.Owner) -> Int { byteCounts[owner, default: 0] }

    /// Whether a topic's growth took its owner, or all together, far beyond the bounds.
    func exceeds(_ bounds: DocumentStreams.Bounds, at key: StreamTopic.Key) -> Bool {
        guard let slot = slots[key] else { return false }
        // Double, so that documents that grow by a row end no stream.
        return byteCount > bounds.bytesMax * 2
            || byteCount(of: slot.owner) > bounds.bytesPerOwner * 2
    }

    mutating func addReader(to slot: Slot) {
        var slot = slot
        slot.readerCount += 1
        slots[slot.topic.key] = slot
    }

    mutating func setSize(_ byteCount: Int, of key: StreamTopic.Key) {
        guard let slot = slots[key] else { return }
        charge(slot.owner, byteCount - slot.byteCount)
        slots[key]?.byteCount = byteCount
    }

    /// Removes a reader, and the topic after the last one.
    ///
    /// - Returns: the leases to release after the last reader.
    mutating func removeReader(of key: StreamTopic.Key) -> Leases? {
        guard var slot = slots[key] else { return nil }
        slot.readerCount -= 1
        guard slot.readerCount == 0 else {
            slots[key] = slot
            return nil
        }
        charge(slot.owner, -slot.byteCount)
        slots[key] = nil
        return slot.leases
    }

    private mutating func charge(_ owner: StreamQuota.Owner, _ count: Int) {
        byteCount += count
        let bytes = byteCounts[owner, default: 0] + count
        byteCounts[owner] = bytes == 0 ? nil : bytes
    }
}
