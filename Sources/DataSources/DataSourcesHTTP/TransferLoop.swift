import Concurrency
import CLibCurl
import DataSourceContracts
import DataSourcesCurl
import NetworkAddresses

/// The settings of every transfer.
struct TransferSettings: Sendable {
    /// The value of the header `User-Agent`.
    let userAgent: String
    /// The trusted certificates.
    let authorities: CertificateAuthorities
    /// The proxy.
    let proxy: ProxyChoice
    /// Whether a connection to an address may be opened; nil for all, and for `http` too.
    let permits: (@Sendable (NetworkAddress) -> Bool)?
    /// The longest that connecting and TLS may take.
    let connectTimeout: Duration
    /// The connections to one host; further requests wait for a free one.
    let connectionsPerHostMax: Int
}

/// The thread on which libcurl works: it starts transfers, performs them and waits for sockets.
///
/// ``run()`` occupies this actor until the transport ends; no other method is called meanwhile.
actor TransferLoop {
    /// The idle connections that are kept.
    private static let connectionsMax = 16
    /// The longest wait without an event; the waker ends it sooner.
    private static let waitMax = Duration.seconds(60)

    private nonisolated let executor = BlockingExecutor(label: "hoga.http")
    private let multi: MultiHandle
    private let queue: TransferQueue
    private let settings: TransferSettings
    private var transfers: [EasyHandleID: Transfer] = [:]
    private var isStarted = false

    nonisolated var unownedExecutor: UnownedSerialExecutor {
        // The actor owns the executor, so the reference never outlives it.
        unsafe executor.asUnownedSerialExecutor()
    }

    /// Makes a loop that does not run yet.
    init(
        multi: consuming sending MultiHandle,
        queue: TransferQueue,
        settings: TransferSettings
    ) throws(TransportError) {
        try multi.set(CURLMOPT_MAX_HOST_CONNECTIONS, settings.connectionsPerHostMax)
        try multi.set(CURLMOPT_MAXCONNECTS, Self.connectionsMax)
        self.multi = multi
        self.queue = queue
        self.settings = settings
    }

    /// Blocks this actor's thread until the queue ends.
    func run() {
        precondition(!isStarted, "A transport runs once.")
        isStarted = true
        do {
            while !queue.hasEnded {
                for command in queue.takeCommands() { perform(command) }
                try multi.perform()
                while let completion = multi.nextCompletion() { finish(completion) }
                // A command that arrived meanwhile ends this wait at once.
                try multi.wait(for: Self.waitMax)
            }
        } catch {
            // Without memory or file descriptors libcurl cannot continue: callers get the reason.
            queue.end(because: error)
        }
        for transfer in transfers.values { multi.remove(transfer.easy) }
        transfers = [:]
    }

    private func perform(_ command: TransferQueue.Command) {
        switch command {
        case .start(let id, let request):
            do {
                let transfer = try Transfer(
                    id: id,
                    request: request,
                    buffer: queue.streamBuffer(of: id),
                    settings: settings
                )
                try multi.add(transfer.easy)
                transfers[transfer.easy.id] = transfer
            } catch {
                queue.complete(id, with: .failure(error))
            }
        case .drop(let id):
            guard let transfer = transfer(id) else { return }
            multi.remove(transfer.easy)
            transfers[transfer.easy.id] = nil
        case .resume(let id): transfer(id)?.easy.resume()
        }
    }

    private func transfer(_ id: TransferQueue.ID) -> Transfer? {
        transfers.values.first { $0.id == id }
    }

    private func finish(_ completion: MultiHandle.Completion) {
        guard let transfer = transfers.removeValue(forKey: completion.id) else { return }
        multi.remove(transfer.easy)
        queue.complete(transfer.id, with: transfer.result(of: completion.code))
    }
}
