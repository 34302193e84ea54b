import Synchronization
import TestSupport
import Testing

@testable import App

@Suite("A job runs beside a check", .tags(.threads))
struct LifecycleTests {
    private static let unfit = ProgramError(.unavailable, "another schema")
    private static let broken = ProgramError(.internal, "no terminal")

    /// Waits until the task is cancelled.
    private static func hang() async {
        try? await ContinuousClock().sleep(for: .seconds(3_600))
    }

    @Test("the job starts before the check ends, and its end cancels the check")
    func hangingCheck() async throws {
        let hasRun = Mutex(false)
        try await Lifecycle.run(beside: { await Self.hang() }) {
            hasRun.withLock { $0 = true }
        }
        let didRun = hasRun.withLock { $0 }
        #expect(didRun)
    }

    @Test("a passing check lets the job finish")
    func passingCheck() async throws {
        let (checkEnds, check) = AsyncStream<Void>.makeStream()
        let error = await #expect(throws: ProgramError.self) {
            try await Lifecycle.run(beside: { check.finish() }) { () async throws(ProgramError) in
                for await _ in checkEnds {}
                throw Self.broken
            }
        }
        #expect(error == Self.broken)
    }

    @Test("a failing check cancels the job and its error is thrown")
    func failingCheck() async throws {
        let isCancelled = Mutex(false)
        let error = await #expect(throws: ProgramError.self) {
            try await Lifecycle.run(
                beside: { () async throws(ProgramError) in throw Self.unfit },
                job: { () async throws(ProgramError) in
                    await Self.hang()
                    isCancelled.withLock { $0 = Task.isCancelled }
                }
            )
        }
        #expect(error == Self.unfit)
        let wasCancelled = isCancelled.withLock { $0 }
        #expect(wasCancelled)
    }
}
