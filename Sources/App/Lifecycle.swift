import Concurrency
import Dispatch
import Glibc

/// The lifecycle of a command: its services, signals and its orderly end.
enum Lifecycle {
    /// Runs a job with services beside it.
    ///
    /// When the job returns, the services are cancelled and awaited.
    static func run<Result: Sendable>(
        services: [@Sendable () async -> Void],
        job: @escaping @Sendable () async -> Result
    ) async -> Result {
        await withTaskGroup { group in
            for service in services { group.addTask { await service() } }
            let result = await job()
            group.cancelAll()
            return result
        }
    }

    /// Runs a job that may fail, with services beside it, as ``run(services:job:)`` does.
    ///
    /// - Throws: ``ProgramError``: the job's error.
    static func attempt(
        services: [@Sendable () async -> Void],
        _ job: @escaping @Sendable () async throws(ProgramError) -> Void
    ) async throws(ProgramError) {
        if let error = await outcome(services: services, job) { throw error }
    }

    /// Runs a job as ``attempt(services:_:)`` does and returns its error; nil for success.
    static func outcome(
        services: [@Sendable () async -> Void],
        _ job: @escaping @Sendable () async throws(ProgramError) -> Void
    ) async -> ProgramError? {
        await run(services: services) { await Self.error(of: job) }
    }

    /// Runs a job and a check beside it.
    ///
    /// A failing check cancels the job; the end of the job cancels the check.
    ///
    /// - Throws: ``ProgramError``: the check's error, else the job's.
    static func run(
        beside check: @escaping @Sendable () async throws(ProgramError) -> Void,
        job: @escaping @Sendable () async throws(ProgramError) -> Void
    ) async throws(ProgramError) {
        let error = await withTaskGroup(of: (isJob: Bool, error: ProgramError?).self) { group in
            group.addTask { (true, await Self.error(of: job)) }
            group.addTask { (false, await Self.error(of: check)) }
            var first: ProgramError?
            for await end in group {
                if first == nil { first = end.error }
                if end.isJob || end.error != nil { group.cancelAll() }
            }
            return first
        }
        if let error { throw error }
    }

    private static func error(
        of body: () async throws(ProgramError) -> Void
    ) async -> ProgramError? {
        do throws(ProgramError) {
            try await body()
            return nil
        } catch {
            return error
        }
    }

    /// Waits for SIGTERM, SIGINT or SIGHUP.
    static func termination() async { await Termination().wait() }

    /// Ignores SIGPIPE: a closed socket is an error of that socket, not of the process.
    static func ignoreBrokenPipes() {
        signal(SIGPIPE, SIG_IGN)
    }
}

/// Receives SIGTERM, SIGINT and SIGHUP from its creation on.
///
/// A signal that arrives before ``wait()`` is kept.
final class Termination: Sendable {
    private static let signals = [SIGTERM, SIGINT, SIGHUP]

    private let received = AsyncEvent()

    /// Replaces the default action of the signals, which would end the process.
    init() {
        let queue = DispatchQueue(label: "hoga.signals")
        let registrations = DispatchGroup()
        for number in Self.signals {
            let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
            // The handler retains its source for the life of the process.
            source.setEventHandler { [received] in
                received.signal()
                withExtendedLifetime(source) {}
            }
            registrations.enter()
            source.setRegistrationHandler { registrations.leave() }
            source.resume()
        }
        // A source receives only signals that arrive after its registration, on another thread.
        registrations.wait()
    }

    /// Waits for a signal or for cancellation; call it once.
    func wait() async { await received.wait() }
}
