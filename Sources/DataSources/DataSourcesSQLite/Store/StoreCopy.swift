import DataSourceContracts
import Glibc

/// Copies the file of a store, completely or not at all, while other processes may write.
struct StoreCopy {
    /// A connection to the file, not used for anything else meanwhile.
    let source: SQLiteConnection
    /// How long a call waits for the lock of another process on the copy.
    let patience: Duration
    /// State of the file before it was opened.
    let trace: StoreFile.Trace?

    /// Writes a copy and waits until it is on disk.
    ///
    /// - Parameters:
    ///   - target: the file of the copy.
    ///   - replacing: whether an existing file may be replaced.
    /// - Throws: ``StoreError``; no file is left at the target then.
    func write(to target: StoreFile, replacing: Bool) throws(StoreError) {
        // Concurrent copies by two processes use different files.
        let partial = StoreFile(path: "\(target.path).partial-\(getpid())")
        partial.remove()
        try partial.makeEmpty()
        do {
            try fill(partial)
            try StoreFile.sync(partial.path)
            if replacing {
                try partial.rename(to: target)
            } else {
                try partial.renameWithoutReplacing(to: target)
            }
        } catch {
            partial.remove()
            StoreFile(path: partial.path + "-journal").remove()
            throw error
        }
        try StoreFile.sync(target.folder)
    }

    private func fill(_ partial: StoreFile) throws(StoreError) {
        let copy = try SQLiteConnection(
            path: partial.path,
            access: .readWrite,
            patience: patience
        )
        try source.copy(to: copy)
        // Without locks another process may have written meanwhile.
        guard source.access != .immutable || !isWritten else {
            throw StoreError(
                .busy,
                "\(source.path): another program wrote to it meanwhile: "
                    + StoreError.remedy(for: .busy)
            )
        }
        // Pages are copied unverified; an unreadable copy is refused.
        let finding = try copy.first("PRAGMA quick_check(1)") { row throws(StoreError) in
            try row.text(0)
        }
        guard finding == "ok" else {
            throw StoreError(
                .damaged,
                "\(source.path): \(finding ?? ""): \(StoreError.remedy(for: .damaged))"
            )
        }
        // A copy is a single file that can be read in a read-only folder.
        try copy.execute("PRAGMA journal_mode = DELETE")
    }

    private var isWritten: Bool {
        StoreFile(path: source.path + "-wal").byteCount != 0
            || StoreFile(path: source.path).trace != trace
    }
}

/// Not sendable, like its connection.
@available(*, unavailable)
extension StoreCopy: Sendable {}
