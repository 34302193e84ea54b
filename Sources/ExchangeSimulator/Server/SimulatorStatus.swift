import Domain
import Synchronization

/// State shared by the parts of a simulator: faults, pause and counts.
final class SimulatorStatus: Sendable {
    private struct State {
        var faults = FaultSet()
        var isPaused = false
        var isStopped = false
        /// Whether frames are between the model and the connections.
        var isEmitting = false
        var dropsWanted = false
        var connectionsMade = 0
        var frames = 0
        var answers = 0
        var slowConnections = 0
        var open: [SimulatorReport.Connection] = []
        var closed: [SimulatorReport.Connection] = []
    }

    private let state = Mutex(State())
    /// How many closed connections are remembered.
    private static let closedMax = 100

    // MARK: Faults

    var faults: FaultSet { state.withLock { $0.faults } }

    func start(_ fault: SimulatorFault) {
        state.withLock { state in
            state.faults.start(fault)
            if fault == .connectionDrop { state.dropsWanted = true }
        }
    }

    func end(_ kind: SimulatorFault.Kind) -> Set<MarketID> {
        state.withLock { $0.faults.end(kind) }
    }

    /// Counts the body of a REST answer, and breaks it if a fault says so.
    func counted(restBody body: [UInt8]) -> [UInt8] {
        state.withLock { state in
            state.answers += 1
            return state.faults.broken(restBody: body)
        }
    }

    /// Whether every stream connection must be dropped; true once for each request.
    func consumeDropRequest() -> Bool {
        state.withLock { state in
            defer { state.dropsWanted = false }
            return state.dropsWanted
        }
    }

    // MARK: Life

    var isStopped: Bool { state.withLock { $0.isStopped } }
    func stop() { state.withLock { $0.isStopped = true } }
    func setPaused(_ isPaused: Bool) { state.withLock { $0.isPaused = isPaused } }

    /// Begins to emit unless paused; ``finishEmitting(connections:)`` must follow.
    func beginEmitting() -> Bool {
        state.withLock { state in
            state.isEmitting = !state.isPaused
            return state.isEmitting
        }
    }

    /// Records the counts of the open connections.
    func finishEmitting(connections: [SimulatorReport.Connection]) {
        state.withLock { state in
            state.isEmitting = false
            state.open = connections
        }
    }

    // MARK: Counts

    /// The number of a new connection.
    func nextConnectionNumber() -> Int {
        state.withLock { state in
            state.connectionsMade += 1
            return state.connectionsMade
        }
    }

    func connectionEnded(_ connection: SimulatorReport.Connection) {
        state.withLock { state in
            state.open.removeAll { $0.number == connection.number }
            state.closed.append(connection)
            if connection.wasTooSlow { state.slowConnections += 1 }
            state.frames += connection.frames
            if state.closed.count > Self.closedMax { state.closed.removeFirst() }
        }
    }

    func report(
        feed: String,
        marketTime: Timestamp?,
        skippedLines: Int,
        markets: [SimulatorReport.Market]
    ) -> SimulatorReport {
        state.withLock { state in
            let isWritten = state.open.allSatisfy { $0.waitingBytes == 0 }
            return SimulatorReport(
                feed: feed,
                marketTime: marketTime?.microseconds,
                isPaused: state.isPaused,
                isAtRest: state.isPaused && !state.isEmitting && isWritten,
                frames: state.frames + state.open.reduce(0) { $0 + $1.frames },
                answers: state.answers,
                slowConnections: state.slowConnections,
                skippedLines: skippedLines,
                connections: state.closed + state.open,
                markets: markets
            )
        }
    }
}
