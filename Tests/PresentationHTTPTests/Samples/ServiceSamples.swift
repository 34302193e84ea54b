import Dispatch
import PresentationHTTP
import Synchronization

extension ServiceConfiguration {
    /// Rules that no test meets by chance.
    static var sample: ServiceConfiguration {
        ServiceConfiguration(
            requiresToken: false,
            trustedProxies: [],
            corsOrigins: [],
            connectionsMax: 64,
            connectionsPerClientMax: 64,
            requestsPerClient: 1_000_000,
            requestsPerToken: 1_000_000,
            notModifiedPerClient: 1_000_000,
            unknownTokensPerClient: 1_000_000,
            streamsPerUser: 16,
            topicsMax: 64,
            accessLog: .all,
            storeTimeout: .seconds(3_600),
            firstDataTimeout: .seconds(3_600)
        )
    }

    /// A configuration for transfers, which the small board never reads:
    /// waiting for them would be in vain.
    static var withoutTransfers: ServiceConfiguration {
        sample.with { $0.firstDataTimeout = .milliseconds(50) }
    }

    /// These rules with some changed.
    func with(_ change: (inout ServiceConfiguration) -> Void) -> ServiceConfiguration {
        var rules = self
        change(&rules)
        return rules
    }
}

/// A monotonic clock that a test advances.
final class TestUptime: Sendable {
    private let time = Mutex(Duration.zero)

    /// Advances the time.
    func advance(by duration: Duration) { time.withLock { $0 += duration } }

    @Sendable
    func uptime() -> Duration { time.withLock { $0 } }
}

/// Collects the records of finished requests.
final class RequestRecords: RequestObserver {
    private let kept = Mutex<[RequestRecord]>([])
    private let arrived = DispatchSemaphore(value: 0)

    func observe(_ request: RequestRecord) {
        kept.withLock { $0.append(request) }
        arrived.signal()
    }

    /// The next unread record; blocks until there is one.
    func next() -> RequestRecord {
        arrived.wait()
        return kept.withLock { $0.removeFirst() }
    }
}
