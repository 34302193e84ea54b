import Domain
import ExchangeSimulator

/// The claims about shown data that faults, in force or over, suspend.
///
/// A message that is lost on an open connection leaves no trace that a client could see, nor does
/// one that arrives behind a later one. Its figures may be missing until another message has them.
struct FaultEffects {
    /// When the last silent loss ended; nil without one.
    private(set) var silentLossUntil: Duration?
    private var silentLosses = 0
    /// Whether trades without an id ever arrived twice: those of API 1.x.
    private(set) var hasDuplicates = false
    /// Whether the times of streams ever differed from those over REST.
    private(set) var hasShiftedTimes = false
    /// Until when the listings of API 2.x may leave out a market that the exchange refused.
    private var leftOutUntil: [MarketID: Duration] = [:]

    /// A refused market is asked for again after ten minutes.
    private static let refusalMemory: Duration = .seconds(600)

    mutating func begin(_ fault: ProgramFault) {
        if fault.isSilentLoss { silentLosses += 1 }
        if fault.repeatsTrades { hasDuplicates = true }
        if fault.shiftsTimes { hasShiftedTimes = true }
    }

    mutating func end(_ fault: ProgramFault, at now: Duration) {
        if fault.isSilentLoss {
            silentLosses -= 1
            silentLossUntil = now
        }
        if case .exchange(.refusedCode(let market)) = fault {
            leftOutUntil[market] = now + Self.refusalMemory
        }
    }

    /// Whether an instance that started while the exchange refused a market may leave it out, so
    /// that it has no price and no alerts.
    func isLeftOut(_ market: MarketID, at now: Duration) -> Bool {
        leftOutUntil[market].map { now < $0 } ?? false
    }

    /// Whether messages were ever lost without a trace.
    var hasSilentLoss: Bool { silentLosses > 0 || silentLossUntil != nil }

    /// Whether what was lost without a trace may still be missing.
    func isLossShown(at now: Duration) -> Bool {
        if silentLosses > 0 { return true }
        guard let silentLossUntil else { return false }
        return now - silentLossUntil < Self.toldAgain
    }

    /// A listing is read each ten seconds, and a failed one again within thirty.
    static let toldAgain: Duration = .seconds(60)
}

extension TrialNetwork {
    /// Begins the effect of a fault on this network.
    func begin(_ fault: ProgramFault) {
        switch fault {
        case .refused(let path): set(path) { $0.isRefusing = true }
        case .reset(let path): reset(path)
        case .halfOpen(let path): set(path) { $0.isHalfOpen = true }
        case .slow(let path, let milliseconds):
            set(path) { $0.delay = .milliseconds(milliseconds) }
        case .sliced(let path): set(path) { $0.isSlicing = true }
        case .lost(let path, let perMille): set(path) { $0.lostPerMille = perMille }
        case .duplicated(let path, let perMille): set(path) { $0.duplicatedPerMille = perMille }
        case .late(let path, let perMille): set(path) { $0.latePerMille = perMille }
        case .corrupted(let path, let perMille): set(path) { $0.corruptedPerMille = perMille }
        case .exchange, .rename, .maintenance, .clockJump, .store, .crash, .change, .alertRule,
            .readersAway:
            break
        }
    }

    /// Ends the effect of a fault on this network.
    func end(_ fault: ProgramFault) {
        switch fault {
        case .refused(let path): set(path) { $0.isRefusing = false }
        case .halfOpen(let path): set(path) { $0.isHalfOpen = false }
        case .slow(let path, _): set(path) { $0.delay = .zero }
        case .sliced(let path): set(path) { $0.isSlicing = false }
        case .lost(let path, _): set(path) { $0.lostPerMille = 0 }
        case .duplicated(let path, _): set(path) { $0.duplicatedPerMille = 0 }
        case .late(let path, _): set(path) { $0.latePerMille = 0 }
        case .corrupted(let path, _): set(path) { $0.corruptedPerMille = 0 }
        case .reset, .exchange, .rename, .maintenance, .clockJump, .store, .crash, .change,
            .alertRule, .readersAway:
            break
        }
    }
}
