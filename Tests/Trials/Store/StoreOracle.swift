import DataSourceContracts
import TestSupport

/// The contents that a store may have after the calls so far.
///
/// A call that was acknowledged is there, also after a loss of power. A call that failed is there
/// as a whole or not at all. Readers see one of the two. In an embedded store the other one may
/// become true until a later change is acknowledged, which syncs everything before it: SQLite reads
/// its log again when the file is opened again, and finds what it could not sync.
struct StoreOracle {
    private struct Candidate {
        let store: InMemoryStore
        /// The number of the last call that it has.
        var lastCall = 0
        /// The calls that made the lease what it is, because it cannot be read.
        var leaseCalls: [Int] = []
    }

    /// The contents that readers may see, given those that they have seen.
    private var visible: [Candidate]
    /// The contents that readers may see once the file was opened again: seen ones do not go back.
    private var reopened: [Candidate]
    /// The contents that readers may see after a loss of power.
    private var durable: [Candidate]
    /// Whether calls have failed since the last change.
    private var hasFailures = false
    private var callCount = 0
    /// Whether the stores are those of a deployment.
    private let isShared: Bool

    /// An empty store whose leases use the clock.
    init(isShared: Bool = false, now: @escaping @Sendable () -> Int64) {
        self.isShared = isShared
        visible = [Candidate(store: InMemoryStore(now: now))]
        reopened = visible
        durable = visible
    }

    /// A store that holds what readers may see.
    var likely: InMemoryStore { visible[0].store }

    /// Whether readers may see one of several contents.
    var isUncertain: Bool { visible.count > 1 }

    /// A call was acknowledged.
    ///
    /// - Returns: what is wrong with the answer; nil if it is right.
    mutating func acknowledge(
        _ call: StoreCall,
        _ answer: StoreAnswer,
        at time: Int64
    ) async -> String? {
        callCount += 1
        var next: [Candidate] = []
        // Without an alternative it does not matter whether something was written.
        let hasWritten = call.hasWrittenLease(answer) || !hasFailures
        var areAllChanged = true
        for candidate in await distinct(visible + reopened, at: time) {
            var (changed, expected) = await outcome(of: call, on: candidate, at: time)
            guard case .success(answer) = expected else { continue }
            // The answer tells everything about a lease that was taken.
            if case .takeLease = call { changed.leaseCalls = [callCount] }
            var isChanged = true
            if !hasWritten {
                let before = await self.contents(of: candidate, at: time)
                isChanged = await before != self.contents(of: changed, at: time)
            }
            areAllChanged = areAllChanged && isChanged
            if call.isBestEffort { next.append(candidate) }
            next.append(isChanged || call.changesLease ? changed : candidate)
        }
        guard !next.isEmpty else { return "\(answer) is the wrong answer to \(call)" }
        next = await distinct(next, at: time)
        if areAllChanged, !call.isBestEffort || next.count == 1 {
            visible = next
            reopened = next
            durable = next
            hasFailures = false
        } else {
            // Perhaps nothing was written, and nothing synced.
            await add(next, at: time)
            if !call.isBestEffort { visible = next }
        }
        return nil
    }

    /// A call failed.
    ///
    /// - Returns: what is wrong with the error; nil if a store may fail with it.
    mutating func refuse(
        _ call: StoreCall,
        _ code: StoreError.Code,
        at time: Int64
    ) async -> String? {
        callCount += 1
        var changed: [Candidate] = []
        var refusing: [Candidate] = []
        for candidate in visible {
            switch await outcome(of: call, on: candidate, at: time) {
            case (let next, .success): changed.append(next)
            case (_, .failure(let error)):
                if error.code == code { refusing.append(candidate) }
            }
        }
        if Self.isFault(code) {
            await add(changed, at: time)
            return nil
        }
        guard !refusing.isEmpty else { return "\(code) is the wrong answer to \(call)" }
        visible = refusing
        return nil
    }

    /// Adds what may have been stored.
    private mutating func add(_ changed: [Candidate], at time: Int64) async {
        visible = await distinct(visible + changed, at: time)
        reopened = await distinct(reopened + changed, at: time)
        durable = await distinct(durable + changed, at: time)
        hasFailures = true
    }

    /// Something was read.
    ///
    /// - Returns: what is wrong with it; nil if it may be there.
    mutating func see(_ contents: StoreContents, at time: Int64) async -> String? {
        var nearest: [String]?
        for candidates in [visible, reopened] {
            var seen: [Candidate] = []
            for candidate in candidates {
                let own = await self.contents(of: candidate, at: time)
                if own == contents {
                    seen.append(candidate)
                } else {
                    let parts = contents.differences(from: own)
                    if parts.count < nearest?.count ?? .max { nearest = parts }
                }
            }
            guard let first = seen.map(\.lastCall).min() else { continue }
            visible = seen
            reopened = hasFailures ? reopened.filter { $0.lastCall >= first } : seen
            if !hasFailures { durable = seen }
            return nil
        }
        return "what is read was never stored: \((nearest ?? []).joined(separator: ", "))"
    }

    /// Every call has ended, also those that failed: the visible contents are final.
    mutating func settle() {
        reopened = visible
        durable = visible
        hasFailures = false
    }

    /// The power was lost.
    mutating func losePower() {
        visible = durable
        reopened = durable
        hasFailures = false
    }

    private func outcome(
        of call: StoreCall,
        on candidate: Candidate,
        at time: Int64
    ) async -> (Candidate, Result<StoreAnswer, StoreError>) {
        let changed = Candidate(
            store: candidate.store.copy(),
            lastCall: callCount,
            leaseCalls: candidate.leaseCalls + (call.changesLease ? [callCount] : [])
        )
        do throws(StoreError) {
            return (changed, .success(try await call.run(on: model(changed), at: time)))
        } catch {
            return (candidate, .failure(error))
        }
    }

    /// Whether an error says that the store could not be used, and not that it is damaged.
    static func isFault(_ code: StoreError.Code) -> Bool {
        switch code {
        case .unavailable, .busy, .full, .readOnly: true
        case _: false
        }
    }

    private func model(_ candidate: Candidate) -> TrialStore {
        TrialStore(model: candidate.store, isShared: isShared)
    }

    private func distinct(_ all: [Candidate], at time: Int64) async -> [Candidate] {
        guard all.count > 1 else { return all }
        var kept: [(candidate: Candidate, contents: StoreContents)] = []
        for candidate in all {
            let contents = await self.contents(of: candidate, at: time)
            let isKnown = kept.contains {
                $0.contents == contents && $0.candidate.leaseCalls == candidate.leaseCalls
            }
            if !isKnown { kept.append((candidate, contents)) }
        }
        return kept.map(\.candidate)
    }

    private func contents(of candidate: Candidate, at time: Int64) async -> StoreContents {
        do {
            return try await StoreContents(of: model(candidate), at: time)
        } catch {
            preconditionFailure("A store in memory can be read: \(error)")
        }
    }
}
