import DataSourceContracts
import Domain
import ExchangeSimulator
import PresentationHTTP
import Repositories
import Synchronization
import TestSupport
import UseCases
import ViewStates

/// A running trial.
struct ProgramRun {
    private(set) var report: ProgramReport
    private let trial: ProgramTrial
    private let tasks = SteppedTasks()
    private let exchange: SteppedSimulator
    private let stores: TrialStores
    private let clocks: TrialClocks
    private var instances: [RunningInstance] = []
    private var truth: ExchangeTruth
    private var effects = FaultEffects()
    private let users: UsersObserver
    private var alerts: AlertsObserver
    private var areReadersAway = false
    private var looks = 0
    private var changes: [SteppedTasks.Work] = []

    /// An instance and its work; nil while it is down.
    struct RunningInstance {
        var instance: TrialInstance?
        var work: SteppedTasks.Work?
        let network: TrialNetwork
        let stores: TrialStores
        var starts = 0
        var observer: InstanceObserver
        var followers = [
            DocumentFollower(.marketList(MarketListQuery()), pause: 10),
            // So slow that its events are reset.
            DocumentFollower(.marketDetail(ProgramSchedule.detail), pause: 170),
            DocumentFollower(.trades(ProgramSchedule.detail), pause: 20),
        ]
    }

    init(_ trial: ProgramTrial) {
        self.trial = trial
        report = ProgramReport(seed: trial.seed)
        let clock = tasks.clock
        var random = SeededGenerator(seed: trial.seed)
        let clocks = TrialClocks(clock, start: ProgramSchedule.start(of: trial.seed))
        self.clocks = clocks
        exchange = Self.exchange(trial.seed, clocks)
        stores = TrialStores(
            market: InMemorySharedStore { clocks.store().microseconds },
            users: InMemoryStore(users: ["a", "b"]) { clocks.store().microseconds },
            ids: [UserID(1), UserID(2)]
        )
        users = UsersObserver(stores)
        alerts = AlertsObserver(stores, exchange, from: clocks.exchange())
        truth = ExchangeTruth(watching: ProgramSchedule.watched)
        for index in 0..<ProgramSchedule.instances(of: trial.seed) {
            let network = TrialNetwork(
                exchange,
                clock: clock,
                exchangeTime: { clocks.exchange() },
                instance: index,
                seed: random.next()
            )
            instances.append(
                RunningInstance(
                    network: network,
                    stores: stores.connected(),
                    observer: InstanceObserver()
                )
            )
        }
    }

    private static func exchange(_ seed: UInt64, _ clocks: TrialClocks) -> SteppedSimulator {
        var simulation = ExchangeSimulator.Simulation(seed: seed, framesPerSecond: 40)
        simulation.wonMarkets = 5
        simulation.bitcoinMarkets = 2
        simulation.quietWonMarkets = 1
        simulation.illiquidWonMarkets = 0
        simulation.quietBitcoinMarkets = 0
        simulation.suspendedMarkets = 0
        simulation.bookFramesPerSecond = 4
        do throws(ExchangeSimulatorError) {
            return try SteppedSimulator(simulation, requestsPerSecondMax: 150) {
                clocks.exchange()
            }
        } catch {
            preconditionFailure("\(error)")
        }
    }

    // MARK: Running

    mutating func run() {
        for index in instances.indices { start(index) }
        var pending = trial.faults.sorted { $0.at < $1.at }[...]
        var ending: [(at: Duration, fault: ProgramFault)] = []
        var now: Duration = .zero
        while now < trial.duration {
            while let next = pending.first, next.at <= now {
                pending.removeFirst()
                begin(next.fault)
                ending.append((next.at + next.lasting, next.fault))
            }
            for fault in ending.filter({ $0.at <= now }) { end(fault.fault) }
            ending.removeAll { $0.at <= now }
            look(at: now)
            tasks.advance(by: ProgramTrial.step)
            now += ProgramTrial.step
        }
        look(at: now)
        checkEnd(at: now)
        end()
    }

