import DataSourceContracts
import Domain
import Synchronization

extension LiveDetailFeed {
    /// What the task of one connection is told to do.
    struct Orders: Sendable {
        /// The full list to subscribe; only the last one counts.
        var subscription: BookConnection.Order?
        /// Whether to close.
        var isClosed = false
    }

    /// Keeps the connections that the plan wants.
    func followStream(_ deliver: @escaping Deliver) async {
        await withDiscardingTaskGroup { group in
            var lines: [Int: Signal<Orders>] = [:]
            while !Task.isCancelled {
                let news = streamChanged.value
                let (now, random) = (elapsed, parts.random())
                let step = stream.withLock { $0.next(at: now, random: random) }
                for action in step.actions {
                    switch action {
                    case .open(let id):
                        let line = Signal(Orders())
                        lines[id] = line
                        group.addTask { await self.hold(id, line, deliver) }
                    case .subscribe(let id, let order):
                        lines[id]?.update { $0.subscription = order }
                    case .close(let id):
                        lines.removeValue(forKey: id)?.update { $0.isClosed = true }
                    case .reportSubscribed(let markets):
                        await reportSubscribed(markets, deliver)
                    case .reportLost(let attempt, let wait, let failure):
                        _ = readings.withLock { $0.noteSubscribed([]) }
                        await put([lost(attempt, wait, failure)], deliver)
                    }
                }
                let wakeAt = step.wakeAt ?? now + Self.idleInterval
                let wait = (wakeAt - elapsed).atLeastTick
                await streamChanged.first(within: wait, by: parts.clock) { $0 != news }
            }
            group.cancelAll()
        }
    }

    /// How long the plan rests at the most while it waits for nothing but news.
    private static var idleInterval: Duration { .seconds(60) }

    private func lost(_ attempt: Int, _ wait: Duration, _ failure: FeedFailure) -> MarketEvent {
        let nextRetryAt = parts.now().advanced(by: wait)
        return .detail(
            .disconnected(attempt: attempt, nextRetryAt: nextRetryAt, failure: failure)
        )
    }

    /// Tells what is subscribed, and has the books read anew whose changes begin only now: what
    /// happened before is in the reading or in the changes.
    private func reportSubscribed(_ markets: [MarketID], _ deliver: Deliver) async {
        await put([.detail(.subscribed(markets))], deliver)
        let hasNew = readings.withLock { $0.noteSubscribed(Set(markets)) }
        if hasNew { requestsChanged.update { $0 &+= 1 } }
    }

    /// Holds one connection until it breaks or is to be closed.
    private func hold(_ id: Int, _ line: Signal<Orders>, _ deliver: @escaping Deliver) async {
        let error = await withTaskGroup(of: DataSourceError?.self) { group in
            group.addTask {
                _ = await line.first { $0.isClosed }
                return nil
            }
            group.addTask { await self.converse(id, line, deliver) }
            let first = await group.next() ?? nil
            group.cancelAll()
            return first
        }
        guard let error else { return }
        let (now, random) = (elapsed, parts.random())
        stream.withLock { $0.ended(id, error, at: now, random: random) }
        streamChanged.update { $0 &+= 1 }
    }

    /// Connects, subscribes and reads until something breaks or the task is cancelled.
    private func converse(
        _ id: Int,
        _ line: Signal<Orders>,
        _ deliver: @escaping Deliver
    ) async -> DataSourceError {
        do throws(DataSourceError) {
            let connection = try await parts.streams.connect()
            let now = elapsed
            stream.withLock { $0.connected(id, at: now) }
            streamChanged.update { $0 &+= 1 }
            // The exchange may take seconds to confirm; nobody should read of a failure till then.
            await put([.detail(.connected)], deliver)
            let error = await withTaskGroup(of: DataSourceError?.self) { group in
                group.addTask { await self.receive(connection, id, deliver) }
                group.addTask { await self.obey(line, connection, id) }
                let first = await group.next() ?? nil
                group.cancelAll()
                return first
            }
            await connection.close()
            return error ?? DataSourceError(.cancelled, "the stream of books was stopped")
        } catch {
            return error
        }
    }

    /// Subscribes whatever list is ordered last.
    private func obey(
        _ line: Signal<Orders>,
        _ connection: any MarketStream,
        _ id: Int
    ) async -> DataSourceError? {
        var done = 0
        while let order = await line.first(where: { [done] in
            $0.subscription.map { $0.number > done } ?? false
        })?.subscription {
            done = order.number
            let subscriptions = order.subscriptions
            do throws(DataSourceError) {
                try await connection.subscribe(subscriptions)
            } catch {
                return error
            }
            let now = elapsed
            stream.withLock { $0.sent(id, order, requests: subscriptions.count, at: now) }
            streamChanged.update { $0 &+= 1 }
        }
        return nil
    }

    private func receive(
        _ connection: any MarketStream,
        _ id: Int,
        _ deliver: @escaping Deliver
    ) async -> DataSourceError? {
        do throws(DataSourceError) {
            while true {
                let batch = try await connection.receive()
                try hear(batch.messages, id)
                let receivedAt = parts.now()
                let frames = BookFrames(
                    batch.messages,
                    of: readings.withLock { $0.books },
                    notAfter: latestTime(at: receivedAt)
                )
                let now = elapsed
                stream.withLock { plan in
                    plan.received(id, hasSnapshots: frames.hasSnapshots, at: now)
                }
                readings.withLock { $0.noteSnapshots(of: frames.snapshots, at: now) }
                let frameCount = batch.frameCount - frames.wordCount
                guard frameCount > 0 || !frames.events.isEmpty else { continue }
                await put(
                    MarketEventBatch(
                        events: frames.events,
                        receivedAt: receivedAt,
                        frameCount: frameCount
                    ),
                    deliver
                )
            }
        } catch {
            return error
        }
    }

    /// Hears what the exchange says of the connection itself.
    private func hear(
        _ messages: [StreamMessageDTO],
        _ id: Int
    ) throws(DataSourceError) {
        for case .status(let word) in messages {
            let now = elapsed
            if word.status == "0000" {
                guard !word.isGreeting else { continue }
                stream.withLock { $0.acknowledged(id, at: now) }
            } else if !stream.withLock({ $0.refused(id, at: now) }) {
                throw DataSourceError(
                    .refused(status: word.status, message: word.message),
                    "stream of books"
                )
            }
            streamChanged.update { $0 &+= 1 }
        }
    }
}

extension BookConnection.Order {
    /// The requests that subscribe the list.
    fileprivate var subscriptions: [StreamSubscriptionDTO] {
        let names = markets.map(\.name)
        let changes = StreamSubscriptionDTO(type: "orderbookdepth", symbols: names)
        guard withSnapshots else { return [changes] }
        return [changes, StreamSubscriptionDTO(type: "orderbooksnapshot", symbols: names)]
    }
}

extension StreamStatusDTO {
    /// Whether this is the word with which the exchange opens a connection, not one for a request.
    fileprivate var isGreeting: Bool { message == "Connected Successfully" }
}
