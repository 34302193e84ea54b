import Concurrency
import DataSourceContracts
import Domain
import Synchronization

extension LiveDetailFeed {
    /// Commands for the task of one connection.
    struct Orders: Sendable {
        /// The full list to subscribe; the last one counts.
        var subscription: BookConnection.Order?
        /// Whether to close.
        var isClosed = false
    }

    /// Opens, subscribes and closes the connections of a lane.
    func follow(_ lane: BookLane, _ deliver: @escaping Deliver) async {
        await withDiscardingTaskGroup { group in
            var orders: [Int: AsyncValue<Orders>] = [:]
            while !Task.isCancelled {
                let (now, random) = (elapsed, parts.random())
                let step = lane.state.withLock { $0.next(at: now, random: random) }
                for action in step.actions {
                    switch action {
                    case .open(let id):
                        let order = AsyncValue(Orders())
                        orders[id] = order
                        group.addTask { await self.hold(id, of: lane, order, deliver) }
                    case .subscribe(let id, let list):
                        orders[id]?.update { $0.subscription = list }
                    case .close(let id):
                        orders.removeValue(forKey: id)?.update { $0.isClosed = true }
                    case .reportSubscribed(let markets):
                        await reportSubscribed(markets, of: lane, deliver)
                    case .reportLost(let attempt, let wait, let failure):
                        await reportLost(attempt, wait, failure, of: lane, deliver)
                    }
                }
                let wakeAt = step.wakeAt ?? now + Self.idleInterval
                let wait = (wakeAt - elapsed).atLeastTick
                await lane.changed.wait(within: wait, clock: parts.clock)
            }
            group.cancelAll()
        }
    }

    /// The longest wait without an event.
    private static var idleInterval: Duration { .seconds(60) }

    private func reportLost(
        _ attempt: Int,
        _ wait: Duration,
        _ failure: FeedFailure,
        of lane: BookLane,
        _ deliver: Deliver
    ) async {
        lane.report([])
        _ = scheduler.withLock { $0.noteSubscribed([], in: lane.generation) }
        let event = DetailFeedEvent.disconnected(
            attempt: attempt,
            nextRetryAt: parts.now().advanced(by: wait),
            failure: failure,
            markets: lane.markets
        )
        await send([.feed(event)], deliver)
    }

    /// Reports the subscribed markets and requests the books of new ones: each earlier change is in
    /// the response or among the later changes.
    private func reportSubscribed(
        _ markets: [MarketID],
        of lane: BookLane,
        _ deliver: Deliver
    ) async {
        lane.report(Set(markets))
        let all = lanes.reduce(into: Set()) { $0.formUnion($1.subscribed) }
        await send([.feed(.subscribed(all.sorted()))], deliver)
        let hasNew = scheduler.withLock { $0.noteSubscribed(Set(markets), in: lane.generation) }
        if hasNew { requestsChanged.signal() }
    }

    /// Runs one connection until it fails or is closed.
    private func hold(
        _ id: Int,
        of lane: BookLane,
        _ orders: AsyncValue<Orders>,
        _ deliver: @escaping Deliver
    ) async {
        let error = await withTaskGroup(of: DataSourceError?.self) { group in
            group.addTask {
                _ = await orders.first { $0.isClosed }
                return nil
            }
            group.addTask { await self.connectAndReceive(id, of: lane, orders, deliver) }
            let first = await group.next() ?? nil
            group.cancelAll()
            return first
        }
        guard let error else { return }
        let (now, random) = (elapsed, parts.random())
        lane.state.withLock { $0.ended(id, error, at: now, random: random) }
        lane.changed.signal()
    }

    /// Connects, subscribes and receives until the connection fails or the task is cancelled.
    private func connectAndReceive(
        _ id: Int,
        of lane: BookLane,
        _ orders: AsyncValue<Orders>,
        _ deliver: @escaping Deliver
    ) async -> DataSourceError {
        do throws(DataSourceError) {
            let connection = try await parts.books.connect(to: lane.generation)
            let now = elapsed
            lane.state.withLock { $0.connected(id, connection.generation, at: now) }
            lane.changed.signal()
            // The exchange may take seconds to acknowledge; no failure is shown meanwhile.
            await send([.feed(.connected(lane.markets))], deliver)
            let error = await withTaskGroup(of: DataSourceError?.self) { group in
                group.addTask { await self.receive(connection, id, of: lane, deliver) }
                group.addTask { await self.subscribeLists(orders, connection, id, of: lane) }
                let first = await group.next() ?? nil
                group.cancelAll()
                return first
            }
            await connection.close()
            return error ?? DataSourceError(.cancelled, "the order book stream was stopped")
        } catch {
            return error
        }
    }

    /// Subscribes the last ordered list.
    private func subscribeLists(
        _ orders: AsyncValue<Orders>,
        _ connection: any MarketStream,
        _ id: Int,
        of lane: BookLane
    ) async -> DataSourceError? {
        var done = 0
        while let order = await orders.first(where: { [done] in
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
            lane.state.withLock { $0.sent(id, order, requests: subscriptions.count, at: now) }
            lane.changed.signal()
        }
        return nil
    }

    private func receive(
        _ connection: any MarketStream,
        _ id: Int,
        of lane: BookLane,
        _ deliver: @escaping Deliver
    ) async -> DataSourceError? {
        do throws(DataSourceError) {
            while true {
                let batch = try await connection.receive()
                try handleStatuses(batch.messages, id, of: lane)
                let receivedAt = parts.now()
                let frames = BookFrames(
                    batch.messages,
                    // Another lane has the book that left this one.
                    of: lane.markets,
                    notAfter: latestTime(at: receivedAt)
                )
                let now = elapsed
                lane.state.withLock { plan in
                    plan.received(id, hasSnapshots: frames.hasSnapshots, at: now)
                }
                scheduler.withLock { plan in
                    plan.noteSnapshots(of: frames.snapshots, in: connection.generation, at: now)
                }
                let frameCount = batch.frameCount - frames.statusCount
                guard frameCount > 0 || !frames.events.isEmpty else { continue }
                await send(
                    DetailEventBatch(
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

    /// Handles status messages of the connection.
    private func handleStatuses(
        _ messages: [StreamMessageDTO],
        _ id: Int,
        of lane: BookLane
    ) throws(DataSourceError) {
        for case .status(let status) in messages {
            let now = elapsed
            if !status.isRefusal {
                guard !status.isGreeting else { continue }
                lane.state.withLock { $0.acknowledged(id, at: now) }
            } else if !lane.state.withLock({ $0.refused(id, at: now) }) {
                throw DataSourceError(
                    .refused(status: status.status, message: status.message),
                    "order book stream"
                )
            }
            lane.changed.signal()
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
    /// Whether this is the greeting of a connection, not an acknowledgement.
    fileprivate var isGreeting: Bool { message == "Connected Successfully" }
}
