import DataSources
import Domain

extension LiveMarketFeed {
    /// Keeps one stream connection alive.
    func followStream(_ deliver: @escaping Deliver) async {
        var backoff = ReconnectBackoff()
        // Nothing can be subscribed before a listing has named the markets.
        guard await directory.first(where: { !$0.names.isEmpty }) != nil else { return }
        while !Task.isCancelled {
            let began = elapsed
            let error = await session(deliver)
            switch error.code {
            case .cancelled: return
            case .ended:
                await end(deliver)
                return
            case .unreachable, .untrusted, .timedOut, .disconnected, .httpStatus, .refused,
                .rateLimited, .malformed:
                break
            }
            if elapsed - began >= StreamWatch.stableAfter { backoff.succeeded() }
            let wait = backoff.failed(at: elapsed, random: parts.random())
            await tell(
                .reconnecting(
                    attempt: backoff.attempt,
                    nextRetryAt: parts.now().advanced(by: wait),
                    failure: FeedFailure(error)
                ),
                deliver
            )
            let retry = retries.value
            await sleep(wait, until: retries) { $0 > retry }
        }
    }

    /// Connects, subscribes and reads until something breaks.
    ///
    /// - Returns: what broke it.
    private func session(_ deliver: @escaping Deliver) async -> DataSourceError {
        do throws(DataSourceError) {
            let stream = try await parts.streams.connect()
            let error = await read(stream, deliver)
            await stream.close()
            return error
        } catch {
            return error
        }
    }

    private func read(
        _ stream: any MarketStream,
        _ deliver: @escaping Deliver
    ) async -> DataSourceError {
        let subscribed = directory.value.names
        do throws(DataSourceError) {
            try await stream.subscribe(Self.subscriptions(subscribed))
        } catch {
            return error
        }
        await tell(.subscribed, deliver)
        // Read anew after subscribing: whatever happened in between is in the one or the other.
        let resync = listingsWanted.update { $0 += 1 }
        let watch = StreamWatch(startingAt: elapsed)
        return await withTaskGroup(of: DataSourceError?.self) { group in
            group.addTask { await self.receive(stream, watch, deliver) }
            group.addTask { await self.guardSilence(watch, deliver) }
            group.addTask { await self.subscribeNewMarkets(stream, after: subscribed) }
            group.addTask {
                guard await self.listingsRead.first(where: { $0 >= resync }) != nil else {
                    return nil
                }
                await self.tell(.live, deliver)
                return nil
            }
            var broken: DataSourceError?
            for await error in group {
                guard let error else { continue }
                // The first failure is the cause; what follows is only the clearing up.
                broken = broken ?? error
                group.cancelAll()
            }
            return broken ?? DataSourceError(.cancelled, "the feed was stopped")
        }
    }

    private static func subscriptions(_ names: [String]) -> [StreamSubscriptionDTO] {
        [
            StreamSubscriptionDTO(
                type: "ticker",
                symbols: names,
                tickTypes: StreamMapping.tickTypes
            ),
            StreamSubscriptionDTO(type: "transaction", symbols: names),
        ]
    }

    private func receive(
        _ stream: any MarketStream,
        _ watch: StreamWatch,
        _ deliver: @escaping Deliver
    ) async -> DataSourceError? {
        do throws(DataSourceError) {
            while true {
                let batch = try await stream.receive()
                let status = await deliver(
                    MarketEventBatch(
                        events: StreamMapping.events(batch.messages),
                        receivedAt: parts.now(),
                        frameCount: batch.frameCount
                    )
                )
                watch.note(signOfLife: status.lastSignOfLifeAt, at: elapsed)
                if let refusal = Self.refusal(in: batch.messages) { throw refusal }
            }
        } catch {
            return error
        }
    }

    /// The first status that is no success: the server did not accept what was asked.
    private static func refusal(in messages: [StreamMessageDTO]) -> DataSourceError? {
        for case .status(let status) in messages where status.status != "0000" {
            return DataSourceError(
                .refused(status: status.status, message: status.message),
                "stream"
            )
        }
        return nil
    }

    /// Marks the feed stale, then gives the connection up, when the busiest market is silent.
    private func guardSilence(
        _ watch: StreamWatch,
        _ deliver: @escaping Deliver
    ) async -> DataSourceError? {
        var isStale = false
        while !Task.isCancelled {
            let silence = elapsed - watch.lastSignOfLife
            if silence >= StreamWatch.deadAfter, kind.value != .replay {
                return DataSourceError(.timedOut, "no frame of the busiest market for 10 s")
            }
            if silence < FeedStatus.staleAfter {
                isStale = false
            } else if !isStale {
                isStale = true
                await tell(.stale, deliver)
            }
            let next =
                silence < FeedStatus.staleAfter ? FeedStatus.staleAfter : StreamWatch.deadAfter
            // A recording may be silent for as long as it likes; then this looks once a second.
            let wait = max(next - silence, .zero) + .milliseconds(1)
            try? await parts.clock.sleep(for: next > silence ? wait : .seconds(1))
        }
        return nil
    }

    /// Subscribes the full list again whenever the exchange lists something new.
    private func subscribeNewMarkets(
        _ stream: any MarketStream,
        after subscribed: [String]
    ) async -> DataSourceError? {
        var count = subscribed.count
        while let directory = await directory.first(where: { [count] in $0.names.count > count }) {
            count = directory.names.count
            do throws(DataSourceError) {
                try await stream.subscribe(Self.subscriptions(directory.names))
            } catch {
                return error
            }
        }
        return nil
    }

    /// Reads the last listings of a recording, then says that it has ended.
    private func end(_ deliver: Deliver) async {
        let request = listingsWanted.update { $0 += 1 }
        _ = await listingsRead.first { $0 >= request }
        hasEnded.update { $0 = true }
        listingsWanted.update { $0 += 1 }
        await tell(.ended, deliver)
    }
}
