import Domain
import WebSocketFraming

/// One connection to the stream of API 1.x, its subscriptions, and the answers that it awaits.
///
/// Used only by the stream's thread.
final class StreamSession {
    let connection: StreamConnection
    var filter = SubscriptionFilter()
    /// Position in a recording; nil before the first subscription.
    var playback: Playback?
    private(set) var isGreeted = false
    private var acknowledgementsDue: [Timestamp] = []

    /// Maximum number of outstanding answers to subscriptions; only a broken client exceeds it.
    private static let acknowledgementsMax = 1_000

    init(_ connection: StreamConnection) {
        self.connection = connection
    }

    /// Parses messages; refusals are answered here.
    func requests(in messages: WebSocketMessages) -> [SubscriptionRequest] {
        var requests: [SubscriptionRequest] = []
        for index in 0..<messages.count {
            do throws(SubscriptionRequest.Refusal) {
                requests.append(try SubscriptionRequest(messages[index]))
            } catch {
                connection.send(error.answer)
            }
        }
        return requests
    }

    func greet() {
        isGreeted = true
        connection.send(SubscriptionRequest.greeting)
    }

    func owe(acknowledgementAt time: Timestamp) {
        guard acknowledgementsDue.count < Self.acknowledgementsMax else {
            connection.dropAsTooSlow()
            return
        }
        acknowledgementsDue.append(time)
    }

    /// Sends due answers.
    func advance(to now: Timestamp) {
        connection.advance(to: now)
        guard !acknowledgementsDue.isEmpty else { return }
        let due = acknowledgementsDue.count { $0 <= now }
        acknowledgementsDue.removeAll { $0 <= now }
        for _ in 0..<due { connection.send(SubscriptionRequest.acknowledgement) }
    }

    /// Queues the frames of a batch that the filter selects.
    func append(_ batch: borrowing FrameBatch) {
        guard !filter.kinds.isEmpty else { return }
        connection.append(batch) { filter.wants($0.kind, ofMarketAt: $0.market) }
    }
}

@available(*, unavailable)
extension StreamSession: Sendable {}
