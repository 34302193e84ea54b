import TestSupport
import Testing

/// Runs each test on a thread of its own.
///
/// Tests that wait for child processes block. Swift's pool has one thread for each core, and two
/// such tests would hold up all others.
struct OwnThreadTrait: SuiteTrait, TestTrait, TestScoping {
    var isRecursive: Bool { true }

    @concurrent
    func provideScope(
        for test: Test,
        testCase: Test.Case?,
        performing function: @Sendable @concurrent () async throws -> Void
    ) async throws {
        try await withTaskExecutorPreference(ThreadExecutor()) { try await function() }
    }
}

extension Trait where Self == OwnThreadTrait {
    /// Runs each test on a thread of its own.
    static var ownThread: Self { OwnThreadTrait() }
}
