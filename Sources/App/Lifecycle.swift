import Dispatch
import Glibc

/// How a command lives: services beside it, signals, and an orderly end.
enum Lifecycle {
    /// Runs services for as long as the main job takes.
    ///
    /// The services are cancelled when the job returns, and waited for.
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

    /// Runs a job, and beside it a look at something whose failure ends the job.
    ///
    /// The job waits for nothing of it, and when the job has come to its end the look is given up.
    ///
    /// - Parameters:
    ///   - look: throws what the job is to end with.
    ///   - job: is cancelled when the look fails.
    /// - Throws: ``ProgramError``: what the look found, else what the job throws.
    static func run(
        beside look: @escaping @Sendable () async throws(ProgramError) -> Void,
        job: @escaping @Sendable () async throws(ProgramError) -> Void
    ) async throws(ProgramError) {
        let error = await withTaskGroup(of: (isJob: Bool, error: ProgramError?).self) { group in
            group.addTask { (true, await Self.error(of: job)) }
            group.addTask { (false, await Self.error(of: look)) }
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

    /// Waits until the process is told to end: SIGTERM, SIGINT or SIGHUP.
    static func termination() async { await Termination().wait() }

    /// A peer that closes its socket is an error of that socket, never the end of the process.
    static func ignoreBrokenPipes() {
        signal(SIGPIPE, SIG_IGN)
    }
}

/// Takes note of the signals that tell the process to end, from its making on: SIGTERM, SIGINT and
/// SIGHUP.
///
/// One that comes before anybody waits is not lost, so that what begins is ended in order.
final class Termination: Sendable {
    private static let signals = [SIGTERM, SIGINT, SIGHUP]

    private let received: AsyncStream<Void>

    /// From now on those signals no longer end the process by themselves.
    init() {
        // The default action would end the process before the sources see the signal.
        for number in Self.signals { signal(number, SIG_IGN) }
        let queue = DispatchQueue(label: "hoga.signals")
        received = AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
            for number in Self.signals {
                let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
                // The handler holds its source, which lasts as long as the process.
                source.setEventHandler {
                    continuation.yield()
                    withExtendedLifetime(source) {}
                }
                source.resume()
            }
        }
    }

    /// Waits for one of them, or until the task is cancelled; to be called once.
    func wait() async {
        for await _ in received { break }
    }
}
