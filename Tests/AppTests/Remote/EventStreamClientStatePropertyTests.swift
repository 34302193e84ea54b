import TestSupport
import Testing

@testable import App

/// A service whose document is a number for each of a few keys: it answers as the contract says,
/// and loses connections whenever chance wants it.
private struct ScriptedService {
    /// How many versions it can tell the way from.
    static let ringMax = 5

    var values = [0, 0, 0]
    var epoch = 1
    var counter = 0
    /// What changed with each counter, from the oldest that is kept.
    var ring: [(counter: Int, key: Int)] = []

    var revision: String { "e\(epoch)-\(counter)" }

    mutating func change(_ key: Int) {
        counter += 1
        values[key] += 1
        ring.append((counter, key))
        if ring.count > Self.ringMax { ring.removeFirst() }
    }

    /// Another process: nothing of before is known.
    mutating func restart() {
        epoch += 1
        ring = []
        counter = 0
    }

    /// The counter of a revision that the way is known from; nil for any other.
    func known(_ revision: String) -> Int? {
        guard let place = Int(revision.dropFirst("e\(epoch)-".count)),
            revision == "e\(epoch)-\(place)", place <= counter,
            place >= counter - ring.count
        else { return nil }
        return place
    }

    /// The keys that changed since a counter, with their present values.
    func patch(since place: Int) -> [(key: Int, value: Int)] {
        Set(ring.filter { $0.counter > place }.map(\.key)).sorted().map { ($0, values[$0]) }
    }
}

/// What a reader makes of events, by the plan's rulings.
private struct ScriptedReader {
    var plan = ReadingPlan()
    var values: [Int]?
    /// The last events that were taken, which a rude proxy may bring again.
    var sent: [(name: String, revision: String, changes: [(key: Int, value: Int)])] = []

    /// Takes an event.
    ///
    /// - Returns: whether the connection goes on.
    mutating func take(
        _ name: String,
        _ revision: String,
        _ changes: [(key: Int, value: Int)],
        of target: RemoteTarget
    ) -> Bool {
        switch plan.rule(name, revision: revision, of: target) {
        case .pass: return true
        case .leave:
            plan.failed(RemoteFailure(.leaving, "bye"), at: .zero, random: 0)
            return false
        case .replace: values = changes.map(\.value)
        case .apply:
            guard values != nil else {
                plan.mismatched(at: .zero, random: 0)
                return false
            }
            for change in changes { values?[change.key] = change.value }
        }
        plan.took(revision, of: target)
        return true
    }
}

@Suite("Whatever becomes of connections, a reader ends with what the service has")
struct EventStreamClientStatePropertyTests {
    @Test("Losses, duplicates, resets and restarts of the service", arguments: UInt64(1)...200)
    func faults(seed: UInt64) {
        var trial = ReadingTrial(seed: seed)
        for _ in 0..<400 { trial.step() }
        trial.settle()
        #expect(trial.reader.values == trial.service.values)
        #expect(trial.reader.plan.line == .live)
    }
}

/// A reader and a service between which everything may happen.
private struct ReadingTrial {
    private static let target = RemoteTarget(path: "/list")

    var service = ScriptedService()
    var reader = ScriptedReader()
    private var random: SeededGenerator
    /// Where the service believes that the reader is; nil while there is no connection.
    private var cursor: Int?
    private var now: Duration = .zero

    init(seed: UInt64) {
        random = SeededGenerator(seed: seed)
        _ = reader.plan.want(Self.target)
    }

    /// Lets connections hold until all is there.
    mutating func settle() {
        for _ in 0..<2 {
            while cursor == nil { connect() }
            deliver()
        }
    }

    mutating func step() {
        switch Int.random(in: 0..<12, using: &random) {
        case 0..<4: service.change(.random(in: 0..<3, using: &random))
        case 4..<7: if cursor == nil { connect() } else { deliver() }
        case 7:
            guard cursor != nil else { return }
            cursor = nil
            reader.plan.failed(
                RemoteFailure(.disconnected, "cut"),
                at: now,
                random: random.next()
            )
        case 8:
            service.restart()
            cursor = nil
            reader.plan.failed(RemoteFailure(.leaving, "bye"), at: now, random: random.next())
        case 9:
            // Something in between brings an old event again.
            guard cursor != nil, let old = reader.sent.randomElement(using: &random),
                old.revision.hasPrefix("e\(service.epoch)-")
            else { return }
            _ = reader.take(old.name, old.revision, old.changes, of: Self.target)
        case 10:
            reader.plan.restart()
            cursor = nil
        default: now += .milliseconds(.random(in: 0..<5_000, using: &random))
        }
    }

    private mutating func connect() {
        guard case .connect(let target, let revision) = reader.plan.step(at: now) else {
            now += .seconds(31)
            return
        }
        if let revision, let place = service.known(revision) {
            reader.plan.resumed(target)
            cursor = place
        } else {
            let all = service.values.enumerated().map { (key: $0.offset, value: $0.element) }
            let name = revision == nil ? "snapshot" : "reset"
            let isGoingOn = reader.take(name, service.revision, all, of: target)
            #expect(isGoingOn)
            cursor = service.counter
        }
    }

    private mutating func deliver() {
        guard let place = cursor else { return }
        guard service.known("e\(service.epoch)-\(place)") != nil else {
            _ = reader.take("bye", "", [], of: Self.target)
            cursor = nil
            return
        }
        let changes = service.patch(since: place)
        guard !changes.isEmpty else {
            _ = reader.take("bookmark", service.revision, [], of: Self.target)
            return
        }
        reader.sent.append(("patch", service.revision, changes))
        let isTaken = reader.take("patch", service.revision, changes, of: Self.target)
        cursor = isTaken ? service.counter : nil
    }
}