    /// Advances the exchange, carries its messages, and compares the shown data with the truth.
    private mutating func look(at now: Duration) {
        exchange.advance()
        truth.record(exchange, at: now)
        alerts.record(exchange)
        for running in instances { running.network.carry() }
        tasks.settle()
        looks += 1
        var leaders = 0
        for index in instances.indices {
            guard let instance = instances[index].instance else { continue }
            if instance.evaluation.term != nil { leaders += 1 }
            instances[index].observer.look(
                at: instance,
                now,
                truth,
                effects,
                into: &report
            )
            read(index, instance)
        }
        if leaders > 0 { report.check("one leader") }
        if leaders > 1 { report.fail("\(now): \(leaders) instances lead") }
        guard looks % Self.looksPerAlertLook == 0 else { return }
        for running in instances {
            guard let instance = running.instance else { continue }
            BoundsObserver.look(at: instance, now, into: &report)
        }
        let sleepersMax = BoundsObserver.sleepersMax * instances.count
        let sleepers = tasks.clock.sleeperCount
        report.check("sleeping tasks", sleepers, atMost: sleepersMax, at: now)
        changes.removeAll(where: \.isOver)
        report.check("changes in progress", changes.count, atMost: 0, at: now)
        alerts.recordBounds(exchange, at: clocks.exchange())
        let isExact = !effects.hasSilentLoss
        alerts.look(
            at: clocks.exchange(),
            isExact: isExact,
            repeatsTrades: effects.hasDuplicates || effects.hasShiftedTimes,
            isLeftOut: { [effects] in effects.isLeftOut($0, at: now) },
            into: &report
        )
    }

    /// Lets the readers of an instance read.
    private mutating func read(_ index: Int, _ instance: TrialInstance) {
        guard looks % Self.looksPerPass == 0, !areReadersAway else { return }
        instance.streams.advance()
        instance.streams.tick()
        // Readers that wait get their events with the next pass.
        for _ in 0..<2 {
            for place in instances[index].followers.indices {
                instances[index].followers[place].look(at: instance, looks, into: &report)
            }
            instance.streams.advance()
        }
    }

    /// Streams are served once a second here, ten times in the program.
    private static let looksPerPass = 10

    /// Alerts and bounds are compared once a second.
    private static let looksPerAlertLook = 10

    private mutating func leaveStreams(_ index: Int) {
        for place in instances[index].followers.indices {
            instances[index].followers[place].leave()
        }
    }

    private mutating func start(_ index: Int) {
        instances[index].starts += 1
        let clocks = clocks
        let name = "instance\(index)start\(instances[index].starts)"
        let random = Mutex(SeededGenerator(seed: trial.seed &* 31 &+ UInt64(index)))
        let source = TrialRandom(random)
        let local = SteadyClock(uptime: tasks.clock) { clocks.local() }
        let instance = TrialInstance(
            .init(
                name: name,
                network: instances[index].network,
                stores: instances[index].stores,
                clock: tasks.clock,
                now: { local.now() },
                onDate: { local.noteExchangeDate($0, took: $1) },
                random: { source.next() },
                isCompressed: trial.seed % 3 == 0
            )
        )
        instances[index].instance = instance
        instances[index].work = tasks.start { await instance.run() }
        instances[index].observer.begin(instance)
    }

    private mutating func stop(_ index: Int) {
        leaveStreams(index)
        instances[index].observer.end()
        instances[index].work?.cancel()
        tasks.settle()
        if instances[index].work?.isOver == false {
            report.fail("instance \(index) goes on though it was cancelled")
        }
        instances[index].work = nil
        instances[index].instance = nil
    }

    private mutating func end() {
        for running in instances { report.injected.merge(running.network.injected) { $0 + $1 } }
        for index in instances.indices where instances[index].instance != nil { stop(index) }
        for change in changes where !change.isOver { change.cancel() }
        tasks.settle()
        if changes.contains(where: { !$0.isOver }) { report.fail("a change never ends") }
        for running in instances { running.network.end() }
        if let deadline = tasks.clock.nextDeadline {
            report.fail("a task sleeps until \(deadline.offset) though all have ended")
        }
    }

    private mutating func checkEnd(at now: Duration) {
        for index in instances.indices {
            guard let instance = instances[index].instance else { continue }
            instances[index].observer.checkEnd(instance, now, truth, effects, into: &report)
        }
        let counts = users.counts
        report.injected["acknowledged changes", default: 0] += counts.acknowledged
        report.injected["refused changes", default: 0] += counts.refused
        let (stores, clocks) = (stores, clocks)
        let records = Mutex<[UserID: UserRecord]>([:])
        let shared = SharedRecords(records)
        let repository = StoredUserRepository(
            store: stores.users,
            alerts: stores.users,
            now: { clocks.store() }
        )
        let work = tasks.start {
            for user in stores.ids {
                guard let record = try? await repository.record(of: user) else { continue }
                shared.records.withLock { $0[user] = record }
            }
        }
        tasks.settle()
        if !work.isOver { report.fail("the store does not answer") }
        users.checkEnd(shared.records.withLock(\.self), into: &report)
    }

