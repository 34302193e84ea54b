import Concurrency
public import DataSourceContracts

/// The store for a single user: one file, shared by any number of processes on one machine.
///
/// A call opens the file if it is not open, at most once a second. A store that was locked, full or
/// read-only at start therefore recovers by itself. A file without write permission is read, and
/// writing throws `readOnly`. Each call is one transaction that is on disk when it returns; a
/// failed call changes nothing.
///
/// A file that was removed is not recreated: the new store would be empty and have no tokens. A
/// different file at the path is refused: its revisions would be confused with those of the first.
/// To use it, close the store or restart the program.
///
/// Calls run one after another on the store's own thread and may block it. A lock of another
/// process is waited for up to 5 seconds.
public actor SQLiteStore: UserRecordSource, MarketStoreSource {
    /// The path of the file.
    public nonisolated let path: String

    private nonisolated let executor = BlockingExecutor(label: "hoga.store")
    /// Opens the file, and examines it from outside.
    let opening: StoreOpener
    private let limit: LockWaitBudget
    /// The time, microseconds since 1970 UTC.
    let now: @Sendable () -> Int64
    private var file: OpenFile?
    private var failure: (error: StoreError, at: Int64)?
    /// Whether the file was opened since the last `close()`.
    private var hasServed = false
    /// Identity of that file.
    private var served: StoreFile.Identity?

    /// A thread that may block.
    public nonisolated var unownedExecutor: UnownedSerialExecutor {
        // The actor owns the executor, so the reference never outlives it.
        unsafe executor.asUnownedSerialExecutor()
    }

    /// Makes a store that opens its file with the first call.
    ///
    /// - Parameters:
    ///   - path: the file; its folder is created if needed.
    ///   - now: the time in microseconds since 1970 UTC, for migrations, for leases and for the
    ///     delay between attempts to open.
    public init(path: String, now: @escaping @Sendable () -> Int64) {
        self.init(path: path, settings: SQLiteStoreSettings(), now: now)
    }

    /// Makes a store with another lock timeout than 5 seconds.
    ///
    /// - Parameters:
    ///   - path: as above.
    ///   - patience: how long a call waits for the lock of another process.
    ///   - now: as above.
    public init(path: String, patience: Duration, now: @escaping @Sendable () -> Int64) {
        var settings = SQLiteStoreSettings()
        settings.patience = patience
        self.init(path: path, settings: settings, now: now)
    }

    /// Makes a store with other settings.
    package init(
        path: String,
        settings: SQLiteStoreSettings,
        now: @escaping @Sendable () -> Int64
    ) {
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

    /// Opens the file now instead of with the first call, and applies pending migrations.
    ///
    /// An existing file is copied first: `hoga.sqlite.before-0003`.
    ///
    /// - Throws: ``StoreError``; later calls try again.
    public func open() throws(StoreError) {
        _ = try opened()
    }

    /// Limits the total time that all calls wait for locks from now on, including waiting calls,
    /// for the end of the program.
    ///
    /// The remaining time can be lowered but never raised. A call tries once even when none is
    /// left.
    public nonisolated func limitWaiting(to duration: Duration) {
        limit.lower(to: duration)
    }

    /// Closes the file; a later call opens it again, or creates another.
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
        // An immutable connection ignores locks, and a full disk may have room again, so neither is
        // kept open.
        defer {
            if connection.access == .immutable || connection.refusalToWrite != nil { file = nil }
        }
        do throws(StoreError) {
            if purpose == .writing, let refusal = connection.refusalToWrite { throw refusal }
            return try connection.transaction(for: purpose) { () throws(StoreError) in
                try body(connection)
            }
        } catch {
            closeIfRecoverable(after: error)
            throw error
        }
    }

    /// The open file.
    private func opened() throws(StoreError) -> SQLiteConnection {
        if let file {
            // The connection stays open, so that no other file can get the same inode.
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

    /// The error for a missing or different file at the path.
    private var absence: StoreError {
        opening.file.byteCount == 0
            ? StoreError(
                .unavailable,
                "\(path): the store was removed while in use: restore it, or restart the program"
                    + " to create an empty one"
            )
            : StoreError(
                .unavailable,
                "\(path): another file replaced the open store: restore the old file,"
                    + " or restart the program to use this one"
            )
    }

    /// Closes a file that may work again after reopening, unless it was opened just now.
    private func closeIfRecoverable(after error: StoreError) {
        switch error.code {
        case .busy, .full, .incompatible, .conflict, .tooMany, .notFound, .refused, .unauthorized,
            .forbidden, .fenced:
            return
        case .unavailable, .readOnly, .damaged: break
        }
        guard let file, !isRecent(file.since, at: now()) else { return }
        self.file = nil
    }

    /// A clock that was set back causes no delay.
    private func isRecent(_ moment: Int64, at time: Int64) -> Bool {
        (0..<opening.settings.retryMicroseconds).contains(time - moment)
    }
}

/// An open file, and its state when it was opened.
private struct OpenFile {
    let connection: SQLiteConnection
    let since: Int64
    let schemaVersion: Int64

    /// Whether the schema is the one that was verified.
    ///
    /// After a newer program changed it, compatibility must be verified again.
    var isPresent: Bool {
        get throws(StoreError) {
            do {
                return try connection.schemaVersion == schemaVersion
            } catch {
                // Opening again would only wait for the same lock once more.
                if error.code == .busy { throw error }
                return false
            }
        }
    }
}

/// Not sendable, like its connection.
@available(*, unavailable)
extension OpenFile: Sendable {}
