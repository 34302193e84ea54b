import DataSourceContracts
import Domain
import TestSupport
import Testing

@testable import Repositories

@Suite("A book stream state machine keeps its rules under random events")
struct BookStreamStateMachineTests {
    private static let markets: [MarketID] = ["BTC_KRW", "ETH_KRW", "XRP_KRW", "ADA_KRW"]

    /// An exchange and a shell: performs the actions and checks the rules.
    private struct Model {
        struct Connection {
            var isOpen = false
            var lists: [[MarketID]] = []
            var owed: [BookConnection.Order] = []
        }

        let generation: APIGeneration
        var plan = BookStreamStateMachine()
        var now: Duration = .zero
        var connections: [Int: Connection] = [:]
        var openings: [(at: Duration, isReplacement: Bool)] = []
        var told: Set<MarketID> = []
        var wanted: Set<MarketID> = []

        mutating func step(_ random: UInt64) {
            let (actions, wakeAt) = plan.next(at: now, random: random)
            #expect(wakeAt.map { $0 > now } ?? true, "all due actions are returned at once")
            for action in actions { perform(action) }
            #expect(connections.count <= 2, "one current connection and one successor")
        }

        private mutating func perform(_ action: BookStreamStateMachine.Action) {
            switch action {
            case .open(let id):
                #expect(!wanted.isEmpty, "no connection without interests")
                openings.append((now, !connections.isEmpty))
                connections[id] = Connection()
            case .subscribe(let id, let order):
                #expect(Set(order.markets) == wanted, "always the full list")
                #expect(connections[id]?.isOpen == true)
                connections[id]?.lists.append(order.markets)
                if generation == .v1 { connections[id]?.owed.append(order) }
                let requests = order.withSnapshots ? 2 : 1
                plan.sent(id, order, requests: requests, at: now)
            case .close(let id): connections[id] = nil
            case .reportSubscribed(let markets): told = Set(markets)
            case .reportLost: told = []
            }
        }

        mutating func happen(_ random: inout SeededGenerator) {
            let id = connections.keys.sorted().randomElement(using: &random)
            switch Int.random(in: 0..<12, using: &random) {
            case 0..<4:
                let count = Int.random(in: 0...markets.count, using: &random)
                wanted = Set(markets.shuffled(using: &random).prefix(count))
                plan.want(wanted)
            case 4..<6:
                guard let id, connections[id]?.isOpen == false else { return }
                connections[id]?.isOpen = true
                plan.connected(id, generation, at: now)
            case 6..<9:
                guard let id, let order = connections[id]?.owed.first else { return }
                connections[id]?.owed.removeFirst()
                for _ in 0..<(order.withSnapshots ? 2 : 1) { plan.acknowledged(id, at: now) }
            case 9:
                guard let id else { return }
                plan.received(id, hasSnapshots: true, at: now)
            case 10:
                guard let id else { return }
                connections[id] = nil
                let error = DataSourceError(.disconnected, "gone")
                plan.ended(id, error, at: now, random: random.next())
            default: now += .milliseconds(Int.random(in: 0...20_000, using: &random))
            }
        }

        private var markets: [MarketID] { BookStreamStateMachineTests.markets }
    }

    @Test("the rules hold after every random event", arguments: 1...60 as ClosedRange<UInt64>)
    func property(seed: UInt64) {
        let generation: APIGeneration = seed % 2 == 0 ? .v1 : .v2
        var random = SeededGenerator(seed: seed)
        var model = Model(generation: generation)
        for _ in 0..<600 {
            model.happen(&random)
            model.step(random.next())
        }
        let replacements = model.openings.filter(\.isReplacement).map(\.at)
        let gaps = zip(replacements, replacements.dropFirst()).map { $1 - $0 }
        #expect(gaps.allSatisfy { $0 >= BookStreamStateMachine.replacementInterval })
        // Without further events it reaches the wanted subscriptions.
        model.wanted = Set(Self.markets.prefix(Int(seed / 2 % 4)))
        model.plan.want(model.wanted)
        for _ in 0..<200 {
            for id in model.connections.keys.sorted() {
                if model.connections[id]?.isOpen == false {
                    model.connections[id]?.isOpen = true
                    model.plan.connected(id, generation, at: model.now)
                }
            }
            model.step(random.next())
            model.now += .seconds(1)
        }
        #expect(model.connections.count == (model.wanted.isEmpty ? 0 : 1))
        #expect(model.told == model.wanted)
        let carried = Set(
            model.connections.values.flatMap { connection in
                // A list of API 2.x replaces those before.
                generation == .v1 ? connection.lists.flatMap(\.self) : connection.lists.last ?? []
            }
        )
        #expect(carried == model.wanted, "nothing else is carried in the end")
    }

