import Concurrency
import CLibCurl
import DataSourceContracts
import DataSourcesCurl

/// What holds for every transfer.
struct TransferSettings: Sendable {
    /// The name of the program, for servers.
    let userAgent: String
    /// Whose certificates are trusted.
    let authorities: CertificateAuthorities
    /// The way to servers.
    let proxy: ProxyChoice
    /// The longest that connecting and TLS may take.
    let connectTimeout: Duration
    /// How many connections one host gets: further requests wait for one to become free.
    let connectionsPerHostMax: Int
}

/// The one thread on which libcurl works: it starts, goes on with and ends transfers, and waits.
actor TransferLoop {
    /// How many idle connections are kept.
    private static let connectionsMax = 16
    /// How long a wait without any event lasts; the waker ends it sooner.
    private static let waitMax = Duration.seconds(60)

    private nonisolated let executor = BlockingExecutor(label: "hoga.http")
    private let multi: MultiHandle
    private let mailbox: TransferQueue
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
        mailbox: TransferQueue,
        settings: TransferSettings
    ) throws(TransportError) {
        try multi.set(CURLMOPT_MAX_HOST_CONNECTIONS, settings.connectionsPerHostMax)
        try multi.set(CURLMOPT_MAXCONNECTS, Self.connectionsMax)
        self.multi = multi
        self.mailbox = mailbox
        self.settings = settings
    }

    /// Blocks this actor's thread until the mailbox ends.
    func run() {
        precondition(!isStarted, "A transport runs once.")
        isStarted = true
        do {
            while !mailbox.hasEnded {
                for command in mailbox.takeCommands() { obey(command) }
                try multi.perform()
                while let completion = multi.nextCompletion() { finish(completion) }
                // A command that came meanwhile has woken the wait beforehand.
                try multi.wait(for: Self.waitMax)
            }
        } catch {
            // Without memory or file descriptors nothing can go on: callers are told why.
            mailbox.end(because: error)
        }
        for transfer in transfers.values { multi.remove(transfer.easy) }
        transfers = [:]
    }

    private func obey(_ command: TransferQueue.Ledger.Command) {
        switch command {
        case .start(let id, let request):
            do {
                let transfer = try Transfer(
                    id: id,
                    request: request,
                    pipe: mailbox.pipe(of: id),
                    settings: settings
                )
                try multi.add(transfer.easy)
                transfers[transfer.easy.id] = transfer
            } catch {
                mailbox.complete(id, with: .failure(error))
            }
        case .drop(let id):
            guard let transfer = transfer(id) else { return }
            multi.remove(transfer.easy)
            transfers[transfer.easy.id] = nil
        case .resume(let id): transfer(id)?.easy.resume()
        }
    }

    private func transfer(_ id: TransferQueue.Ledger.ID) -> Transfer? {
        transfers.values.first { $0.id == id }
    }

    private func finish(_ completion: MultiHandle.Completion) {
        guard let transfer = transfers.removeValue(forKey: completion.id) else { return }
        multi.remove(transfer.easy)
        mailbox.complete(transfer.id, with: transfer.result(of: completion.code))
    }
}
