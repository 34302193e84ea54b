import DataSourceContracts
import DataSourcesSQLite
import FoundationEssentials
import Migrations
import Synchronization
import TestSupport

/// A running trial of a store.
struct StoreRun {
    private(set) var report: ProgramReport
    private let trial: StoreTrial
    private let folder: String
    private let disk: TrialDisk
    private let clock: StoreTrialClock
    private var random: SeededGenerator
    private var calls: StoreCallGenerator
    private var oracle: StoreOracle
    private var stores: [SQLiteStore] = []
    /// Whether each store has written since the last fault, so that it has no reason to fail.
    private var isSettled: [Bool] = []
    private var lease: LeaseDTO?
    private var restarts = 0
    private var copies = 0
    /// The newest calls and faults, which a failure names.
    private var events: [String] = []
    private static let eventsMax = 12

    /// A store may need some attempts, because it opens its file at most once a second.
    private static let attemptsMax = 3
    private static let retryMicroseconds: Int64 = 2_000_000
    /// The number of calls of each store after the faults.
    private static let callsAfterwards = 12

    /// Prepares a trial.
    init(_ trial: StoreTrial) {
        self.trial = trial
        report = ProgramReport(seed: trial.seed)
        // Disks of trials are faster in memory.
        let memory = "/dev/shm"
        let folders =
            FileManager.default.fileExists(atPath: memory)
            ? memory : FileManager.default.temporaryDirectory.path(percentEncoded: false)
        folder = "\(folders)/hoga-trial-\(UUID().uuidString)"
        disk = TrialDisk(
            seed: trial.seed,
            hasSharedMemory: StoreSchedule.hasSharedMemory(trial.seed),
            isLying: trial.isDiskLying
        )
        let clock = StoreTrialClock()
        self.clock = clock
        random = SeededGenerator(seed: trial.seed ^ 0x73_746f_7265)
        calls = StoreCallGenerator(seed: trial.seed)
        oracle = StoreOracle(now: { clock.now })
    }

    /// Runs it until the first failure.
    mutating func run() async {
        await makeOlderFile()
        makeStores()
        for step in 0..<StoreSchedule.stepCount where report.failures.isEmpty {
            arm(at: .step(step))
            clock.advance(by: Int64.random(in: 100_000...2_000_000, using: &random))
            await takeStep()
            await restartIfOff()
        }
        if report.failures.isEmpty { await heal() }
        if report.failures.isEmpty { await finish() }
        for store in stores { await store.close() }
        try? FileManager.default.removeItem(atPath: folder)
        if !report.failures.isEmpty { report.fail("last: \(events.joined(separator: "; "))") }
        for (name, count) in disk.counts { report.injected[name, default: 0] += count }
        report.digest("\(disk.digest)".utf8)
    }

    // MARK: Files

    /// An older version of hoga has made the file of some seeds.
    private mutating func makeOlderFile() async {
        let all = Migration.sqlite
        guard let count = StoreSchedule.formerMigrations(of: trial.seed, present: all.count)
        else { return }
        let store = makeStore(steps: Array(all.prefix(count)))
        do throws(StoreError) {
            try await store.open()
        } catch {
            report.fail("an older file cannot be made: \(words(error))")
        }
        await store.close()
    }

    private mutating func makeStores() {
        let count = StoreSchedule.stores(of: trial.seed)
        stores = (0..<count).map { _ in makeStore(steps: Migration.sqlite) }
        isSettled = Array(repeating: false, count: count)
    }

    private func makeStore(steps: [Migration]) -> SQLiteStore {
        var settings = SQLiteStoreSettings()
        settings.patience = .milliseconds(4)
        settings.steps = steps
        settings.vfs = disk.vfs
        return SQLiteStore(path: "\(folder)/hoga.sqlite", settings: settings) { [clock] in
            clock.now
        }
    }

    /// Begins the faults of a moment.
    ///
    /// - Returns: whether there are any.
    @discardableResult
    private func arm(at moment: ScheduledDiskFault.Moment) -> Bool {
        let faults = trial.faults.filter { $0.moment == moment }
        for fault in faults { disk.arm(fault.fault, after: fault.calls, times: fault.times) }
        return !faults.isEmpty
    }

    private mutating func restartIfOff() async {
        while disk.isOff, report.failures.isEmpty { await restart() }
    }

    /// Every process ends, the files become what the disk holds, and new processes open them.
    private mutating func restart() async {
        for store in stores { await store.close() }
        events.append("restart")
        let openFiles = disk.restart()
        guard openFiles == 0 else {
            report.fail("\(openFiles) files are open after all stores were closed")
            return
        }
        oracle.losePower()
        makeStores()
        let hasFaults = arm(at: .restart(restarts))
        restarts += 1
        for place in stores.indices {
            let isRead = await look(place)
            if disk.isOff { return }
            guard hasFaults || isRead || !report.failures.isEmpty else {
                report.fail("the store cannot be read after a restart")
                return
            }
        }
        if !hasFaults { await inspect() }
    }

    /// Checks the whole file.
    private mutating func inspect() async {
        do throws(StoreError) {
            let check = try await stores[0].check()
            report.check("file is sound")
            if !check.isSound { report.fail("the file is damaged: \(check.problems.sorted())") }
        } catch {
            report.fail("the file cannot be checked: \(words(error))")
        }
    }

    // MARK: Steps

    private mutating func takeStep() async {
        let place = Int.random(in: stores.indices, using: &random)
        switch Int.random(in: 0..<40, using: &random) {
        case 0, 1:
            let before = disk.faultCount
            await stores[place].close()
            remember("closed", on: place, since: before)
            unsettle(since: before)
        case 2: await copy(place)
        case 3..<8: await look(place)
        default: await changeSomething(place)
        }
    }

