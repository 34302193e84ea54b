import Concurrency
import Synchronization

/// Serves all stream connections from one thread: emits in steps, reads requests, writes output.
final class StreamServer: Sendable {
    /// What is played.
    enum Feed: Sendable {
        case simulated(SimulatedFeed)
        case replay(ReplayFeed)
    }

    /// Taken out when serving begins: it has one user, and then none.
    private let loop: Mutex<StreamLoop?>
    private let executor = BlockingExecutor(label: "hoga.exchange.stream")

    init(_ loop: consuming sending StreamLoop) {
        self.loop = Mutex(loop)
    }

    /// Serves until the simulator is stopped, closes every connection and runs `finish`, all on a
    /// thread of its own because all of it blocks.
    func run(then finish: @escaping @Sendable () -> Void) async {
        await executor.run {
            if var loop = self.loop.withLock({ $0.take() }) { loop.run() }
            finish()
        }
    }
}
