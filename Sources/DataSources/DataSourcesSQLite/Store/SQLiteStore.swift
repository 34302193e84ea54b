import Concurrency
public import DataSourceContracts

/// The store of a single person: one file, which any number of processes of one machine share.
///
/// A call opens the file if it is not open, at most once a second: what was locked, full or not to
/// be written when the program began heals by itself. A file that may not be written is read, and
/// writing answers `readOnly`. Each call is one transaction that is on the disk when it returns; a
/// call that fails has changed nothing.
///
/// Where the file is gone nothing is made: that would be an empty store, to which nobody has a
/// token. Another that is put in its place is refused: revisions of the one would be taken for
/// those of the other. Whoever wants it closes the store first, or starts the program again.
///
/// Calls block a thread of the store's own and come one after another. A process that holds the
/// file is waited for, 5 seconds long.
public actor SQLiteStore: UserRecordSource, MarketStoreSource {
    /// Where the file is.
    public nonisolated let path: String

    private nonisolated let executor = BlockingExecutor(label: "hoga.store")
    /// How the file is opened, and looked at from outside.
    let opening: StoreOpener
    private let limit: LockWaitBudget
    private let now: @Sendable () -> Int64
    private var file: OpenFile?
    private var failure: (error: StoreError, at: Int64)?
    /// Whether the file was open since it was closed on purpose.
    private var hasServed = false
    /// Which file that was.
    private var served: StoreFile.Identity?

    /// The thread that may block.
    public nonisolated var unownedExecutor: UnownedSerialExecutor {
        // The actor owns the executor, so the reference never outlives it.
        unsafe executor.asUnownedSerialExecutor()
    }

    /// Makes a store that opens its file with the first call.
    ///
    /// - Parameters:
    ///   - path: where the file is or will be; its folder is made when needed.
    ///   - now: the time, microseconds since 1970 UTC: when a migration was applied, and how long
    ///     ago opening failed.
    public init(path: String, now: @escaping @Sendable () -> Int64) {
        self.init(path: path, settings: SQLiteStoreSettings(), now: now)
    }

    /// Makes a store that waits for others for another time than 5 seconds.
    ///
    /// - Parameters:
    ///   - path: as above.
    ///   - patience: how long a call waits for another process that holds the file.
    ///   - now: as above.
    public init(path: String, patience: Duration, now: @escaping @Sendable () -> Int64) {
        var settings = SQLiteStoreSettings()
        settings.patience = patience
        self.init(path: path, settings: settings, now: now)
    }

    /// Makes a store that does something otherwise.
    init(path: String, settings: SQLiteStoreSettings, now: @escaping @Sendable () -> Int64) {
        self.path = path
        self.now = now
        limit = LockWaitBudget()
        opening = StoreOpener(
            file: StoreFile(path: path),
            settings: settings,
            limit: limit,
            now: now
        )
    }

    /// Opens the file now rather than with the first call, and brings its schema up to date.
    ///
    /// Before that it is copied beside itself, unless it is new: `hoga.sqlite.before-0003`.
    ///
    /// - Throws: ``StoreError``; later calls try again.
    public func open() throws(StoreError) {
        _ = try opened()
    }

    /// Bounds how long all calls together wait for other processes from now on, those included that
    /// are waiting: for the end of a program.
    ///
    /// What is left can be lowered and never grows again. A call tries once even without any left.
    public nonisolated func limitWaiting(to duration: Duration) {
        limit.lower(to: duration)
    }

    /// Closes the file; a later call opens it again, or makes another.
    public func close() {
        file = nil
        hasServed = false
        served = nil
    }

    // MARK: For the calls

    /// Runs a call in one transaction.
    func perform<Value>(
        _ purpose: SQLiteConnection.Purpose,
        isPatient: Bool = true,
        _ body: (SQLiteConnection) throws(StoreError) -> Value
    ) throws(StoreError) -> Value {
        let connection = try opened()
        connection.lockWait.isPatient = isPatient
        defer { connection.lockWait.isPatient = true }
        // Others may begin to write at any time: what ignores their locks is not kept, nor what
        // room on the disk would change.
        defer {
            if connection.access == .immutable || connection.refusalToWrite != nil { file = nil }
        }
        do throws(StoreError) {
            if purpose == .writing, let refusal = connection.refusalToWrite { throw refusal }
            return try connection.transaction(for: purpose) { () throws(StoreError) in
                try body(connection)
            }
        } catch {
            letGo(after: error)
            throw error
        }
    }

    /// The open file.
    private func opened() throws(StoreError) -> SQLiteConnection {
        if let file {
            // It is kept open, so that no other file gets its number from the system.
            if file.connection.hasMoved { throw absence }
            if try file.isPresent { return file.connection }
        }
        file = nil
        let time = now()
        if let failure, isRecent(failure.at, at: time) { throw failure.error }
        if hasServed, opening.file.byteCount == 0 || opening.file.identity != served {
            throw absence
        }
        do {
            let connection = try opening.open()
            file = OpenFile(
                connection: connection,
                since: time,
                schemaVersion: try connection.schemaVersion
            )
            failure = nil
            hasServed = true
            served = opening.file.identity
            return connection
        } catch {
            failure = (error, at: time)
            throw error
        }
    }

    /// What is at the path instead of the store that was open: nothing, or another file.
    private var absence: StoreError {
        opening.file.byteCount == 0
            ? StoreError(
                .unavailable,
                "\(path): the store was here and is gone: put it back, or start the program again"
                    + " to begin an empty one"
            )
            : StoreError(
                .unavailable,
                "\(path): another file was put in the place of the store that was open: put that"
                    + " back, or start the program again to use this one"
            )
    }

    /// Closes a file that may be better when opened anew, unless it just was.
    private func letGo(after error: StoreError) {
        switch error.code {
        case .busy, .full, .incompatible, .conflict, .tooMany, .notFound, .refused, .unauthorized,
            .forbidden, .fenced:
            return
        case .unavailable, .readOnly, .damaged: break
        }
        guard let file, !isRecent(file.since, at: now()) else { return }
        self.file = nil
    }

    /// A clock that was set back makes nothing wait.
    private func isRecent(_ moment: Int64, at time: Int64) -> Bool {
        (0..<opening.settings.retryMicroseconds).contains(time - moment)
    }
}

/// A file that was opened, and how it was then.
private struct OpenFile {
    let connection: SQLiteConnection
    let since: Int64
    let schemaVersion: Int64

    /// Whether it has the tables that were looked at: a newer program may have changed them, and
    /// then it is to be asked again who can live with it.
    var isPresent: Bool {
        get throws(StoreError) {
            do {
                return try connection.schemaVersion == schemaVersion
            } catch {
                // Opening it again would only wait for the same once more.
                if error.code == .busy { throw error }
                return false
            }
        }
    }
}

/// As its connection.
@available(*, unavailable)
extension OpenFile: Sendable {}
