import Domain
import ExchangeSimulator
import TestSupport
import ViewStates

/// The start, the number of instances and the faults of a trial, which its seed decides.
enum ProgramSchedule {
    /// The market whose details are followed.
    static let watched: MarketID = "BTC_KRW"

    /// The request for its documents.
    static var detail: MarketDetailQuery { MarketDetailQuery(market: watched) }

    /// The number of instances: one, or two that share a store.
    static func instances(of seed: UInt64) -> Int { seed % 2 == 0 ? 2 : 1 }

    /// Whether the seed's streams lose messages without a trace.
    ///
    /// Then some claims cannot be checked any more, so most seeds have no such fault.
    private static func losesSilently(_ seed: UInt64) -> Bool { seed % 4 == 3 }

    /// Whether the seed has so few faults that what takes minutes without one is compared.
    private static func isCalm(_ seed: UInt64) -> Bool { seed % 10 == 9 }

    /// The time of the exchange at the start: for one seed in three some minutes before 00:00 in
    /// Seoul, else noon there.
    static func start(of seed: UInt64) -> Timestamp {
        guard seed % 3 == 1 else { return .noon() }
        let midnight = SeoulTime.startOfDay(SeoulTime(.noon()).day + 1)
        var random = SeededGenerator(seed: seed ^ 0x6d69_646e)
        return midnight.advanced(by: .seconds(-Int.random(in: 60...440, using: &random)))
    }

    /// The faults of a seed.
    static func faults(of seed: UInt64) -> [ScheduledFault] {
        var random = SeededGenerator(seed: seed ^ 0x6661_756c_74)
        let count = Int.random(in: isCalm(seed) ? 0...2 : 4...28, using: &random)
        let end = Int(ProgramTrial.healing.milliseconds)
        return changes(&random) + alertRules(of: seed) + renames(of: seed)
            + (0..<count).map { _ in
                let at = Int.random(in: 0...(end - 2_000), using: &random)
                let longest = min(90_000, end - at)
                let lasting = Int.random(in: 100...longest, using: &random)
                return ScheduledFault(
                    at: .milliseconds(at),
                    lasting: .milliseconds(lasting),
                    fault: fault(losesSilently: losesSilently(seed), &random)
                )
            }
    }

    /// Changes by users, all the time.
    private static func changes(_ random: inout SeededGenerator) -> [ScheduledFault] {
        let end = Int(ProgramTrial.healing.milliseconds)
        return (0..<24).map { number in
            ScheduledFault(
                at: .milliseconds(Int.random(in: 0...end, using: &random)),
                lasting: .zero,
                fault: .change(instance: Int.random(in: 0...1, using: &random), number: number)
            )
        }
    }

    /// Alert rules that users make, some at the start and others all the time.
    private static func alertRules(of seed: UInt64) -> [ScheduledFault] {
        var random = SeededGenerator(seed: seed ^ 0x616c_6572_74)
        let end = Int(ProgramTrial.usualDuration.milliseconds) - 30_000
        return (0..<AlertDeeds.count).map { number in
            let isFirst = number < 12 || number >= AlertDeeds.boundedFirst + 4
            let last = isFirst ? 9_000 : end
            return ScheduledFault(
                at: .milliseconds(Int.random(in: 2_000...last, using: &random)),
                lasting: .zero,
                fault: .alertRule(instance: Int.random(in: 0...1, using: &random), number: number)
            )
        }
    }

    /// A traded market that no other fault is about.
    private static let renamed: (old: MarketID, new: MarketID) = ("USDT_KRW", "USDX_KRW")

    /// Another code of a market for two seeds in five; half of them give the old one back.
    private static func renames(of seed: UInt64) -> [ScheduledFault] {
        guard seed % 5 < 2 else { return [] }
        var random = SeededGenerator(seed: seed ^ 0x7265_6e61_6d65)
        let end = Int(ProgramTrial.healing.milliseconds)
        let times = [0, 1].map { _ in Int.random(in: 0...end, using: &random) }.sorted()
        let faults = [
            ProgramFault.rename(renamed.old, to: renamed.new),
            ProgramFault.rename(renamed.new, to: renamed.old),
        ]
        return zip(times, faults).prefix(Bool.random(using: &random) ? 2 : 1).map { at, fault in
            ScheduledFault(at: .milliseconds(at), lasting: .zero, fault: fault)
        }
    }

    private static func fault(
        losesSilently: Bool,
        _ random: inout SeededGenerator
    ) -> ProgramFault {
        while true {
            let fault = anyFault(&random)
            if losesSilently || !fault.isSilentLoss { return fault }
        }
    }

    private static func anyFault(_ random: inout SeededGenerator) -> ProgramFault {
        let path = TrialPath.allCases.randomElement(using: &random) ?? .rest
        let perMille = [5, 50, 300].randomElement(using: &random) ?? 50
        switch Int.random(in: 0..<23, using: &random) {
        case 0: return .refused(path)
        case 1, 2: return .reset(path)
        case 3: return .halfOpen(path)
        case 4: return .slow(path, milliseconds: Int.random(in: 50...2_400, using: &random))
        case 5: return .sliced(path == .rest ? .stream2 : path)
        case 6: return .lost(path == .rest ? .stream1 : path, perMille: perMille)
        case 7: return .duplicated(path == .rest ? .stream2 : path, perMille: perMille)
        case 8: return .late(path == .rest ? .stream2 : path, perMille: perMille)
        case 9, 10: return .corrupted(path, perMille: perMille)
        case 11: return .maintenance
        case 12:
            // Small steps back are made up for; a clock that makes larger ones was wrong.
            let secondsMax = Bool.random(using: &random) ? 20 : 900
            return .clockJump(seconds: Int.random(in: -secondsMax...secondsMax, using: &random))
        case 13, 14: return .crash(instance: Int.random(in: 0...1, using: &random))
        case 15: return .readersAway
        case 16: return .store(storeFault(&random), instance: nil)
        case 17: return .store(storeFault(&random), instance: Int.random(in: 0...1, using: &random))
        default: return .exchange(exchangeFault(&random))
        }
    }

    private static func storeFault(_ random: inout SeededGenerator) -> StoreFaultKind {
        StoreFaultKind.allCases.randomElement(using: &random) ?? .busy
    }

    private static func exchangeFault(_ random: inout SeededGenerator) -> SimulatorFault {
        let every = Int.random(in: 1...20, using: &random)
        let faults: [SimulatorFault] = [
            .truncatedJSON(every: every), .wrongTypes(every: every), .unknownSymbols(every: every),
            .suspension("ETH_KRW"),
            .serverError(status: Int.random(in: 500...504, using: &random)),
            .htmlBodies, .tooManyRequests, .refusal5600,
            .latency(milliseconds: Int.random(in: 100...4_000, using: &random)), .greetingWithheld,
            .stall, .connectionDrop, .listing("NEW_KRW"), .delisting("XRP_KRW"), .api1Off,
            .api2Off, .stream1Stall, .stream2Stall, .stream1Gone, .stream2Gone,
            .candleHole(minutesAgo: 3, minutes: 2), .inclusiveCursor, .shiftedStreamTimes,
            .oldStreamIDs, .realtimeFirst, .lateFrames, .longNumbers, .noDelistingDates,
            .trueTickerTimes, .refusedCode("ETH_KRW"),
        ]
        return faults.randomElement(using: &random) ?? .htmlBodies
    }
}
