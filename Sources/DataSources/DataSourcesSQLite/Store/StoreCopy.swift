import DataSourceContracts
import Glibc

/// Copies the file of a store, complete or not at all, while others may write to it.
struct StoreCopy {
    /// A connection to the file that does nothing else meanwhile.
    let source: SQLiteConnection
    /// How long a call waits for another process that holds the copy.
    let patience: Duration
    /// How the file was before it was opened.
    let trace: StoreFile.Trace?

    /// Writes a copy and waits until it is on the disk.
    ///
    /// - Parameters:
    ///   - target: where.
    ///   - replacing: whether it may take the place of a file that is there.
    /// - Throws: ``StoreError``; nothing is left at the target then.
    func write(to target: StoreFile, replacing: Bool) throws(StoreError) {
        // Two processes that copy at once do not meet.
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
        // Without locks somebody may have begun to write after all.
        guard source.access != .immutable || !isWritten else {
            throw StoreError(
                .busy,
                "\(source.path): it was written to meanwhile: \(StoreError.remedy(for: .busy))"
            )
        }
        // Pages are copied as they are; a copy that cannot be read is none.
        let finding = try copy.first("PRAGMA quick_check(1)") { row throws(StoreError) in
            try row.text(0)
        }
        guard finding == "ok" else {
            throw StoreError(
                .damaged,
                "\(source.path): \(finding ?? ""): \(StoreError.remedy(for: .damaged))"
            )
        }
        // A copy is one file, which can be read where nothing can be written.
        try copy.execute("PRAGMA journal_mode = DELETE")
    }

    private var isWritten: Bool {
        StoreFile(path: source.path + "-wal").byteCount != 0
            || StoreFile(path: source.path).trace != trace
    }
}

/// As its connection.
@available(*, unavailable)
extension StoreCopy: Sendable {}
