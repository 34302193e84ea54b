import DataSourceContracts
import Domain

extension LiveReferenceFeed {
    /// How often names and warnings are read.
    static var namesInterval: Duration { .seconds(3_600) }

    /// Tells what is stored, lets the listings have their turn, then reads each hour.
    func followNames(_ deliver: @escaping Deliver) async {
        var kind = parts.identity.kind
        var known = await deliverStored(of: kind, deliver)
        var plan = namesPlan
        let identity = parts.identity.knowledge
        _ = await identity.first { $0.isListingAttempted }
        while !Task.isCancelled {
            let seen = news.value
            if identity.value.isCertain { parts.archive?.identify(identity.value.kind) }
            if identity.value.kind != kind {
                // Names of a simulated exchange say nothing of the real one.
                kind = identity.value.kind
                plan = namesPlan
                known = await deliverStored(of: kind, deliver)
            }
            if kind == .replay {
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
                try await readNames(&known, deliver)
                plan.succeeded(at: elapsed)
            } catch {
                if error.code == .cancelled { return }
                _ = plan.failed(at: elapsed, random: parts.random(), pause: error.pause)
            }
        }
    }

    private var namesPlan: RefreshSchedule {
        RefreshSchedule(interval: Self.namesInterval, answering: reloads.value)
    }

    /// Tells what is stored of a kind of feed.
    ///
    /// - Returns: the stored warnings, for as long as nothing newer can be read.
    private func deliverStored(
        of kind: FeedKind,
        _ deliver: Deliver
    ) async -> [MarketID: [MarketAlert]] {
        guard kind != .replay, let archive = parts.archive else { return [:] }
        var events: [ReferenceEvent] = []
        if let stored = await archive.closes() {
            events.append(.closes(stored.closes, of: stored.kind))
        }
        if let stored = await archive.names() {
            events.append(.names(stored.names.filled(from: parts.names)))
        }
        let marks = await archive.marks()
        if let marks { events.append(.marks(marks)) }
        await tell(events, receivedAt: parts.now(), deliver)
        return marks?.alerts ?? [:]
    }

    /// Reads names and warnings and tells them.
    ///
    /// Names and 유의 come of one answer, 경보 of another: where that one fails, the warnings that
    /// were known stand, each to its own end.
    ///
    /// - Parameters:
    ///   - alerts: the warnings that are known; becomes those that were read.
    ///   - deliver: takes what was read.
    /// - Throws: what the first answer failed with, else the second, when all that is known is
    ///   told.
    private func readNames(
        _ alerts: inout [MarketID: [MarketAlert]],
        _ deliver: Deliver
    ) async throws(DataSourceError) {
        let answer = try await parts.markets.markets()
        let readAt = parts.now()
        let (names, unreadable) = MarketReferenceMapping.names(answer)
        guard names.count > 0 else {
            throw DataSourceError(.malformed, "market/all: an answer without a market")
        }
        let warned = MarketReferenceMapping.warned(answer)
        parts.archive?.keep(names, readAt: readAt)
        await tell(
            [.names(names.filled(from: parts.names))],
            skipped: unreadable,
            receivedAt: readAt,
            deliver
        )
        var skipped = 0
        var failure: DataSourceError?
        do throws(DataSourceError) {
            (alerts, skipped) = MarketReferenceMapping.alerts(try await parts.markets.alerts())
        } catch {
            if error.code == .cancelled { throw error }
            failure = error
        }
        let marks = MarketWarnings(warned: warned, alerts: alerts, readAt: parts.now())
        if failure == nil { parts.archive?.keep(marks) }
        await tell([.marks(marks)], skipped: skipped, receivedAt: marks.readAt, deliver)
        if let failure { throw failure }
    }
}
