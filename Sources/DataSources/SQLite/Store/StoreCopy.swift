import DataSources
import Glibc

/// Copies the file of a store, complete or not at all, while others may write to it.
struct StoreCopy: Sendable {
    /// The file.
    let file: StoreFile
    /// How long a call waits for another process that holds the file.
    let patience: Duration

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
                try partial.renameAnew(to: target)
            }
        } catch {
            partial.remove()
            StoreFile(path: partial.path + "-journal").remove()
            throw error
        }
        try StoreFile.sync(target.folder)
    }

    private func fill(_ partial: StoreFile) throws(StoreError) {
        let source = try SQLiteConnection(path: file.path, access: .readOnly, patience: patience)
        let copy = try SQLiteConnection(
            path: partial.path,
            access: .readWrite,
            patience: patience
        )
        try source.copy(to: copy)
        // Pages are copied as they are; a copy that cannot be read is none.
        let finding = try copy.first("PRAGMA quick_check(1)") { row throws(StoreError) in
            try row.text(0)
        }
        guard finding == "ok" else {
            throw StoreError(
                .damaged,
                "\(file.path): \(finding ?? ""): \(StoreError.remedy(for: .damaged))"
            )
        }
        // A copy is one file, which can be read where nothing can be written.
        try copy.execute("PRAGMA journal_mode = DELETE")
    }
}
