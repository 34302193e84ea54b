import Domain
import Synchronization

/// The machine's clock with an offset that a test can increase.
final class SettableClock: Sendable {
    private let offset = Mutex<Duration>(.zero)

    func now() -> Timestamp {
        offset.withLock { SimulatorFixture.clock().advanced(by: $0) }
    }

    func advance(by duration: Duration) {
        offset.withLock { $0 += duration }
    }
}