    /// Makes a call, unless it is not known what the last ones have changed.
    private mutating func changeSomething(_ place: Int) async {
        if oracle.isUncertain {
            guard await look(place), !disk.isOff, report.failures.isEmpty else { return }
        }
        do throws(StoreError) {
            let call = try await calls.next(on: oracle.likely, lease: lease, at: clock.now)
            await make(call, on: place)
        } catch {
            preconditionFailure("A store in memory can be read: \(error)")
        }
    }

    /// Makes a call.
    ///
    /// - Returns: whether it was acknowledged.
    @discardableResult
    private mutating func make(_ call: StoreCall, on place: Int) async -> Bool {
        clock.advance(by: 1_000)
        let time = clock.now
        let before = disk.faultCount
        do throws(StoreError) {
            let answer = try await call.run(on: stores[place], at: time)
            if case .lease(let taken) = answer { lease = taken }
            remember("acknowledged \(call.name)", on: place, since: before)
            note(await oracle.acknowledge(call, answer, at: time), "acknowledged calls")
            isSettled[place] = true
            unsettle(since: before)
            return true
        } catch {
            remember("refused \(call.name): \(words(error))", on: place, since: before)
            note(await oracle.refuse(call, error.code, at: time), "refused calls")
            if StoreOracle.isFault(error.code) { judge(error, on: place, since: before) }
            return false
        }
    }

    /// Reads everything.
    ///
    /// - Returns: whether it could be read.
    @discardableResult
    private mutating func look(_ place: Int) async -> Bool {
        let before = disk.faultCount
        do throws(StoreError) {
            let contents = try await StoreContents(of: stores[place], at: clock.now)
            remember("was read", on: place, since: before)
            note(await oracle.see(contents, at: clock.now), "readings")
            unsettle(since: before)
            return true
        } catch {
            remember("could not be read: \(words(error))", on: place, since: before)
            judge(error, on: place, since: before)
            return false
        }
    }

    /// Copies the store, and reads the copy.
    private mutating func copy(_ place: Int) async {
        copies += 1
        let path = "\(folder)/copy-\(copies)"
        let before = disk.faultCount
        do throws(StoreError) {
            _ = try await stores[place].backup(to: path)
            unsettle(since: before)
        } catch {
            // Before the first change there is no file.
            if error.code != .unavailable || isSettled[place] {
                judge(error, on: place, since: before)
            }
            if FileManager.default.fileExists(atPath: path) {
                report.fail("a failed copy is there")
            }
            return
        }
        let copied = SQLiteStore(path: path) { [clock] in clock.now }
        do throws(StoreError) {
            let contents = try await StoreContents(of: copied, at: clock.now)
            note(await oracle.see(contents, at: clock.now), "copies")
        } catch {
            report.fail("a copy cannot be read: \(words(error))")
        }
        await copied.close()
        try? FileManager.default.removeItem(atPath: path)
    }

    // MARK: The end

    /// Without faults everything works again.
    private mutating func heal() async {
        disk.disarm()
        for place in stores.indices {
            var works = false
            for _ in 0..<Self.attemptsMax where !works {
                clock.advance(by: Self.retryMicroseconds)
                works = await make(.checkWriting, on: place)
            }
            guard works else { return report.fail("a store does not work after the faults") }
        }
        for _ in 0..<Self.callsAfterwards where report.failures.isEmpty {
            for place in stores.indices {
                await changeSomething(place)
                await look(place)
            }
        }
    }

    /// Everything is there after a last loss of power, and the file is sound.
    private mutating func finish() async {
        if trial.seed % 2 == 0 { disk.arm(.power, after: 0, times: 1) }
        await restart()
        if report.failures.isEmpty { report.check("trials") }
    }

    // MARK: Findings

    private mutating func note(_ failure: String?, _ name: String) {
        report.check(name)
        if let failure { report.fail("step at \(clock.now): \(failure)") }
    }

    private mutating func remember(_ event: String, on place: Int, since before: Int) {
        let faults = disk.faultCount - before
        events.append("store \(place) \(event)" + (faults > 0 ? " with \(faults) faults" : ""))
        if events.count > Self.eventsMax { events.removeFirst() }
    }

    /// An error needs a fault, and does not call a sound file damaged.
    private mutating func judge(_ error: StoreError, on place: Int, since before: Int) {
        report.digest("\(error.code)".utf8)
        report.check("errors \(error.code)")
        if !StoreOracle.isFault(error.code) {
            report.fail("step at \(clock.now): a sound file is refused: \(words(error))")
        } else if isSettled[place], disk.faultCount == before {
            report.fail("step at \(clock.now): an error without a fault: \(words(error))")
        }
        unsettle(since: before)
    }

    private mutating func unsettle(since before: Int) {
        guard disk.faultCount != before else { return }
        for place in isSettled.indices { isSettled[place] = false }
    }

    /// The words of an error without the folder, which each run names differently.
    private func words(_ error: StoreError) -> String {
        error.description.replacing(folder, with: "")
    }
}

/// The clock of a trial, microseconds since 1970 UTC.
private final class StoreTrialClock: Sendable {
    private let time = Atomic<Int64>(1_700_000_000_000_000)

    var now: Int64 { time.load(ordering: .relaxed) }

    func advance(by microseconds: Int64) {
        time.wrappingAdd(microseconds, ordering: .relaxed)
    }
}
