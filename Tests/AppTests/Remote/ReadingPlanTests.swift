import Testing

@testable import App

@Suite("When a stream is connected, resumed, given up and tried again")
struct ReadingPlanTests {
    private static let a = RemoteTarget(path: "/a")
    private static let b = RemoteTarget(path: "/b")
    private static let away = RemoteFailure(.unreachable, "nobody")

    /// A plan that reads `a` and has its document.
    private static func live() -> ReadingPlan {
        var plan = ReadingPlan()
        _ = plan.want(a)
        _ = plan.step(at: .zero)
        plan.took("k-1", of: a)
        return plan
    }

    private static func lost(_ line: ReadingPlan.Line) -> (code: RemoteFailure.Code, Int, Duration)?
    {
        guard case .lost(let failure, let attempt, let retryAt) = line else { return nil }
        return (failure.code, attempt, retryAt)
    }

    @Test("Nothing is done until something is wanted, and that is connected to at once")
    func start() {
        var plan = ReadingPlan()
        #expect(plan.step(at: .zero) == .rest)
        #expect(plan.want(Self.a) == true)
        #expect(plan.want(Self.a) == false, "the same again is nothing new")
        #expect(plan.step(at: .seconds(1)) == .connect(Self.a, resumingAfter: nil))
        #expect(plan.line == .connecting)
        plan.took("k-1", of: Self.a)
        #expect(plan.line == .live)
        #expect(plan.want(nil) == true)
        #expect(plan.step(at: .seconds(2)) == .rest)
    }

    @Test("A lost stream goes on where it was, and tells the attempt and its time")
    func resume() {
        var plan = Self.live()
        plan.failed(Self.away, at: .seconds(10), random: 0)
        let lost = Self.lost(plan.line)
        #expect(lost?.0 == .unreachable && lost?.1 == 1)
        #expect(lost?.2 == .seconds(10) + .milliseconds(250))
        #expect(plan.step(at: .seconds(10)) == .pause(.milliseconds(250)))
        #expect(plan.step(at: .seconds(11)) == .connect(Self.a, resumingAfter: "k-1"))
        // Nothing was new: that the service answers is enough.
        plan.resumed(Self.a)
        #expect(plan.line == .live)
    }

    @Test("Waits double to half a minute, each random between half and the whole of it")
    func waits() {
        var (shortest, longest) = (Self.live(), Self.live())
        for (index, whole) in [500, 1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000].enumerated()
        {
            shortest.failed(Self.away, at: .zero, random: 0)
            longest.failed(Self.away, at: .zero, random: 1_024)
            #expect(Self.lost(shortest.line)?.1 == index + 1)
            #expect(Self.lost(shortest.line)?.2 == .milliseconds(whole / 2))
            #expect(Self.lost(longest.line)?.2 == .milliseconds(whole))
        }
        for _ in 0..<100 { longest.failed(Self.away, at: .zero, random: 1_024) }
        #expect(Self.lost(longest.line)?.2 == .seconds(30))
        longest.took("k-2", of: Self.a)
        longest.failed(Self.away, at: .zero, random: 1_024)
        #expect(Self.lost(longest.line)?.2 == .milliseconds(500), "all was well in between")
    }

    @Test("A service that says how long to wait is left alone for so long")
    func retryAfter() {
        var plan = Self.live()
        let full = RemoteFailure(.rateLimited, "full", retryAfter: .seconds(7))
        plan.failed(full, at: .seconds(1), random: 0)
        #expect(plan.step(at: .seconds(1)) == .pause(.seconds(7)))
    }

    @Test("After a goodbye a reader waits as long as the service asked for")
    func goodbye() {
        var plan = Self.live()
        plan.take(retry: .milliseconds(3_200))
        #expect(plan.rule("bye", revision: "k-1", of: Self.a) == .leave)
        plan.failed(RemoteFailure(.leaving, "bye"), at: .zero, random: 0)
        #expect(plan.step(at: .zero) == .pause(.milliseconds(3_200)))
        plan.failed(Self.away, at: .zero, random: 0)
        #expect(plan.step(at: .zero) == .pause(.milliseconds(500)), "from then on by its own rule")
    }

    @Test(
        "What an event asks for",
        arguments: [
            ("snapshot", "k-1", .replace), ("reset", "k-0", .replace), ("patch", "k-2", .apply),
            ("patch", "k-1", .pass), ("patch", "k-0", .pass), ("patch", "other-1", .apply),
            ("patch", "odd", .apply), ("bookmark", "k-1", .pass), ("news", "k-9", .pass),
            ("bye", "", .leave), ("message", "", .pass),
        ] as [(String, String, ReadingPlan.Ruling)]
    )
    func rulings(name: String, revision: String, ruling: ReadingPlan.Ruling) {
        var plan = Self.live()
        #expect(plan.rule(name, revision: revision, of: Self.a) == ruling)
    }

    @Test("A patch of another document than the one that stands is applied to none")
    func otherTarget() {
        var plan = Self.live()
        _ = plan.want(Self.b)
        // The reader finds that there is no document of `b`, and says so.
        #expect(plan.rule("patch", revision: "k-0", of: Self.b) == .apply)
    }

    @Test("What fits nothing is asked for whole, and not at once for ever")
    func mismatch() {
        var plan = Self.live()
        plan.mismatched(at: .zero, random: 1_024)
        #expect(plan.step(at: .zero) == .pause(.milliseconds(500)))
        #expect(plan.step(at: .seconds(1)) == .connect(Self.a, resumingAfter: nil))
    }

    @Test("Another document is asked for at once, and one more only when a moment has passed")
    func settling() {
        var plan = Self.live()
        #expect(plan.want(Self.b) == true)
        #expect(plan.step(at: .milliseconds(200)) == .connect(Self.b, resumingAfter: nil))
        #expect(plan.want(Self.a) == true)
        #expect(plan.line == .connecting)
        #expect(plan.step(at: .milliseconds(210)) == .pause(.milliseconds(140)))
        #expect(plan.want(Self.b) == true)
        #expect(plan.want(Self.a) == true)
        // Of the first document the place is still known.
        #expect(plan.step(at: .milliseconds(350)) == .connect(Self.a, resumingAfter: "k-1"))
    }

    @Test("While the service is away, wanting something else does not hurry")
    func noHurry() {
        var plan = Self.live()
        for _ in 0..<5 { plan.failed(Self.away, at: .zero, random: 1_024) }
        #expect(plan.want(Self.b) == true)
        #expect(plan.step(at: .zero) == .pause(.seconds(8)))
        plan.restart()
        #expect(plan.step(at: .zero) == .connect(Self.b, resumingAfter: nil), "unless asked to")
    }

    @Test("A bookmark shows that all is well")
    func bookmark() {
        var plan = Self.live()
        plan.failed(Self.away, at: .zero, random: 0)
        #expect(plan.rule("bookmark", revision: "k-1", of: Self.a) == .pass)
        #expect(plan.line == .live)
    }
}
