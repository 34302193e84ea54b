import TestSupport
import Testing

@testable import DataSourcesRemote

/// A server with a document of three numbers, which follows the stream contract.
private struct ScriptedService {
    /// The number of revisions that it can resume from.
    static let ringMax = 5

    var values = [0, 0, 0]
    var epoch = 1
    var counter = 0
    /// The changed key of each revision, oldest first.
    var ring: [(counter: Int, key: Int)] = []

    var revision: String { "e\(epoch)-\(counter)" }

    mutating func change(_ key: Int) {
        counter += 1
        values[key] += 1
        ring.append((counter, key))
        if ring.count > Self.ringMax { ring.removeFirst() }
    }

    /// Starts a new epoch without known revisions.
    mutating func restart() {
        epoch += 1
        ring = []
        counter = 0
    }

    /// The counter of a revision that can be resumed; nil for any other.
    func known(_ revision: String) -> Int? {
        guard let place = Int(revision.dropFirst("e\(epoch)-".count)),
            revision == "e\(epoch)-\(place)", place <= counter,
            place >= counter - ring.count
        else { return nil }
        return place
    }

    /// The keys that changed since a counter, with their current values.
    func patch(since place: Int) -> [(key: Int, value: Int)] {
        Set(ring.filter { $0.counter > place }.map(\.key)).sorted().map { ($0, values[$0]) }
    }
}

/// A client that handles events as the state decides.
private struct ScriptedReader {
    var state = EventStreamClientState()
    var values: [Int]?
    /// The sent events, which a faulty proxy may repeat.
    var sent: [(name: String, revision: String, changes: [(key: Int, value: Int)])] = []

    /// Handles an event.
    ///
    /// - Returns: whether the connection continues.
    mutating func receive(
        _ name: String,
        _ revision: String,
        _ changes: [(key: Int, value: Int)],
        of target: RemoteTarget
    ) -> Bool {
        switch state.rule(name, revision: revision, of: target) {
        case .ignore: return true
        case .reconnect:
            state.failed(RemoteFailure(.leaving, "bye"), at: .zero, random: 0)
            return false
        case .replace: values = changes.map(\.value)
        case .apply:
            guard values != nil else {
                state.mismatched(at: .zero, random: 0)
                return false
            }
            for change in changes { values?[change.key] = change.value }
        }
        state.applied(revision, of: target)
        return true
    }
}

@Suite("After any faults an event stream client has the server's document")
struct EventStreamClientStatePropertyTests {
    @Test(
        "the document equals the server's after random losses, duplicates, resets and restarts",
        arguments: UInt64(1)...200
    )
    func faults(seed: UInt64) {
        var trial = StreamScenario(seed: seed)
        for _ in 0..<400 { trial.step() }
        trial.settle()
        #expect(trial.reader.values == trial.service.values)
        #expect(trial.reader.state.connection == .live)
    }
}

/// A client and a server with random faults between them.
private struct StreamScenario {
    private static let target = RemoteTarget(path: "/list")

    var service = ScriptedService()
    var reader = ScriptedReader()
    private var random: SeededGenerator
    /// The last counter sent to the client; nil without a connection.
    private var cursor: Int?
    private var now: Duration = .zero

    init(seed: UInt64) {
        random = SeededGenerator(seed: seed)
        _ = reader.state.want(Self.target)
    }

    /// Connects and delivers without faults.
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
            reader.state.failed(
                RemoteFailure(.disconnected, "cut"),
                at: now,
                random: random.next()
            )
        case 8:
            service.restart()
            cursor = nil
            reader.state.failed(RemoteFailure(.leaving, "bye"), at: now, random: random.next())
        case 9:
            // A proxy repeats an old event.
            guard cursor != nil, let old = reader.sent.randomElement(using: &random),
                old.revision.hasPrefix("e\(service.epoch)-")
            else { return }
            _ = reader.receive(old.name, old.revision, old.changes, of: Self.target)
        case 10:
            reader.state.restart()
            cursor = nil
        default: now += .milliseconds(.random(in: 0..<5_000, using: &random))
        }
    }

    private mutating func connect() {
        guard case .connect(let target, let revision) = reader.state.step(at: now) else {
            now += .seconds(31)
            return
        }
        if let revision, let place = service.known(revision) {
            reader.state.resumed(target)
            cursor = place
        } else {
            let all = service.values.enumerated().map { (key: $0.offset, value: $0.element) }
            let name = revision == nil ? "snapshot" : "reset"
            let continues = reader.receive(name, service.revision, all, of: target)
            #expect(continues)
            cursor = service.counter
        }
    }

    private mutating func deliver() {
        guard let place = cursor else { return }
        guard service.known("e\(service.epoch)-\(place)") != nil else {
            _ = reader.receive("bye", "", [], of: Self.target)
            cursor = nil
            return
        }
        let changes = service.patch(since: place)
        guard !changes.isEmpty else {
            _ = reader.receive("bookmark", service.revision, [], of: Self.target)
            return
        }
        reader.sent.append(("patch", service.revision, changes))
        let continues = reader.receive("patch", service.revision, changes, of: Self.target)
        cursor = continues ? service.counter : nil
    }
}
