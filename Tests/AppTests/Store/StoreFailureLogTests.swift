import Domain
import Synchronization
import Testing

@testable import App

@Suite("Store failures of a service are logged once a minute, not once a request", .tags(.threads))
struct StoreFailureLogTests {
    private final class Lines: Log {
        let kept = Mutex<[String]>([])

        func write(_ level: LogLevel, _ message: String) {
            kept.withLock { $0.append("\(level.rawValue) \(message)") }
        }
    }

    @Test("each kind is logged at once, and again after a minute or a clock change")
    func pace() {
        let lines = Lines()
        let second = Mutex<Int64>(1_000)
        let failures = StoreFailureLog(to: lines) {
            Timestamp(microseconds: second.withLock { $0 } * 1_000_000)
        }
        let steps: [(second: Int64, code: StoreFailure.Code, count: Int)] = [
            (1_000, .busy, 1), (1_000, .busy, 1), (1_001, .full, 2), (1_059, .busy, 2),
            (1_060, .busy, 3), (1_060, .full, 3), (1_061, .full, 4), (900, .busy, 5),
        ]
        for step in steps {
            second.withLock { $0 = step.second }
            failures.report(StoreFailure(step.code, "who holds it"))
            #expect(lines.kept.withLock { $0.count } == step.count, "\(step)")
        }
        #expect(
            lines.kept.withLock { $0[0] }
                == "warning store failed part=\"users\" code=busy detail=\"who holds it\""
        )
    }
}
