import DataSourceContracts
import Domain
import UseCases

extension LiveReferenceFeed {
    /// Reads deposits and withdrawals while anybody looks at them: one reading for all.
    func followAssets(_ deliver: @escaping Deliver) async {
        var kind = parts.identity.kind
        var plan = assetsPlan
        while !Task.isCancelled {
            let seen = news.value
            if parts.identity.kind != kind {
                kind = parts.identity.kind
                plan = assetsPlan
            }
            guard kind != .replay, parts.interests.areStatesWanted else {
                await rest(unless: seen)
                continue
            }
            let wait = plan.wait(at: elapsed, requests: reloads.value)
            if wait > .zero {
                await rest(wait, unless: seen)
                continue
            }
            plan.begin(answering: reloads.value)
            do throws(DataSourceError) {
                try await readAssets(deliver)
                plan.succeeded(at: elapsed)
            } catch {
                if error.code == .cancelled { return }
                let pause = error.pause
                let wait = plan.failed(at: elapsed, random: parts.random(), pause: pause)
                let now = parts.now()
                let event = ReferenceEvent.assetStatesFailed(
                    FeedFailure(error),
                    nextRetryAt: now.advanced(by: wait)
                )
                await tell([event], receivedAt: now, deliver)
            }
        }
    }

    private var assetsPlan: RefreshSchedule {
        RefreshSchedule(interval: AssetStates.readingInterval, answering: reloads.value)
    }

    private func readAssets(_ deliver: Deliver) async throws(DataSourceError) {
        let answer = try await parts.assets.assetStatuses()
        let readAt = parts.now()
        let (states, skipped) = AssetStateMapping.states(answer)
        guard !states.isEmpty else {
            throw DataSourceError(.malformed, "assetsstatus/ALL: an answer without a coin")
        }
        let event = ReferenceEvent.assetStates(states, readAt: readAt)
        await tell([event], skipped: skipped, receivedAt: readAt, deliver)
    }
}
