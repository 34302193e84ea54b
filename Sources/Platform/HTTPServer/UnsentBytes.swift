internal import NetworkAddresses
internal import Synchronization

/// The bytes that clients of one or more servers have not taken yet, within a budget.
///
/// A connection counts while its socket is full. Beyond the budget the connection of a client whose
/// output waits longest is closed; ``UnsentBudget`` holds the rules.
public final class UnsentBytes: Sendable {
    /// The counts of a moment.
    public struct Status: Sendable, Hashable {
        /// Unsent bytes of all clients.
        public var byteCount: Int
        /// Connections closed since the start because their client had too many bytes.
        public var closedByClientLimit: Int
        /// Connections closed since the start because all clients had too many.
        public var closedByTotalLimit: Int
    }

    private struct State {
        var budget: UnsentBudget
        /// The connections of outputs, by number.
        var connections: [Int: (queue: LoopQueue, id: ConnectionID)] = [:]
    }

    /// Bytes of all clients.
    public let bytesMax: Int
    private let state: Mutex<State>

    /// The part of the budget that one client may use: a quarter.
    private static let shares = 4

    /// Makes an empty budget, a quarter of which one client may use.
    public convenience init(bytesMax: Int) {
        self.init(bytesMax: bytesMax, clientBytesMax: bytesMax / Self.shares)
    }

    init(bytesMax: Int, clientBytesMax: Int) {
        self.bytesMax = bytesMax
        let budget = UnsentBudget(bytesMax: bytesMax, clientBytesMax: clientBytesMax)
        state = Mutex(State(budget: budget))
    }

    /// The counts of this moment.
    public var status: Status {
        state.withLock { state in
            Status(
                byteCount: state.budget.byteCount,
                closedByClientLimit: state.budget.dropped[.client, default: 0],
                closedByTotalLimit: state.budget.dropped[.total, default: 0]
            )
        }
    }

    /// Counts the output of a connection whose socket is full; closes those beyond the budget.
    ///
    /// - Returns: the number of the output, for ``remove(_:)``.
    func add(_ connection: ServerConnection, on queue: LoopQueue) -> Int {
        let output = UnsentOutput(connection.output)
        let (number, closing) = state.withLock { state in
            let (number, dropped) = state.budget.add(output, of: connection.client.network)
            state.connections[number] = (queue, connection.id)
            let closing = dropped.compactMap { number in
                state.connections.removeValue(forKey: number).map { (number, $0) }
            }
            return (number, closing)
        }
        for (number, connection) in closing {
            connection.queue.post(.drop(connection.id, output: number))
        }
        return number
    }

    /// Stops counting an output.
    func remove(_ number: Int) {
        state.withLock { state in
            state.budget.remove(number)
            state.connections[number] = nil
        }
    }
}
