internal import Glibc

/// The head of a request without a body that may come again: most clients ask the same question
/// again and again, and what was read, checked and found out about it still holds.
///
/// One for all connections of a client on one loop that ask so.
final class KnownHead {
    /// Longer heads are read anew each time.
    static let bytesMax = 4_096
    /// Heads with more parameters, of which no address takes so many, likewise: one that is two
    /// bytes long takes sixteen times as much in memory.
    static let parametersMax = 64

    let bytes: [UInt8]
    let client: NetworkAddress
    let head: RequestHead
    /// Whether a table has it, which looks after what is remembered of it.
    fileprivate(set) var isListed = false

    init(_ head: RequestHead, of bytes: [UInt8], from client: NetworkAddress) {
        self.head = head
        self.bytes = bytes
        self.client = client
    }

    /// Whether a head of so many bytes is kept for when it comes again.
    static func isKept(_ head: RequestHead, of byteCount: Int) -> Bool {
        guard case .none = head.body, byteCount <= bytesMax else { return false }
        return head.request?.query.count ?? 0 <= parametersMax
    }

    /// Whether other bytes are the same from a place on; there may be more behind them.
    func begins(_ input: [UInt8], at start: Int, _ count: Int) -> Bool {
        guard count - start >= bytes.count else { return false }
        return unsafe input.withUnsafeBytes { input in
            unsafe bytes.withUnsafeBytes { bytes in
                guard let left = input.baseAddress, let right = bytes.baseAddress
                else { return false }
                return unsafe memcmp(left + start, right, bytes.count) == 0
            }
        }
    }
}

/// The heads that the connections of a loop sent lately.
///
/// Bound: `placesMax`, in rows that a hash leads to, newest first; a head that comes to a full row
/// pushes out the oldest of it. A head that lost its place still serves the connections that hold
/// it.
struct RequestHeadCache {
    /// Programs that ask at the same time, by what each asks.
    static let placesMax = 256
    /// So many heads keep their places wherever their hashes lead: programs that take turns do not
    /// push one another out by chance.
    static let rowLength = 4

    private var places = [KnownHead?](repeating: nil, count: placesMax)

    /// The head of these bytes as a client sent it before; nil if it did not lately.
    func head(of bytes: [UInt8], from client: NetworkAddress) -> KnownHead? {
        for case .some(let known) in places[row(bytes, client)]
        where known.client == client && known.bytes == bytes {
            return known
        }
        return nil
    }

    /// Keeps a head; one that loses its place by it has what is remembered of it forgotten.
    mutating func keep(_ known: KnownHead) {
        if known.isListed { return }
        let row = row(known.bytes, known.client)
        // Another one of the same question, the first that is free, or the oldest.
        let end =
            places[row].firstIndex { old in
                guard let old else { return true }
                return old.client == known.client && old.bytes == known.bytes
            } ?? row.upperBound - 1
        places[end]?.isListed = false
        places[end]?.head.request?.memory.forget()
        for place in (row.lowerBound..<end).reversed() { places[place + 1] = places[place] }
        places[row.lowerBound] = known
        known.isListed = true
    }

    /// Lets go of answers that stand no more: documents are large, and nobody may ask again.
    func forgetOver() {
        for case .some(let known) in places { known.head.request?.memory.forgetIfOver() }
    }

    /// Lets go of all answers: nobody is there who could be given them.
    func forgetAll() {
        for case .some(let known) in places { known.head.request?.memory.forget() }
    }

    private func row(_ bytes: [UInt8], _ client: NetworkAddress) -> Range<Int> {
        // Seeded by each process: nobody outside can choose heads that meet.
        var hasher = Hasher()
        hasher.combine(client)
        unsafe bytes.withUnsafeBytes { unsafe hasher.combine(bytes: $0) }
        let rows = UInt(Self.placesMax / Self.rowLength)
        let start = Int(UInt(bitPattern: hasher.finalize()) % rows) * Self.rowLength
        return start..<start + Self.rowLength
    }
}
