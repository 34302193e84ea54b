import Concurrency
import DataSourceContracts
import Dispatch
import Synchronization
import TestSupport
import Testing

@testable import DataSourcesPostgreSQL

@Suite("Host names of PostgreSQL are looked up within a limit", .tags(.threads))
struct HostLookupTests {
    /// A resolver whose lookups wait until they are released.
    private final class SlowResolver: Sendable {
        private let gate = DispatchSemaphore(value: 0)
        private let asked = Atomic(0)
        /// How many lookups wait; all later ones are answered at once.
        private let slowCount: Int

        init(slow count: Int) { slowCount = count }

        var count: Int { asked.load(ordering: .sequentiallyConsistent) }

        func addresses() -> HostLookup.Answer {
            let number = asked.add(1, ordering: .sequentiallyConsistent).newValue
            if number <= slowCount { gate.wait() }
            return .success(["127.0.0.1"])
        }

        func release() { for _ in 0..<slowCount { gate.signal() } }
    }

    private func addresses(
        _ lookup: HostLookup,
        _ attempt: [String: String],
        within limit: Duration = .seconds(60)
    ) -> Result<[String: String], StoreError> {
        Result { () throws(StoreError) in
            try lookup.addresses(
                for: attempt,
                at: "postgresql://db",
                until: Deadline(after: limit, clock: ContinuousClock()),
                cancelledBy: try SocketPoll.makeEvent()
            )
        }
    }

    @Test("addresses follow the name, which certificates and passwords still belong to")
    func found() throws {
        let lookup = HostLookup { _ in .success(["10.0.0.1", "::1"]) }
        let found = try addresses(lookup, ["host": "db", "port": "5433"]).get()
        #expect(found == ["host": "db,db", "hostaddr": "10.0.0.1,::1", "port": "5433"])
    }

    @Test(
        "sockets and given addresses are not looked up",
        arguments: [
            [:], ["host": ""], ["host": "/run/postgresql"], ["host": "@abstract"],
            ["host": "db", "hostaddr": "10.0.0.1"],
        ]
    )
    func notLookedUp(attempt: [String: String]) throws {
        let lookup = HostLookup { _ in .failure(HostLookup.Failure(reason: "asked")) }
        #expect(try addresses(lookup, attempt).get() == attempt)
    }

    @Test("the system knows numeric addresses and this machine, and no name that cannot exist")
    func system() {
        #expect(HostLookup.askSystem("127.0.0.1") == .success(["127.0.0.1"]))
        #expect(HostLookup.askSystem("::1") == .success(["::1"]))
        guard case .failure = HostLookup.askSystem("no such name") else {
            Issue.record("a name with spaces has an address")
            return
        }
    }

    @Test("a failure names host, reason and remedy, and no password")
    func failure() throws {
        let lookup = HostLookup { _ in .failure(HostLookup.Failure(reason: "unknown")) }
        let error = #expect(throws: StoreError.self) {
            try addresses(lookup, ["host": "db", "password": "s3cret"]).get()
        }
        #expect(error?.code == .unavailable)
        #expect(
            error?.detail
                == "postgresql://db: the host name 'db' was not resolved, unknown: check the name, "
                + "and that this machine's name servers answer"
        )
    }

    @Test("a lookup without a file descriptor is an error, and the next one succeeds")
    func noDescriptor() throws {
        let isLeft = Mutex(false)
        let lookup = HostLookup(
            resolve: { _ in .success(["10.0.0.1"]) },
            makeEvent: { isLeft.withLock { $0 } ? EventDescriptor() : nil }
        )
        for _ in 0...HostLookup.lookupsMax {
            let error = #expect(throws: StoreError.self) {
                try addresses(lookup, ["host": "db"]).get()
            }
            #expect(error?.code == .unavailable)
            #expect(error?.detail.contains("no file descriptor is left") == true)
        }
        isLeft.withLock { $0 = true }
        #expect(try addresses(lookup, ["host": "db"]).get()["hostaddr"] == "10.0.0.1")
    }

    @Test("a cancelled attempt does not wait")
    func cancelled() throws {
        let resolver = SlowResolver(slow: 1)
        let event = try SocketPoll.makeEvent()
        event.signal()
        #expect(throws: StoreError.self) {
            try HostLookup { _ in resolver.addresses() }.addresses(
                for: ["host": "db"],
                at: "postgresql://db",
                until: Deadline(after: .seconds(600), clock: ContinuousClock()),
                cancelledBy: event
            )
        }
        resolver.release()
    }

    @Test("lookups without an answer are left behind up to a bound, and ended ones do not count")
    func bounded() async throws {
        let resolver = SlowResolver(slow: HostLookup.lookupsMax)
        let lookup = HostLookup { _ in resolver.addresses() }
        for _ in 0..<HostLookup.lookupsMax {
            let outcome = addresses(lookup, ["host": "db"], within: .zero)
            #expect(throws: StoreError.self) { try outcome.get() }
        }
        let outcome = addresses(lookup, ["host": "db"])
        let error = #expect(throws: StoreError.self) { try outcome.get() }
        #expect(error?.detail.contains("4 lookups have no answer yet") == true)
        while resolver.count < HostLookup.lookupsMax { await Task.yield() }
        resolver.release()
        // Their threads end by themselves.
        while (try? addresses(lookup, ["host": "db"]).get()) == nil { await Task.yield() }
        #expect(resolver.count > HostLookup.lookupsMax)
    }

    @Test(
        "a connection opens although the lookup before never ended",
        .enabled(if: TestDatabase.isAvailable)
    )
    func connects() async throws {
        try await TestDatabase.with { database in
            let resolver = SlowResolver(slow: 1)
            defer { resolver.release() }
            var settings = PostgreSQLPool.Settings(applicationName: "hoga-test")
            settings.connectTimeout = .milliseconds(300)
            settings.firstConnectTimeout = .milliseconds(300)
            let connector = try Connector(
                address: try PostgreSQLAddress(
                    "postgresql://hoga_owner@database.invalid:\(database.port)/\(database.name)"
                ),
                settings: settings,
                clock: ContinuousClock(),
                lookup: HostLookup { _ in resolver.addresses() }
            )
            var failures: [StoreError] = []
            while true {
                let outcome = await withCheckedContinuation { waiter in
                    connector.open { waiter.resume(returning: $0) }
                }
                guard case .failure(let error) = outcome else { break }
                // On a busy machine later attempts may take too long as well.
                failures.append(error)
            }
            #expect(failures.first?.detail.contains("no answer in time") == true)
        }
    }
}
