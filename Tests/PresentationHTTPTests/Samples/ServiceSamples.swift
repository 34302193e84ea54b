import Dispatch
import PresentationHTTP
import Synchronization

extension ServiceRules {
    /// Rules that no test meets by chance.
    static var sample: ServiceRules {
        ServiceRules(
            requiresToken: false,
            trustedProxies: [],
            corsOrigins: [],
            connectionsMax: 64,
            connectionsPerClientMax: 64,
            requestsPerClient: 1_000_000,
            requestsPerToken: 1_000_000,
            notModifiedPerClient: 1_000_000,
            streamsPerUser: 16,
            topicsMax: 64,
            accessLog: .all,
            storeWait: .seconds(3_600),
            firstAnswerWait: .seconds(3_600)
        )
    }

    /// Those for questions of deposits and withdrawals, which nobody reads in the small exchange:
    /// waiting for them would be in vain.
    static var withoutTransfers: ServiceRules {
        sample.with { $0.firstAnswerWait = .milliseconds(50) }
    }

    /// These rules with some changed.
    func with(_ change: (inout ServiceRules) -> Void) -> ServiceRules {
        var rules = self
        change(&rules)
        return rules
    }
}

/// A monotonic clock that goes when a test says so.
final class TestUptime: Sendable {
    private let time = Mutex(Duration.zero)

    /// Lets time go by.
    func advance(by duration: Duration) { time.withLock { $0 += duration } }

    @Sendable
    func uptime() -> Duration { time.withLock { $0 } }
}

/// Keeps what the service tells of answered requests.
final class RequestRecords: RequestObserver {
    private let kept = Mutex<[AnsweredRequest]>([])
    private let told = DispatchSemaphore(value: 0)

    func observe(_ request: AnsweredRequest) {
        kept.withLock { $0.append(request) }
        told.signal()
    }

    /// The next one that nobody has asked for yet; waits until it is told.
    func next() -> AnsweredRequest {
        told.wait()
        return kept.withLock { $0.removeFirst() }
    }
}
