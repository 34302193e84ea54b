import DataSourceContracts
import DataSourcesSQLite
import FoundationEssentials
import Migrations
import TestSupport

/// A running trial of a store.
struct StoreRun {
    private var comparison: StoreComparison
    private let trial: StoreTrial
    private let folder: String
    private let disk: TrialDisk
    private var random: SeededGenerator
    private var stores: [SQLiteStore] = []
    private var restarts = 0
    private var copies = 0

    /// A store may need some attempts, because it opens its file at most once a second.
    private static let attemptsMax = 3
    private static let retryMicroseconds: Int64 = 2_000_000
    /// The number of calls of each store after the faults.
    private static let callsAfterwards = 12

    /// Prepares a trial.
    init(_ trial: StoreTrial) {
        self.trial = trial
        // Disks of trials are faster in memory.
        let memory = "/dev/shm"
        let folders =
            FileManager.default.fileExists(atPath: memory)
            ? memory : FileManager.default.temporaryDirectory.path(percentEncoded: false)
        folder = "\(folders)/hoga-trial-\(UUID().uuidString)"
        let disk = TrialDisk(
            seed: trial.seed,
            hasSharedMemory: StoreSchedule.hasSharedMemory(trial.seed),
            isLying: trial.isDiskLying
        )
        self.disk = disk
        random = SeededGenerator(seed: trial.seed ^ 0x73_746f_7265)
        comparison = StoreComparison(seed: trial.seed, hiding: folder, isUsable: { !disk.isOff }) {
            disk.faultCount
        }
    }

    /// Whether nothing has failed.
    private var isRight: Bool { comparison.report.failures.isEmpty }

    /// Runs it until the first failure.
    mutating func run() async -> ProgramReport {
        await makeOlderFile()
        makeStores()
        for step in 0..<StoreSchedule.stepCount where isRight {
            arm(at: .step(step))
            comparison.clock.advance(by: Int64.random(in: 100_000...2_000_000, using: &random))
            await takeStep()
            await restartIfOff()
        }
        if isRight { await heal() }
        if isRight { await finish() }
        for store in stores { await store.close() }
        try? FileManager.default.removeItem(atPath: folder)
        comparison.finish()
        var report = comparison.report
        for (name, count) in disk.counts { report.injected[name, default: 0] += count }
        report.digest("\(disk.digest)".utf8)
        return report
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
            fail("an older file cannot be made: \(comparison.words(error))")
        }
        await store.close()
    }

    private mutating func makeStores() {
        let count = StoreSchedule.stores(of: trial.seed)
        stores = (0..<count).map { _ in makeStore(steps: Migration.sqlite) }
        comparison.restart(storeCount: count)
    }

    private func makeStore(steps: [Migration]) -> SQLiteStore {
        var settings = SQLiteStoreSettings()
        settings.patience = .milliseconds(4)
        settings.steps = steps
        settings.vfs = disk.vfs
        return SQLiteStore(path: "\(folder)/hoga.sqlite", settings: settings) {
            [clock = comparison.clock] in clock.now
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
        while disk.isOff, isRight { await restart() }
    }

    /// Every process ends, the files become what the disk holds, and new processes open them.
    private mutating func restart() async {
        for store in stores { await store.close() }
        comparison.remember("restart")
        let openFiles = disk.restart()
        guard openFiles == 0 else {
            fail("\(openFiles) files are open after all stores were closed")
            return
        }
        comparison.losePower()
        makeStores()
        let hasFaults = arm(at: .restart(restarts))
        restarts += 1
        for place in stores.indices {
            let isRead = await look(place)
            if disk.isOff { return }
            guard hasFaults || isRead || !isRight else {
                fail("the store cannot be read after a restart")
                return
            }
        }
        if !hasFaults { await inspect() }
    }

    /// Checks the whole file.
    private mutating func inspect() async {
        do throws(StoreError) {
            let check = try await stores[0].check()
            comparison.report.check("file is sound")
            if !check.isSound { fail("the file is damaged: \(check.problems.sorted())") }
        } catch {
            fail("the file cannot be checked: \(comparison.words(error))")
        }
    }

    // MARK: Steps

    private mutating func takeStep() async {
        let place = Int.random(in: stores.indices, using: &random)
        switch Int.random(in: 0..<40, using: &random) {
        case 0, 1:
            let before = disk.faultCount
            await stores[place].close()
            comparison.remember("closed", on: place, since: before)
            comparison.unsettle(since: before)
        case 2: await copy(place)
        case 3..<8: await look(place)
        default: await comparison.changeSomething(of: TrialStore(stores[place]), at: place)
        }
    }

    /// Reads everything.
    ///
    /// - Returns: whether it could be read.
    @discardableResult
    private mutating func look(_ place: Int) async -> Bool {
        await comparison.read(TrialStore(stores[place]), at: place)
    }

    /// Copies the store, and reads the copy.
    private mutating func copy(_ place: Int) async {
        copies += 1
        let path = "\(folder)/copy-\(copies)"
        let before = disk.faultCount
        do throws(StoreError) {
            _ = try await stores[place].backup(to: path)
            comparison.unsettle(since: before)
        } catch {
            // Before the first change there is no file.
            if error.code != .unavailable || comparison.isSettled(place) {
                comparison.judge(error, on: place, since: before)
            }
            if FileManager.default.fileExists(atPath: path) {
                fail("a failed copy is there")
            }
            return
        }
        let copied = SQLiteStore(path: path) { [clock = comparison.clock] in clock.now }
        do throws(StoreError) {
            let time = comparison.clock.now
            await comparison.compare(
                try await StoreContents(of: TrialStore(copied), at: time),
                "copies"
            )
        } catch {
            fail("a copy cannot be read: \(comparison.words(error))")
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
                comparison.clock.advance(by: Self.retryMicroseconds)
                let store = TrialStore(stores[place])
                works = await comparison.make(.checkWriting, on: store, at: place)
            }
            guard works else { return fail("a store does not work after the faults") }
        }
        for _ in 0..<Self.callsAfterwards where isRight {
            for place in stores.indices {
                await comparison.changeSomething(of: TrialStore(stores[place]), at: place)
                await look(place)
            }
        }
    }

    /// Everything is there after a last loss of power, and the file is sound.
    private mutating func finish() async {
        if trial.seed % 2 == 0 { disk.arm(.power, after: 0, times: 1) }
        await restart()
        if isRight { comparison.report.check("trials") }
    }

    private mutating func fail(_ text: String) { comparison.report.fail(text) }
}
