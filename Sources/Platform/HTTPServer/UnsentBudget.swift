internal import NetworkAddresses
internal import SharedMemory

/// Decides which outputs are dropped when clients leave too many bytes unread.
///
/// An output counts from the moment its socket takes no more of it until its last byte is sent,
/// with its whole length, because its memory lives that long. Bytes that several outputs share
/// count once for each client and once in the total: dropping one of these outputs frees nothing.
struct UnsentBudget {
    /// One client's outputs.
    private struct Client {
        /// The numbers of the outputs, oldest first.
        var numbers: [Int] = []
        var tally = UnsentTally()
    }

    /// The limit that drops an output.
    enum Limit: Hashable, CaseIterable {
        /// The share of the output's client.
        case client
        /// The bytes of all clients.
        case total
    }

    /// Bytes of all clients.
    let bytesMax: Int
    /// Bytes of one client; its newest output may be longer.
    let clientBytesMax: Int

    private var outputs: [Int: (output: UnsentOutput, client: NetworkAddress)] = [:]
    private var clients: [NetworkAddress: Client] = [:]
    private var total = UnsentTally()
    private var lastNumber = 0
    /// How many outputs were dropped, by limit.
    private(set) var dropped: [Limit: Int] = [:]

    init(bytesMax: Int, clientBytesMax: Int) {
        self.bytesMax = bytesMax
        self.clientBytesMax = clientBytesMax
    }

    /// The unsent bytes of all clients.
    var byteCount: Int { total.byteCount }

    /// Adds the output of a client, and drops outputs until both limits hold.
    ///
    /// Beyond its share a client loses its oldest outputs, but never the newest: a long response
    /// is delivered. Beyond the total the client with the most bytes loses its oldest output first;
    /// the last output of all stays.
    ///
    /// - Parameters:
    ///   - output: the output.
    ///   - client: a ``NetworkAddress/network``.
    /// - Returns: the number of the output, and those of dropped outputs, perhaps its own too.
    mutating func add(
        _ output: UnsentOutput,
        of client: NetworkAddress
    ) -> (number: Int, dropped: [Int]) {
        lastNumber += 1
        outputs[lastNumber] = (output, client)
        clients[client, default: Client()].numbers.append(lastNumber)
        clients[client]?.tally.add(output)
        total.add(output)
        var numbers: [Int] = []
        while let excess = oldestBeyondShare(of: client) {
            drop(excess, .client)
            numbers.append(excess)
        }
        while let excess = oldestBeyondTotal() {
            drop(excess, .total)
            numbers.append(excess)
        }
        return (lastNumber, numbers)
    }

    /// Removes an output that was sent or whose connection was closed; ignores a dropped one.
    mutating func remove(_ number: Int) {
        guard let (output, client) = outputs.removeValue(forKey: number) else { return }
        total.remove(output)
        clients[client]?.tally.remove(output)
        clients[client]?.numbers.removeAll { $0 == number }
        if clients[client]?.numbers.isEmpty ?? false { clients[client] = nil }
    }

    private mutating func drop(_ number: Int, _ limit: Limit) {
        remove(number)
        dropped[limit, default: 0] += 1
    }

    private func oldestBeyondShare(of client: NetworkAddress) -> Int? {
        guard let client = clients[client], client.numbers.count > 1,
            client.tally.byteCount > clientBytesMax
        else { return nil }
        return client.numbers.first
    }

    private func oldestBeyondTotal() -> Int? {
        guard total.byteCount > bytesMax, outputs.count > 1 else { return nil }
        return clients.values
            .max { ($0.tally.byteCount, $1.numbers[0]) < ($1.tally.byteCount, $0.numbers[0]) }?
            .numbers.first
    }
}

/// The bytes of a connection's output, as the budget counts them.
struct UnsentOutput {
    /// Bytes of this output alone.
    var ownByteCount: Int
    /// Identifies the bytes that others may share, while an output holds them; 0 without any.
    var sharedID: UInt
    /// How many of the bytes these are.
    var sharedByteCount: Int
}

extension UnsentOutput {
    /// Counts an output; the address of its body or file identifies shared bytes.
    init(_ output: borrowing Output) {
        if let file = output.file {
            sharedID = UInt(bitPattern: ObjectIdentifier(file))
            sharedByteCount = file.count
        } else {
            // The output keeps the array, so no other has this address meanwhile.
            sharedID = unsafe output.body.withUnsafeBytes { bytes in
                UInt(bitPattern: bytes.baseAddress)
            }
            sharedByteCount = output.body.count
        }
        ownByteCount = output.byteCount - sharedByteCount
    }
}

/// Sums outputs; bytes that several share count once.
private struct UnsentTally {
    private(set) var byteCount = 0
    /// How many outputs have the shared bytes, by id.
    private var outputCounts: [UInt: Int] = [:]

    mutating func add(_ output: UnsentOutput) {
        byteCount += output.ownByteCount
        let count = outputCounts[output.sharedID, default: 0]
        if count == 0 { byteCount += output.sharedByteCount }
        outputCounts[output.sharedID] = count + 1
    }

    mutating func remove(_ output: UnsentOutput) {
        byteCount -= output.ownByteCount
        let count = outputCounts[output.sharedID, default: 1] - 1
        if count == 0 { byteCount -= output.sharedByteCount }
        outputCounts[output.sharedID] = count == 0 ? nil : count
    }
}
