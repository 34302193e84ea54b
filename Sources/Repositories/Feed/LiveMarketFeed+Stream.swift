import Concurrency
import DataSourceContracts
import Domain

extension LiveMarketFeed {
    /// Keeps one stream connection open.
    func followStream(_ deliver: @escaping Deliver) async {
        var backoff = Backoff(.exchange)
        await waitForMarkets()
        while !Task.isCancelled {
            let liveness = StreamLiveness()
            let end = await session(liveness, deliver)
            // Requests to retry count from here on, because the loss is reported next.
            let retry = retries.value
            let failure: FeedFailure
            switch end {
            case .failed(let error):
                switch error.code {
                case .cancelled: return
                case .ended:
                    await self.end(deliver)
                    return
                case .unreachable, .unknownHost, .proxy, .untrusted, .timedOut, .disconnected,
                    .httpStatus,
                    .refused,
                    .rateLimited, .unserved, .malformed:
                    failure = FeedFailure(error)
                }
            case .silent: failure = .silence
            }
            if liveness.wasStable(at: elapsed) { backoff.succeeded() }
            let wait = backoff.failed(at: elapsed, random: parts.random(), pause: end.pause)
            await report(
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

    /// Waits for the first listing, which names the markets to subscribe.
    ///
    /// A recording may hold frames alone and sends them in any case, so it starts once its listings
    /// were attempted.
    private func waitForMarkets() async {
        await withTaskGroup { group in
            group.addTask { _ = await self.scope.first { !$0.markets.names.isEmpty } }
            group.addTask {
                _ = await self.kind.first { $0 == .replay }
                _ = await self.listingsAttempted.first { $0 > 0 }
            }
            await group.next()
            group.cancelAll()
        }
    }

    /// Connects, subscribes and receives until the connection ends.
    private func session(
        _ liveness: StreamLiveness,
        _ deliver: @escaping Deliver
    ) async -> SessionEnd {
        do throws(DataSourceError) {
            let stream = try await parts.streams.connect()
            parts.onAnswer(.stream, nil)
            let end = await read(stream, liveness, deliver)
            await stream.close()
            return end
        } catch {
            if error.code != .cancelled { parts.onAnswer(.stream, error) }
            return .failed(error)
        }
    }

    private func read(
        _ stream: any MarketStream,
        _ liveness: StreamLiveness,
        _ deliver: @escaping Deliver
    ) async -> SessionEnd {
        let subscribed = scope.value
        do throws(DataSourceError) {
            try await stream.subscribe(subscribed.subscriptions)
        } catch {
            return .failed(error)
        }
        let status = await report(.subscribed, deliver)
        liveness.begin(at: elapsed, signOfLife: status.lastActivityAt)
        return await withTaskGroup(of: SessionEnd?.self) { group in
            group.addTask { await self.receive(stream, liveness, deliver) }
            group.addTask { await self.detectSilence(liveness, deliver) }
            group.addTask { await self.followScope(stream, after: subscribed, deliver) }
            group.addTask {
                await self.reportLive(deliver)
                return nil
            }
            var first: SessionEnd?
            for await end in group {
                guard let end else { continue }
                // The first failure is the cause; later ones follow from the cancellation.
                first = first ?? end
                group.cancelAll()
            }
            return first ?? .failed(DataSourceError(.cancelled, "the feed was stopped"))
        }
    }

    private func receive(
        _ stream: any MarketStream,
        _ liveness: StreamLiveness,
        _ deliver: @escaping Deliver
    ) async -> SessionEnd? {
        // The greeting and one status for each subscription; further ones change nothing.
        var acknowledgementsLeft = 3
        var recent = RecentTrades()
        do throws(DataSourceError) {
            while true {
                let received = try await stream.receive()
                let statusCount = received.messages.count {
                    if case .status = $0 { true } else { false }
                }
                // After a sleep of the machine, data may arrive before the silence is noticed.
                if liveness.beginsSilence(at: elapsed) { await report(.stale, deliver) }
                let receivedAt = parts.now()
                let feedStatus = await deliver(
                    batch(
                        StreamMapping.events(
                            received.messages,
                            after: &recent,
                            notAfter: latestTime(at: receivedAt)
                        ),
                        receivedAt: receivedAt,
                        frameCount: received.frameCount - statusCount
                    )
                )
                if liveness.note(signOfLife: feedStatus.lastActivityAt, at: elapsed),
                    kind.value != .replay
                {
                    // Prices may be from before the silence.
                    listingsRequested.update { $0 += 1 }
                }
                for case .status(let status) in received.messages {
                    // The server refused the subscription.
                    guard !status.isRefusal else {
                        throw DataSourceError(
                            .refused(status: status.status, message: status.message),
                            "stream"
                        )
                    }
                    // The subscription counts from its acknowledgement, up to 10.3 s after the
                    // request was sent, so the listing is read once more.
                    if acknowledgementsLeft > 0 { listingsRequested.update { $0 += 1 } }
                    acknowledgementsLeft -= 1
                }
            }
        } catch {
            return .failed(error)
        }
    }

    /// Marks the feed stale, then ends the connection, while the busiest market is silent.
    private func detectSilence(
        _ liveness: StreamLiveness,
        _ deliver: @escaping Deliver
    ) async -> SessionEnd? {
        while !Task.isCancelled {
            let silence = elapsed - liveness.lastSignOfLife
            let wait: Duration
            if silence < FeedStatus.staleAfter {
                wait = FeedStatus.staleAfter - silence
            } else {
                if liveness.beginsSilence(at: elapsed) { await report(.stale, deliver) }
                // Silence never ends a recording.
                let isDead = silence >= StreamLiveness.deadAfter
                if isDead, kind.value != .replay { return .silent }
                wait = isDead ? FeedStatus.staleAfter : StreamLiveness.deadAfter - silence
            }
            try? await parts.clock.sleep(for: wait)
        }
        return nil
    }

    /// Subscribes the full list again when the exchange lists a new market, or when the feed
    /// becomes primary, which begins as a new connection does.
    private func followScope(
        _ stream: any MarketStream,
        after subscribed: StreamScope,
        _ deliver: @escaping Deliver
    ) async -> SessionEnd? {
        var known = subscribed
        while let scope = await scope.first(where: { [known] in $0 != known }) {
            let isPromoted = scope.isPrimary && scope.promotions != known.promotions
            known = scope
            do throws(DataSourceError) {
                try await stream.subscribe(scope.subscriptions)
            } catch {
                return .failed(error)
            }
            guard isPromoted else { continue }
            await report(.subscribed, deliver)
            await reportLive(deliver)
        }
        return nil
    }

    /// Reads the listings, which cover the time before the subscription, and reports the feed live.
    private func reportLive(_ deliver: @escaping Deliver) async {
        let resync = listingsRequested.update { $0 += 1 }
        guard await listingsRead.first(where: { $0 >= resync }) != nil else { return }
        await report(.live, deliver)
    }

    /// Reads the last listings of a recording, then reports its end.
    private func end(_ deliver: Deliver) async {
        let request = listingsRequested.update { $0 += 1 }
        guard await listingsAttempted.first(where: { $0 >= request }) != nil else { return }
        hasEnded.update { $0 = true }
        listingsRequested.update { $0 += 1 }
        await report(.ended, deliver)
    }
}

/// Why a connection ended.
private enum SessionEnd {
    /// A source failed, or the recording or the task ended.
    case failed(DataSourceError)
    /// The busiest market was silent for too long.
    case silent

    /// The pause that the exchange asked for, or zero.
    var pause: Duration {
        switch self {
        case .failed(let error): error.pause
        case .silent: .zero
        }
    }
}
