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
        /// The client or user who pays for the topic; one of its readers.
        var owner: StreamQuota.Owner
        /// How many readers each client and user has.
        var readerCounts: [StreamQuota.Owner: Int] = [:]
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

    mutating func addReader(_ owner: StreamQuota.Owner, to slot: Slot) {
        var slot = slot
        if slot.readerCounts.isEmpty { charge(slot.owner, slot.byteCount) }
        slot.readerCounts[owner, default: 0] += 1
        slots[slot.topic.key] = slot
    }

    mutating func setSize(_ byteCount: Int, of key: StreamTopic.Key) {
        guard let slot = slots[key] else { return }
        charge(slot.owner, byteCount - slot.byteCount)
        slots[key]?.byteCount = byteCount
    }

    /// Removes a reader, and the topic after the last one.
    ///
    /// A topic whose payer has left is paid by the remaining reader who pays for the least.
    ///
    /// - Returns: the leases to release after the last reader.
    mutating func removeReader(
        _ owner: StreamQuota.Owner,
        of key: StreamTopic.Key
    ) -> Leases? {
        guard var slot = slots[key], let count = slot.readerCounts[owner] else { return nil }
        slot.readerCounts[owner] = count > 1 ? count - 1 : nil
        if slot.readerCounts[slot.owner] == nil {
            charge(slot.owner, -slot.byteCount)
            guard
                let next = slot.readerCounts.keys.min(by: { byteCount(of: $0) < byteCount(of: $1) })
            else {
                slots[key] = nil
                return slot.leases
            }
            slot.owner = next
            charge(next, slot.byteCount)
        }
        slots[key] = slot
        return nil
    }

    private mutating func charge(_ owner: StreamQuota.Owner, _ count: Int) {
        byteCount += count
        let bytes = byteCounts[owner, default: 0] + count
        byteCounts[owner] = bytes == 0 ? nil : bytes
    }
}
