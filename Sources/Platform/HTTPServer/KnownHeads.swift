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
/// Bound: `placesMax`, one for each place that a hash leads to; a head that comes to a place where
/// another is takes it over. A head that lost its place still serves the connections that hold it.
struct KnownHeads {
    /// Programs that ask at the same time, by what each asks.
    static let placesMax = 256

    private var places = [KnownHead?](repeating: nil, count: placesMax)

    /// The head of these bytes as a client sent it before; nil if it did not lately.
    func head(of bytes: [UInt8], from client: NetworkAddress) -> KnownHead? {
        guard let known = places[place(bytes, client)], known.client == client,
            known.bytes == bytes
        else { return nil }
        return known
    }

    /// Keeps a head; that of another at its place has what is remembered of it forgotten.
    mutating func keep(_ known: KnownHead) {
        if known.isListed { return }
        let place = place(known.bytes, known.client)
        if let old = places[place] {
            old.isListed = false
            old.head.request?.memory.forget()
        }
        known.isListed = true
        places[place] = known
    }

    /// Lets go of answers that stand no more: documents are large, and nobody may ask again.
    func forgetOver() {
        for case .some(let known) in places { known.head.request?.memory.forgetIfOver() }
    }

    /// Lets go of all answers: nobody is there who could be given them.
    func forgetAll() {
        for case .some(let known) in places { known.head.request?.memory.forget() }
    }

    private func place(_ bytes: [UInt8], _ client: NetworkAddress) -> Int {
        // Seeded by each process: nobody outside can choose heads that meet.
        var hasher = Hasher()
        hasher.combine(client)
        unsafe bytes.withUnsafeBytes { unsafe hasher.combine(bytes: $0) }
        return Int(UInt(bitPattern: hasher.finalize()) % UInt(Self.placesMax))
    }
}
