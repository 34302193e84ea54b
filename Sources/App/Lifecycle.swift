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

    /// Waits until the process is told to end: SIGTERM, SIGINT or SIGHUP.
    static func termination() async {
        let signals = [SIGTERM, SIGINT, SIGHUP]
        // The default action would end the process before the sources see the signal.
        for number in signals { signal(number, SIG_IGN) }
        let queue = DispatchQueue(label: "hoga.signals")
        let sources = signals.map {
            DispatchSource.makeSignalSource(signal: $0, queue: queue)
        }
        let received = AsyncStream<Void>(bufferingPolicy: .bufferingNewest(1)) { continuation in
            for source in sources {
                source.setEventHandler { continuation.yield() }
                source.resume()
            }
        }
        for await _ in received { break }
        for source in sources { source.cancel() }
    }

    /// A peer that closes its socket is an error of that socket, never the end of the process.
    static func ignoreBrokenPipes() {
        signal(SIGPIPE, SIG_IGN)
    }
}