    // MARK: Faults

    private mutating func begin(_ fault: ProgramFault) {
        effects.begin(fault)
        let now = tasks.clock.now.offset
        alerts.begin(
            fault,
            at: clocks.exchange(),
            isLeftOut: { [effects] in effects.isLeftOut($0, at: now) },
            into: &report
        )
        for running in instances { running.network.begin(fault) }
        switch fault {
        case .exchange(let fault):
            exchange.start(fault)
            report.injected["exchange \(fault.kind.rawValue)", default: 0] += 1
        case .rename(let market, let new):
            guard exchange.rename(market, to: new) else { return }
            report.injected[fault.name, default: 0] += 1
        case .maintenance:
            exchange.setPaused(true)
            report.injected[fault.name, default: 0] += 1
        case .clockJump(let seconds):
            clocks.jump(by: .seconds(seconds))
            report.injected[fault.name, default: 0] += 1
        case .crash(let index) where instances.indices.contains(index):
            guard instances[index].instance != nil else { return }
            stop(index)
            report.injected[fault.name, default: 0] += 1
        case .change(let index, let number):
            guard let instance = instances[index % instances.count].instance else { return }
            let users = users
            changes.append(tasks.start { await users.change(number, at: instance) })
        case .alertRule(let index, let number):
            guard let instance = instances[index % instances.count].instance,
                let value = alerts.value(for: number)
            else { return }
            let stores = instances[index % instances.count].stores
            changes.append(
                tasks.start { await AlertDeeds.perform(number, at: value, instance, stores) }
            )
            report.injected[fault.name, default: 0] += 1
        case .readersAway:
            areReadersAway = true
            for index in instances.indices { leaveStreams(index) }
            report.injected[fault.name, default: 0] += 1
        case .store(let kind, let index):
            let failing = connections(of: index)
            for stores in failing { stores.fail(kind.error, afterwards: kind == .after) }
            if !failing.isEmpty { report.injected[fault.name, default: 0] += 1 }
        default: break
        }
    }

    /// The connections of one instance to the stores, or of all instances.
    private func connections(of index: Int?) -> [TrialStores] {
        guard let index else { return instances.map(\.stores) }
        return instances.indices.contains(index) ? [instances[index].stores] : []
    }

    private mutating func end(_ fault: ProgramFault) {
        effects.end(fault, at: tasks.clock.now.offset)
        alerts.end(fault, at: clocks.exchange())
        for running in instances { running.network.end(fault) }
        switch fault {
        case .exchange(let fault): exchange.end(fault.kind)
        case .maintenance: exchange.setPaused(false)
        case .clockJump(let seconds): clocks.jump(by: .seconds(-seconds))
        case .crash(let index) where instances.indices.contains(index):
            if instances[index].instance == nil { start(index) }
        case .readersAway: areReadersAway = false
        case .store(_, let index):
            for stores in connections(of: index) { stores.fail(nil, afterwards: false) }
        default: break
        }
    }
}

/// The records of users, as a task has read them.
private final class SharedRecords: Sendable {
    let records: Mutex<[UserID: UserRecord]>
    init(_ records: consuming Mutex<[UserID: UserRecord]>) { self.records = records }
}

extension StoreFaultKind {
    /// The error of each call.
    fileprivate var error: StoreError {
        switch self {
        case .before, .after: StoreError(.unavailable, "the trial's connection is lost")
        case .busy: StoreError(.busy, "the trial's store is busy")
        case .full: StoreError(.full, "the trial's store is full")
        }
    }
}

/// The clocks of exchange, store and instances, which may differ.
final class TrialClocks: Sendable {
    private let clock: ManualClock
    private let startAt: Timestamp
    private let skew = Mutex<Duration>(.zero)

    init(_ clock: ManualClock, start: Timestamp) {
        self.clock = clock
        startAt = start
    }

    /// The clock of the exchange.
    func exchange() -> Timestamp { startAt.advanced(by: clock.now.offset) }

    /// The clock of the store.
    func store() -> Timestamp { exchange() }

    /// The clock of the instances.
    func local() -> Timestamp { exchange().advanced(by: skew.withLock(\.self)) }

    /// Sets the clock of the instances forward, or back.
    func jump(by duration: Duration) { skew.withLock { $0 += duration } }
}
