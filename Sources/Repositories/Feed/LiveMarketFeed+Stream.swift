import DataSourceContracts
import Domain

extension LiveMarketFeed {
    /// Keeps one stream connection alive.
    func followStream(_ deliver: @escaping Deliver) async {
        var backoff = ReconnectBackoff()
        await waitForMarkets()
        while !Task.isCancelled {
            let watch = StreamLiveness()
            let end = await session(watch, deliver)
            // A wish to retry counts from here on: whoever is told of the loss may ask at once.
            let retry = retries.value
            let failure: FeedFailure
            switch end {
            case .failed(let error):
                switch error.code {
                case .cancelled: return
                case .ended:
                    await self.end(deliver)
                    return
                case .unreachable, .proxy, .untrusted, .timedOut, .disconnected, .httpStatus,
                    .refused,
                    .rateLimited, .malformed:
                    failure = FeedFailure(error)
                }
            case .silent: failure = .silence
            }
            if watch.wasStable(at: elapsed) { backoff.succeeded() }
            let wait = backoff.failed(at: elapsed, random: parts.random(), pause: end.pause)
            await tell(
                .reconnecting(
                    attempt: backoff.attempt,
                    nextRetryAt: parts.now().advanced(by: wait),
                    failure: failure
                ),
                deliver
            )
            await sleep(wait, atLeast: end.pause, until: retries) { $0 > retry }
        }
    }

    /// Waits until there is something to subscribe: before a listing there is nothing.
    ///
    /// A recording may hold frames alone and sends them whatever is asked for, so it is played
    /// once its listings have been tried.
    private func waitForMarkets() async {
        await withTaskGroup { group in
            group.addTask { _ = await self.directory.first { !$0.names.isEmpty } }
            group.addTask {
                _ = await self.kind.first { $0 == .replay }
                _ = await self.listingsAttempted.first { $0 > 0 }
            }
            await group.next()
            group.cancelAll()
        }
    }

    /// Connects, subscribes and reads until something breaks.
    private func session(_ watch: StreamLiveness, _ deliver: @escaping Deliver) async -> SessionEnd
    {
        do throws(DataSourceError) {
            let stream = try await parts.streams.connect()
            let end = await read(stream, watch, deliver)
            await stream.close()
            return end
        } catch {
            return .failed(error)
        }
    }

    private func read(
        _ stream: any MarketStream,
        _ watch: StreamLiveness,
        _ deliver: @escaping Deliver
    ) async -> SessionEnd {
        let subscribed = directory.value.names
        do throws(DataSourceError) {
            try await stream.subscribe(Self.subscriptions(subscribed))
        } catch {
            return .failed(error)
        }
        let status = await tell(.subscribed, deliver)
        watch.begin(at: elapsed, signOfLife: status.lastActivityAt)
        // Read anew after subscribing: whatever happened in between is in the one or the other.
        let resync = listingsRequested.update { $0 += 1 }
        return await withTaskGroup(of: SessionEnd?.self) { group in
            group.addTask { await self.receive(stream, watch, deliver) }
            group.addTask { await self.detectSilence(watch, deliver) }
            group.addTask { await self.subscribeNewMarkets(stream, after: subscribed) }
            group.addTask {
                guard await self.listingsRead.first(where: { $0 >= resync }) != nil else {
                    return nil
                }
                await self.tell(.live, deliver)
                return nil
            }
            var first: SessionEnd?
            for await end in group {
                guard let end else { continue }
                // The first failure is the cause; what follows is only the clearing up.
                first = first ?? end
                group.cancelAll()
            }
            return first ?? .failed(DataSourceError(.cancelled, "the feed was stopped"))
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
        _ watch: StreamLiveness,
        _ deliver: @escaping Deliver
    ) async -> SessionEnd? {
        // The greeting and one word for each subscription; more of them are no news.
        var acknowledgementsLeft = 3
        do throws(DataSourceError) {
            while true {
                let batch = try await stream.receive()
                let words = batch.messages.count { if case .status = $0 { true } else { false } }
                let receivedAt = parts.now()
                let status = await deliver(
                    MarketEventBatch(
                        events: StreamMapping.events(
                            batch.messages,
                            notAfter: latestTime(at: receivedAt)
                        ),
                        receivedAt: receivedAt,
                        frameCount: batch.frameCount - words
                    )
                )
                watch.note(signOfLife: status.lastActivityAt, at: elapsed)
                for case .status(let word) in batch.messages {
                    // The server did not accept what was asked.
                    guard word.status == "0000" else {
                        throw DataSourceError(
                            .refused(status: word.status, message: word.message),
                            "stream"
                        )
                    }
                    // A subscription counts from here, perhaps seconds after it was sent (10.3 s
                    // were seen), so the listing is read once more.
                    if acknowledgementsLeft > 0 { listingsRequested.update { $0 += 1 } }
                    acknowledgementsLeft -= 1
                }
            }
        } catch {
            return .failed(error)
        }
    }

    /// Marks the feed stale, then gives the connection up, when the busiest market is silent.
    private func detectSilence(
        _ watch: StreamLiveness,
        _ deliver: @escaping Deliver
    ) async -> SessionEnd? {
        var told: Duration?
        while !Task.isCancelled {
            let lastSign = watch.lastSignOfLife
            let silence = elapsed - lastSign
            let wait: Duration
            if silence < FeedStatus.staleAfter {
                wait = FeedStatus.staleAfter - silence
            } else {
                if told != lastSign {
                    told = lastSign
                    await tell(.stale, deliver)
                }
                // A recording may be silent for as long as it likes.
                let isDead = silence >= StreamLiveness.deadAfter
                if isDead, kind.value != .replay { return .silent }
                wait = isDead ? FeedStatus.staleAfter : StreamLiveness.deadAfter - silence
            }
            try? await parts.clock.sleep(for: wait)
        }
        return nil
    }

    /// Subscribes the full list again whenever the exchange lists something new.
    private func subscribeNewMarkets(
        _ stream: any MarketStream,
        after subscribed: [String]
    ) async -> SessionEnd? {
        var count = subscribed.count
        while let directory = await directory.first(where: { [count] in $0.names.count > count }) {
            count = directory.names.count
            do throws(DataSourceError) {
                try await stream.subscribe(Self.subscriptions(directory.names))
            } catch {
                return .failed(error)
            }
        }
        return nil
    }

    /// Reads the last listings of a recording, then says that it has ended.
    private func end(_ deliver: Deliver) async {
        let request = listingsRequested.update { $0 += 1 }
        guard await listingsAttempted.first(where: { $0 >= request }) != nil else { return }
        hasEnded.update { $0 = true }
        listingsRequested.update { $0 += 1 }
        await tell(.ended, deliver)
    }
}

/// Why a connection was given up.
private enum SessionEnd {
    /// A source failed, or the recording or the task ended.
    case failed(DataSourceError)
    /// The busiest market was silent for too long.
    case silent

    /// The pause that the exchange asked for; zero if none.
    var pause: Duration {
        switch self {
        case .failed(let error): error.pause
        case .silent: .zero
        }
    }
}