    @Test("the state machine drops the successor at the end of a recording, and opens nothing more")
    func ended() {
        var plan = BookStreamStateMachine()
        plan.want(["BTC_KRW"])
        #expect(plan.next(at: .zero, random: 0).actions == [.open(1)])
        plan.ended(1, DataSourceError(.ended, "over"), at: .seconds(1), random: 0)
        let (actions, wakeAt) = plan.next(at: .seconds(100), random: 0)
        #expect(actions.isEmpty)
        #expect(wakeAt == nil)
    }

    @Test("the state machine does not report a cancelled connection")
    func cancelled() {
        var plan = BookStreamStateMachine()
        plan.want(["BTC_KRW"])
        _ = plan.next(at: .zero, random: 0)
        plan.ended(1, DataSourceError(.cancelled, "stop"), at: .seconds(1), random: 0)
        #expect(plan.next(at: .seconds(1), random: 0).actions.isEmpty)
    }

    @Test("the state machine promotes the successor when the old connection breaks first")
    func succession() {
        var plan = BookStreamStateMachine()
        plan.want(["BTC_KRW", "ETH_KRW"])
        _ = plan.next(at: .zero, random: 0)
        plan.connected(1, .v1, at: .zero)
        guard case .subscribe(1, let order)? = plan.next(at: .zero, random: 0).actions.first else {
            Issue.record("nothing is subscribed")
            return
        }
        plan.sent(1, order, requests: 2, at: .zero)
        for _ in 0..<2 { plan.acknowledged(1, at: .zero) }
        _ = plan.next(at: .zero, random: 0)
        plan.want(["BTC_KRW"])
        let late = Duration.seconds(40)
        #expect(plan.next(at: late, random: 0).actions == [.open(2)])
        plan.ended(1, DataSourceError(.disconnected, "gone"), at: late, random: 0)
        let lost = FeedFailure(DataSourceError(.disconnected, "gone"))
        #expect(
            plan.next(at: late, random: 0).actions == [.reportLost(attempt: 1, wait: .zero, lost)]
        )
        plan.connected(2, .v1, at: late)
        let actions = plan.next(at: late, random: 0).actions
        #expect(
            actions == [
                .subscribe(
                    2,
                    BookConnection.Order(number: 1, markets: ["BTC_KRW"], withSnapshots: true)
                )
            ]
        )
    }

    @Test("a shorter list of API 2.x is subscribed on the same connection, unacknowledged")
    func shorterList() {
        var plan = BookStreamStateMachine()
        plan.want(["BTC_KRW", "ETH_KRW"])
        _ = plan.next(at: .zero, random: 0)
        plan.connected(1, .v2, at: .zero)
        var numbers: [Int] = []
        let lists: [Set<MarketID>] = [["BTC_KRW", "ETH_KRW"], ["ETH_KRW"]]
        for (second, markets) in lists.enumerated() {
            let now = Duration.seconds(second)
            plan.want(markets)
            guard case .subscribe(1, let order)? = plan.next(at: now, random: 0).actions.first
            else {
                Issue.record("nothing is subscribed")
                return
            }
            numbers.append(order.number)
            plan.sent(1, order, requests: 1, at: now)
            #expect(plan.next(at: now, random: 0).actions == [.reportSubscribed(order.markets)])
        }
        #expect(numbers == [1, 2])
        #expect(plan.next(at: .seconds(100), random: 0).actions.isEmpty)
        let isKept = plan.refused(1, at: .seconds(100))
        #expect(!isKept, "an error of API 2.x ends the connection")
    }
}
