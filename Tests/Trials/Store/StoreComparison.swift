import DataSourceContracts
import FoundationEssentials
import Synchronization
import TestSupport

/// Calls stores with the same data and compares them with what they acknowledged.
struct StoreComparison {
    var report: ProgramReport
    let clock = StoreTrialClock()
    private var calls: StoreCallGenerator
    private var oracle: StoreOracle
    private var lease: LeaseDTO?
    /// The run's folder, left out of errors so that equal seeds give equal reports.
    private let folder: String
    private let isUsable: @Sendable () -> Bool
    /// The number of faults so far.
    let faultCount: @Sendable () -> Int
    /// Whether each store has written since the last fault, so that it has no reason to fail.
    private var isSettled: [Bool] = []
    /// The newest calls and faults, which a failure names.
    private var events: [String] = []
    private static let eventsMax = 12

    /// Compares empty stores.
    ///
    /// - Parameters:
    ///   - seed: determines the calls.
    ///   - start: the time of the first call, microseconds since 1970 UTC.
    ///   - isShared: whether the stores are those of a deployment.
    ///   - folder: the run's folder, left out of errors so that equal seeds give equal reports.
    ///   - isUsable: whether a store could still be called, after it was read.
    ///   - faultCount: the number of faults so far.
    init(
        seed: UInt64,
        start: Int64 = 1_700_000_000_000_000,
        isShared: Bool = false,
        hiding folder: String = "",
        isUsable: @escaping @Sendable () -> Bool = { true },
        faultCount: @escaping @Sendable () -> Int
    ) {
        report = ProgramReport(seed: seed)
        calls = StoreCallGenerator(seed: seed, isShared: isShared)
        let clock = clock
        clock.advance(by: start)
        oracle = StoreOracle(isShared: isShared) { clock.now }
        self.folder = folder
        self.isUsable = isUsable
        self.faultCount = faultCount
    }

    /// Whether a store has no reason to fail.
    func isSettled(_ place: Int) -> Bool { isSettled[place] }

    /// New processes open this many stores.
    mutating func restart(storeCount: Int) {
        isSettled = Array(repeating: false, count: storeCount)
    }

    /// The power was lost.
    mutating func losePower() { oracle.losePower() }

    /// Every call has ended, also those that failed: what was read is final.
    mutating func settle() { oracle.settle() }

    // MARK: Calls

    /// Makes a call, unless it is not known what the last ones have changed.
    ///
    /// - Returns: whether it was acknowledged.
    @discardableResult
    mutating func changeSomething(of store: TrialStore, at place: Int) async -> Bool {
        if oracle.isUncertain {
            guard await read(store, at: place), isUsable(), report.failures.isEmpty else {
                return false
            }
        }
        let call: StoreCall
        do throws(StoreError) {
            call = try await calls.next(on: oracle.likely, lease: lease, at: clock.now)
        } catch {
            preconditionFailure("A store in memory can be read: \(error)")
        }
        return await make(call, on: store, at: place)
    }

    /// Makes a call.
    ///
    /// - Returns: whether it was acknowledged.
    @discardableResult
    mutating func make(_ call: StoreCall, on store: TrialStore, at place: Int) async -> Bool {
        clock.advance(by: 1_000)
        let time = clock.now
        let before = faultCount()
        do throws(StoreError) {
            let answer = try await call.run(on: store, at: time)
            if case .lease(let taken) = answer { lease = taken }
            remember("acknowledged \(call.name)", on: place, since: before)
            note(await oracle.acknowledge(call, answer, at: time), "acknowledged calls")
            isSettled[place] = true
            unsettle(since: before)
            return true
        } catch {
            remember("refused \(call.name): \(words(error))", on: place, since: before)
            note(await oracle.refuse(call, error.code, at: time), "refused calls")
            if StoreOracle.isFault(error.code) {
                if faultCount() != before { report.check("interrupted \(call.name)") }
                judge(error, on: place, since: before)
            }
            return false
        }
    }

    /// Reads everything.
    ///
    /// - Returns: whether it could be read.
    @discardableResult
    mutating func read(_ store: TrialStore, at place: Int) async -> Bool {
        let before = faultCount()
        do throws(StoreError) {
            let contents = try await StoreContents(of: store, at: clock.now)
            remember("was read", on: place, since: before)
            await compare(contents, "readings")
            unsettle(since: before)
            return true
        } catch {
            remember("could not be read: \(words(error))", on: place, since: before)
            judge(error, on: place, since: before)
            return false
        }
    }

    /// Compares what was read.
    mutating func compare(_ contents: StoreContents, _ name: String) async {
        note(await oracle.see(contents, at: clock.now), name)
    }

    // MARK: Findings

    private mutating func note(_ failure: String?, _ name: String) {
        report.check(name)
        if let failure { report.fail("step at \(clock.now): \(failure)") }
    }

    /// Names the newest calls and faults if something failed.
    mutating func finish() {
        if !report.failures.isEmpty { report.fail("last: \(events.joined(separator: "; "))") }
    }

    /// Keeps an event for the report of a failure.
    mutating func remember(_ event: String) {
        events.append(event)
        if events.count > Self.eventsMax { events.removeFirst() }
    }

    /// Keeps what a store did.
    mutating func remember(_ event: String, on place: Int, since before: Int) {
        let faults = faultCount() - before
        remember("store \(place) \(event)" + (faults > 0 ? " with \(faults) faults" : ""))
    }

    /// Reports an error without a fault, and one that calls a sound store damaged.
    mutating func judge(_ error: StoreError, on place: Int, since before: Int) {
        report.digest("\(error.code)".utf8)
        report.check("errors \(error.code)")
        if !StoreOracle.isFault(error.code) {
            report.fail("step at \(clock.now): a sound store is refused: \(words(error))")
        } else if isSettled[place], faultCount() == before {
            report.fail("step at \(clock.now): an error without a fault: \(words(error))")
        }
        unsettle(since: before)
    }

    /// The words of an error.
    func words(_ error: StoreError) -> String {
        folder.isEmpty ? error.description : error.description.replacing(folder, with: "")
    }

    /// After a fault each store may fail until it has written.
    mutating func unsettle(since before: Int) {
        guard faultCount() != before else { return }
        for place in isSettled.indices { isSettled[place] = false }
    }
}

/// The clock of a trial, microseconds since 1970 UTC.
final class StoreTrialClock: Sendable {
    private let time = Atomic<Int64>(0)

    var now: Int64 { time.load(ordering: .relaxed) }

    func advance(by microseconds: Int64) {
        time.wrappingAdd(microseconds, ordering: .relaxed)
    }
}
