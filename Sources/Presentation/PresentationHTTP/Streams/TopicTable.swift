import UseCases

/// The topics of the streams, their readers and their bytes.
struct TopicTable {
    typealias Candidate = StreamSchedule<StreamTopic, StreamQuota.Owner>.Candidate

    /// The leases of the data that a topic shows.
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
        /// The document's size by estimate.
        var byteCount: Int
        var leases = Leases()

        init(topic: StreamTopic, owner: StreamQuota.Owner) {
            self.topic = topic
            self.owner = owner
            byteCount = topic.expectedBytes
        }
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

    /// Whether a new topic of an owner fits.
    ///
    /// An owner may have half of what all others leave free (dynamic thresholds: Choudhury and
    /// Hahne, 1998): one alone has a third, and however many have all they may, some is left for
    /// the next.
    func fits(_ slot: Slot, bytesMax: Int) -> Bool {
        byteCount(of: slot.owner) + slot.byteCount <= (bytesMax - byteCount) / 2
    }

    /// Whether a topic's growth took its owner far beyond its share.
    func exceeds(bytesMax: Int, at key: StreamTopic.Key) -> Bool {
        slots[key].map { byteCount(of: $0.owner) > bytesMax / 2 } ?? false
    }

    mutating func addReader(to slot: Slot) {
        var slot = slot
        if slot.readerCount == 0 { charge(slot.owner, slot.byteCount) }
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
