import DataSourceContracts
import Glibc

/// The file of a store and its folder in the file system.
///
/// Never opens a file that SQLite has open: closing it would release SQLite's POSIX locks.
struct StoreFile: Sendable {
    /// The path.
    let path: String

    /// The folder of the file.
    var folder: String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    /// The type of a file.
    enum Kind: Sendable {
        /// A regular file.
        case regular
        /// A folder, a pipe, a socket or a device.
        case other
    }

    /// Whether the path exists.
    var exists: Bool { StoreFile.status(of: path) != nil }

    /// The type of the file at the path, following links; nil if there is none.
    ///
    /// - Throws: ``StoreError`` `unavailable` if the type is unknown, e.g. because a folder may not
    ///   be entered.
    func kind() throws(StoreError) -> Kind? {
        guard let status = StoreFile.status(of: path) else {
            // A path that cannot be examined may exist.
            guard errno == ENOENT else { throw failure(doing: "cannot be examined", mayBe: []) }
            return nil
        }
        return status.st_mode & S_IFMT == S_IFREG ? .regular : .other
    }

    /// Whether the path is a file that SQLite may open.
    ///
    /// SQLite also reads from pipes and devices, and some of them block for ever.
    ///
    /// - Throws: ``StoreError`` `unavailable` for other types, or if the type is unknown.
    func isRegular() throws(StoreError) -> Bool {
        switch try kind() {
        case nil: return false
        case .regular: return true
        case .other:
            throw StoreError(.unavailable, "\(path): not a regular file: choose another path")
        }
    }

    /// Identity of the file; nil if it cannot be examined.
    var identity: Identity? {
        StoreFile.status(of: path).map { Identity(device: $0.st_dev, node: $0.st_ino) }
    }

    /// Device and inode, unique while the file exists.
    struct Identity: Hashable, Sendable {
        let device: dev_t
        let node: ino_t
    }

    /// The current state of the file; nil if it cannot be examined.
    var trace: Trace? { StoreFile.status(of: path).map(Trace.init) }

    /// Changes if the file is written to or replaced.
    struct Trace: Hashable, Sendable {
        private let node: ino_t
        private let byteCount: off_t
        private let seconds: Int
        private let nanoseconds: Int

        /// Reads the fields from `stat`.
        init(_ status: stat) {
            node = status.st_ino
            byteCount = status.st_size
            seconds = status.st_mtim.tv_sec
            nanoseconds = status.st_mtim.tv_nsec
        }
    }

    /// The size in bytes; 0 without a file.
    var byteCount: Int64 { StoreFile.status(of: path).map { Int64($0.st_size) } ?? 0 }

    /// Creates the folder and an empty file if missing, with access for their owner only.
    ///
    /// - Throws: ``StoreError``: `unavailable`, `full` or `readOnly`.
    func make() throws(StoreError) {
        // A path that cannot be examined is not created.
        if try kind() != nil { return }
        try makeFolder(folder)
        do {
            try makeEmpty()
            // The name is on disk before the contents. A folder that may not be read is used
            // nevertheless.
            try? StoreFile.sync(folder)
        } catch {
            // Another process has created it meanwhile.
            if !exists { throw error }
        }
    }

    /// Creates an empty file that must not exist.
    func makeEmpty() throws(StoreError) {
        // Safe: the path is a Swift string; the call gets it null-terminated and only reads it.
        let descriptor = unsafe open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw failure(doing: "cannot be created") }
        close(descriptor)
    }

    /// Removes the file if it exists.
    func remove() {
        // Safe: the path is only read.
        unsafe unlink(path)
    }

    /// Renames the file, replacing the target.
    func rename(to target: StoreFile) throws(StoreError) {
        // Safe: the paths are only read.
        guard unsafe Glibc.rename(path, target.path) == 0 else {
            throw failure(doing: "cannot be renamed to \(target.path)")
        }
    }

    /// Renames the file to a path that must not exist.
    ///
    /// - Throws: ``StoreError``: `unavailable` if the target exists.
    func renameWithoutReplacing(to target: StoreFile) throws(StoreError) {
        // A hard link first: unlike `rename` it never replaces. Safe: the paths are only read.
        if unsafe link(path, target.path) == 0 { return remove() }
        // Some file systems have no hard links.
        guard errno != EEXIST, !target.exists else {
            throw StoreError(.unavailable, "\(target.path): the file exists: choose another path")
        }
        try rename(to: target)
    }

    /// Waits until the contents of a file, or the names in a folder, are on disk.
    static func sync(_ path: String) throws(StoreError) {
        // Safe: the path is only read.
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
        defer { if descriptor >= 0 { close(descriptor) } }
        guard descriptor >= 0, fsync(descriptor) == 0 else {
            throw StoreFile(path: path).failure(doing: "cannot be written to disk")
        }
    }

    private func makeFolder(_ folder: String) throws(StoreError) {
        if folder.isEmpty || StoreFile.status(of: folder) != nil { return }
        let parent = StoreFile(path: folder).folder
        if parent != folder { try makeFolder(parent) }
        // Safe: the path is only read.
        guard unsafe mkdir(folder, 0o700) == 0 || errno == EEXIST else {
            throw StoreFile(path: folder).failure(doing: "cannot be created")
        }
    }

    /// The error of the last system call; a permission error means `readOnly`.
    private func failure(doing words: String) -> StoreError {
        failure(doing: words, mayBe: [EACCES, EPERM])
    }

    private func failure(doing words: String, mayBe rightsToWrite: [Int32]) -> StoreError {
        let number = errno
        let kind =
            rightsToWrite.contains(number) ? .readOnly : StoreError.kind(ofSystemNumber: number)
        // The text is static or thread-local, and copied at once.
        let reason = unsafe strerror(number).map { unsafe String(cString: $0) } ?? ""
        let remedy = StoreError.remedy(for: kind)
        return StoreError(kind, "\(path): \(words): \(reason) (errno \(number)): \(remedy)")
    }

    private static func status(of path: String) -> stat? {
        var status = stat()
        // Safe: the call reads the path and fills the structure it is given.
        return unsafe stat(path, &status) == 0 ? status : nil
    }
}
