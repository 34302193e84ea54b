import Domain
import WebSocketFraming

/// All connections to the stream of API 2.x, and the frames that they share.
struct MarketStreams: ~Copyable {
    private var sessions: [Int: MarketStreamSession] = [:]
    /// Each frame is written once, whatever the number of its receivers.
    private var batch = FrameBatch(isBinary: true)
    private var snapshots = FrameBatch(isBinary: true)
    /// The frames of changes that any connection wants.
    private(set) var interests = MarketFilter()
    /// Whether a connection was added or removed since the last update.
    private var hasChanged = false

    /// The connections, in no order.
    var connections: [StreamConnection] { sessions.values.map(\.connection) }

    mutating func add(_ connection: StreamConnection, at now: Timestamp) {
        let session = MarketStreamSession(connection, at: now)
        sessions[connection.number] = session
        session.receive(connection.receiveReadAhead(), at: now)
    }

    mutating func remove(_ connection: StreamConnection) {
        if sessions.removeValue(forKey: connection.number) != nil { hasChanged = true }
    }

    /// Reads from a connection, if it is one of these.
    func read(fromConnection number: Int, into buffer: inout [UInt8], at now: Timestamp) {
        guard let session = sessions[number] else { return }
        session.receive(session.connection.read(into: &buffer), at: now)
    }

    /// Sends due answers, and drops idle clients.
    func advance(to now: Timestamp) {
        for session in sessions.values { session.advance(to: now) }
    }

    /// Updates the filters.
    ///
    /// - Returns: whether the interests may have changed.
    mutating func update(for listings: SimulatedFeed.Listings, _ faults: FaultSet) -> Bool {
        var isChanged = hasChanged
        hasChanged = false
        for session in sessions.values where session.update(for: listings, faults) {
            isChanged = true
        }
        guard isChanged else { return false }
        interests = MarketFilter()
        for session in sessions.values { interests.formUnion(session.interests) }
        return true
    }

    /// Sends the state of markets to connections with a new request, before any change.
    mutating func sendSnapshots(of feed: SimulatedFeed, faults: FaultSet) {
        var wanted = MarketFilter()
        for session in sessions.values where !session.awaitsChange(faults) {
            wanted.formUnion(session.snapshot)
        }
        guard !wanted.kinds.isEmpty else { return }
        feed.snapshots(wanted, faults: faults, into: &snapshots)
        for session in sessions.values { session.append(snapshots: snapshots, faults) }
    }

    /// Advances the feed, which fills the batches of both streams, and sends this one's.
    mutating func advance(
        _ feed: SimulatedFeed,
        kinds: FrameKinds,
        faults: FaultSet,
        batch streamBatch: inout FrameBatch
    ) {
        feed.advance(
            kinds: kinds,
            markets: interests,
            faults: faults,
            batch: &streamBatch,
            marketBatch: &batch
        )
        for session in sessions.values where !faults.isStalled(.v2) { session.append(batch) }
    }
}
