import Domain
import WebSocketFraming

/// One connection to the stream of API 2.x and its subscriptions.
///
/// Used only by the stream's thread.
final class MarketStreamSession {
    let connection: StreamConnection
    /// Frames of changes that are wanted.
    private(set) var realtime = MarketFilter()
    /// Frames of the state at the time of the request that are wanted and were not sent yet.
    private(set) var snapshot = MarketFilter()

    /// Frames of changes that only the replaced request wanted, and how many of them may follow.
    private var late: (filter: MarketFilter, count: Int) = (MarketFilter(), 0)
    /// Whether a frame of a change was sent since the request.
    private var hasSentChange = false

    private var request: MarketStreamRequest?
    private var isSnapshotDue = false
    private var listingsVersion = -1
    /// When bytes of the client came last, and how many there were then.
    private var heard: (at: Timestamp, bytes: Int)
    /// When the next answer to a text ping is due; nil before the first ping.
    private var pingAnswerDue: Timestamp?

    /// Connections whose client sends nothing for this long are dropped.
    private static let idleTime = Duration.seconds(60)
    /// Text pings are answered first after this time, then regularly.
    private static let firstPingAnswerDelay = Duration.seconds(3)
    private static let pingAnswerInterval = Duration.seconds(10)
    /// The code of a close after an error.
    private static let closeCode: UInt16 = 1_000
    /// The frames of a replaced request that were seen to follow.
    private static let lateFramesMax = 2

    init(_ connection: StreamConnection, at now: Timestamp) {
        self.connection = connection
        heard = (now, 0)
    }

    /// Applies messages.
    ///
    /// Of several requests the last one counts: each replaces the one before.
    func receive(_ messages: WebSocketMessages, at now: Timestamp) {
        if connection.receivedBytes != heard.bytes { heard = (now, connection.receivedBytes) }
        for index in 0..<messages.count where !connection.isClosing {
            if messages[index].elementsEqual(MarketStreamRequest.ping) {
                let due = now.advanced(by: Self.firstPingAnswerDelay)
                pingAnswerDue = pingAnswerDue ?? due
                continue
            }
            do throws(MarketStreamRequest.Refusal) {
                request = try MarketStreamRequest(messages[index])
                isSnapshotDue = true
                listingsVersion = -1
            } catch {
                connection.send(error.answer)
                connection.close(code: Self.closeCode, reason: "")
            }
        }
    }

    /// Sends due answers, and drops an idle client.
    func advance(to now: Timestamp) {
        connection.advance(to: now)
        if now.duration(since: heard.at) >= Self.idleTime { connection.drop() }
        guard let due = pingAnswerDue, due <= now else { return }
        pingAnswerDue = now.advanced(by: Self.pingAnswerInterval)
        connection.send(MarketStreamRequest.pingAnswer)
    }

    /// Updates the filters for a new request or a changed list of markets.
    ///
    /// - Returns: whether they may have changed.
    func update(for listings: SimulatedFeed.Listings, _ faults: FaultSet) -> Bool {
        guard let request, listings.version != listingsVersion else { return false }
        listingsVersion = listings.version
        if isSnapshotDue {
            hasSentChange = false
            late = (realtime, faults.isOn(.lateFrames) ? Self.lateFramesMax : 0)
        }
        realtime = MarketFilter()
        for channel in request.channels where channel.hasRealtime {
            realtime.want(channel, request.format, listings)
        }
        guard isSnapshotDue else { return true }
        isSnapshotDue = false
        snapshot = MarketFilter()
        for channel in request.channels where channel.hasSnapshot {
            snapshot.want(channel, request.format, listings)
        }
        return true
    }

    /// The frames of changes that are to be written for it.
    var interests: MarketFilter {
        var all = realtime
        if late.count > 0 { all.formUnion(late.filter) }
        return all
    }

    /// Whether the frames of the state follow one of a change that was not sent yet.
    func awaitsChange(_ faults: FaultSet) -> Bool {
        faults.isOn(.realtimeFirst) && !realtime.kinds.isEmpty && !hasSentChange
    }

    /// Queues the wanted frames of a batch of snapshots.
    func append(snapshots: borrowing FrameBatch, _ faults: FaultSet) {
        guard !snapshot.kinds.isEmpty, !awaitsChange(faults) else { return }
        connection.append(snapshots, where: snapshot.wants)
        snapshot = MarketFilter()
    }

    /// Queues the wanted frames of a batch of changes.
    func append(_ batch: borrowing FrameBatch) {
        if late.count > 0 {
            connection.append(batch) { frame in
                guard late.count > 0, late.filter.wants(frame), !realtime.wants(frame) else {
                    return false
                }
                late.count -= 1
                return true
            }
        }
        guard !realtime.kinds.isEmpty else { return }
        connection.append(batch) { frame in
            let isWanted = realtime.wants(frame)
            hasSentChange = hasSentChange || isWanted
            return isWanted
        }
    }
}

@available(*, unavailable)
extension MarketStreamSession: Sendable {}
