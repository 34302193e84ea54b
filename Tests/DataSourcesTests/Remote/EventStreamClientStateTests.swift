import Testing

@testable import DataSourcesRemote

@Suite("An event stream client connects, resumes, backs off and retries")
struct EventStreamClientStateTests {
    private static let a = RemoteTarget(path: "/a")
    private static let b = RemoteTarget(path: "/b")
    private static let away = RemoteFailure(.unreachable, "nobody")

    /// A state that follows `a` and has its document.
    private static func live() -> EventStreamClientState {
        var state = EventStreamClientState()
        _ = state.want(a)
        _ = state.step(at: .zero)
        state.applied("k-1", of: a)
        return state
    }

    private static func lost(
        _ connection: EventStreamClientState.Connection
    ) -> (code: RemoteFailure.Code, Int, Duration)? {
        guard case .lost(let failure, let attempt, let retryAt) = connection else { return nil }
        return (failure.code, attempt, retryAt)
    }

    @Test("without a target it is idle; the first target connects at once")
    func start() {
        var state = EventStreamClientState()
        #expect(state.step(at: .zero) == .idle)
        #expect(state.want(Self.a) == true)
        #expect(state.want(Self.a) == false, "the same target is no change")
        #expect(state.step(at: .seconds(1)) == .connect(Self.a, resumingAfter: nil))
        #expect(state.connection == .connecting)
        state.applied("k-1", of: Self.a)
        #expect(state.connection == .live)
        #expect(state.want(nil) == true)
        #expect(state.step(at: .seconds(2)) == .idle)
    }

    @Test("a lost stream resumes after the last event")
    func resume() {
        var state = Self.live()
        state.failed(Self.away, at: .seconds(10), random: 0)
        let lost = Self.lost(state.connection)
        #expect(lost?.0 == .unreachable && lost?.1 == 1)
        #expect(lost?.2 == .seconds(10) + .milliseconds(250))
        #expect(state.step(at: .seconds(10)) == .pause(.milliseconds(250)))
        #expect(state.step(at: .seconds(11)) == .connect(Self.a, resumingAfter: "k-1"))
        // Without new events, the answer itself is a success.
        state.resumed(Self.a)
        #expect(state.connection == .live)
    }

    @Test("waits double up to 30 s, each random between half and the whole")
    func waits() {
        var (shortest, longest) = (Self.live(), Self.live())
        for (index, whole) in [500, 1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000].enumerated()
        {
            shortest.failed(Self.away, at: .zero, random: 0)
            longest.failed(Self.away, at: .zero, random: 1_024)
            #expect(Self.lost(shortest.connection)?.1 == index + 1)
            #expect(Self.lost(shortest.connection)?.2 == .milliseconds(whole / 2))
            #expect(Self.lost(longest.connection)?.2 == .milliseconds(whole))
        }
        for _ in 0..<100 { longest.failed(Self.away, at: .zero, random: 1_024) }
        #expect(Self.lost(longest.connection)?.2 == .seconds(30))
        longest.applied("k-2", of: Self.a)
        longest.failed(Self.away, at: .zero, random: 1_024)
        #expect(
            Self.lost(longest.connection)?.2 == .milliseconds(500),
            "a success resets the backoff"
        )
    }

    @Test("retryAfter is a lower bound of the wait")
    func retryAfter() {
        var state = Self.live()
        let full = RemoteFailure(.rateLimited, "full", retryAfter: .seconds(7))
        state.failed(full, at: .seconds(1), random: 0)
        #expect(state.step(at: .seconds(1)) == .pause(.seconds(7)))
    }

    @Test("after the event bye the client waits for the retry hint")
    func goodbye() {
        var state = Self.live()
        state.receive(retry: .milliseconds(3_200))
        #expect(state.rule("bye", revision: "k-1", of: Self.a) == .reconnect)
        state.failed(RemoteFailure(.leaving, "bye"), at: .zero, random: 0)
        #expect(state.step(at: .zero) == .pause(.milliseconds(3_200)))
        state.failed(Self.away, at: .zero, random: 0)
        #expect(
            state.step(at: .zero) == .pause(.milliseconds(500)),
            "later waits follow the backoff"
        )
    }

    @Test(
        "the kind and revision of an event decide its handling",
        arguments: [
            ("snapshot", "k-1", .replace), ("reset", "k-0", .replace), ("patch", "k-2", .apply),
            ("patch", "k-1", .ignore), ("patch", "k-0", .ignore), ("patch", "other-1", .apply),
            ("patch", "odd", .apply), ("bookmark", "k-1", .ignore), ("news", "k-9", .ignore),
            ("bye", "", .reconnect), ("message", "", .ignore),
        ] as [(String, String, EventStreamClientState.Ruling)]
    )
    func rulings(name: String, revision: String, ruling: EventStreamClientState.Ruling) {
        var state = Self.live()
        #expect(state.rule(name, revision: revision, of: Self.a) == ruling)
    }

    @Test("a patch of another target is never ignored as old")
    func otherTarget() {
        var state = Self.live()
        _ = state.want(Self.b)
        // The shell finds no document of `b` and reports a mismatch.
        #expect(state.rule("patch", revision: "k-0", of: Self.b) == .apply)
    }

    @Test("a mismatch requests a snapshot after a wait")
    func mismatch() {
        var state = Self.live()
        state.mismatched(at: .zero, random: 1_024)
        #expect(state.step(at: .zero) == .pause(.milliseconds(500)))
        #expect(state.step(at: .seconds(1)) == .connect(Self.a, resumingAfter: nil))
    }

    @Test("another target connects at once, a further one after the debounce time")
    func debounce() {
        var state = Self.live()
        #expect(state.want(Self.b) == true)
        #expect(state.step(at: .milliseconds(200)) == .connect(Self.b, resumingAfter: nil))
        #expect(state.want(Self.a) == true)
        #expect(state.connection == .connecting)
        #expect(state.step(at: .milliseconds(210)) == .pause(.milliseconds(140)))
        #expect(state.want(Self.b) == true)
        #expect(state.want(Self.a) == true)
        // The revision of the first target is still known.
        #expect(state.step(at: .milliseconds(350)) == .connect(Self.a, resumingAfter: "k-1"))
    }

    @Test("another target does not shorten the wait after a failure")
    func noHurry() {
        var state = Self.live()
        for _ in 0..<5 { state.failed(Self.away, at: .zero, random: 1_024) }
        #expect(state.want(Self.b) == true)
        #expect(state.step(at: .zero) == .pause(.seconds(8)))
        state.restart()
        #expect(state.step(at: .zero) == .connect(Self.b, resumingAfter: nil), "restart does")
    }

    @Test("a bookmark counts as a working connection")
    func bookmark() {
        var state = Self.live()
        state.failed(Self.away, at: .zero, random: 0)
        #expect(state.rule("bookmark", revision: "k-1", of: Self.a) == .ignore)
        #expect(state.connection == .live)
    }
}
