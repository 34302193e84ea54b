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
    func update(for listings: SimulatedFeed.Listings) -> Bool {
        guard let request, listings.version != listingsVersion else { return false }
        listingsVersion = listings.version
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

    /// Queues the wanted frames of a batch of snapshots.
    func append(snapshots: borrowing FrameBatch) {
        guard !snapshot.kinds.isEmpty else { return }
        connection.append(snapshots, where: snapshot.wants)
        snapshot = MarketFilter()
    }

    /// Queues the wanted frames of a batch of changes.
    func append(_ batch: borrowing FrameBatch) {
        guard !realtime.kinds.isEmpty else { return }
        connection.append(batch, where: realtime.wants)
    }
}

@available(*, unavailable)
extension MarketStreamSession: Sendable {}
