import DataSourceContracts
import Glibc

/// The file of a store and its folder, as the system sees them.
///
/// It never opens a file that SQLite has open: closing it would let go of SQLite's locks.
struct StoreFile: Sendable {
    /// The path.
    let path: String

    /// The folder that the file lies in.
    var folder: String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    /// What can be at a path.
    enum Kind: Sendable {
        /// A file with bytes of its own.
        case regular
        /// A folder, a pipe, a socket or a device.
        case other
    }

    /// Whether something is seen at the path.
    var exists: Bool { StoreFile.status(of: path) != nil }

    /// What is at the path, or at the end of its links; nil if nothing is.
    ///
    /// - Throws: ``StoreError`` `unavailable` where that cannot be told: in a folder that may not
    ///   be entered, or that is none.
    func kind() throws(StoreError) -> Kind? {
        guard let status = StoreFile.status(of: path) else {
            // What cannot be looked at may well be there.
            guard errno == ENOENT else { throw failure(doing: "cannot be looked at", mayBe: []) }
            return nil
        }
        return status.st_mode & S_IFMT == S_IFREG ? .regular : .other
    }

    /// Whether there is a file that SQLite may be given.
    ///
    /// SQLite reads from pipes and devices as well, and some of them never answer.
    ///
    /// - Throws: ``StoreError`` `unavailable` for what is no file, or cannot be looked at.
    func isRegular() throws(StoreError) -> Bool {
        switch try kind() {
        case nil: return false
        case .regular: return true
        case .other:
            throw StoreError(.unavailable, "\(path): it is not a regular file: name another")
        }
    }

    /// Which file it is; nil if it cannot be looked at.
    var identity: Identity? {
        StoreFile.status(of: path).map { Identity(device: $0.st_dev, node: $0.st_ino) }
    }

    /// What no other file has for as long as this one is there.
    struct Identity: Hashable, Sendable {
        let device: dev_t
        let node: ino_t
    }

    /// How the file was when it was looked at; nil if it cannot be.
    var trace: Trace? { StoreFile.status(of: path).map(Trace.init) }

    /// What changes when somebody writes to a file or puts another in its place.
    struct Trace: Hashable, Sendable {
        private let node: ino_t
        private let byteCount: off_t
        private let seconds: Int
        private let nanoseconds: Int

        /// Takes it from what the system tells.
        init(_ status: stat) {
            node = status.st_ino
            byteCount = status.st_size
            seconds = status.st_mtim.tv_sec
            nanoseconds = status.st_mtim.tv_nsec
        }
    }

    /// How many bytes the file has; 0 without one.
    var byteCount: Int64 { StoreFile.status(of: path).map { Int64($0.st_size) } ?? 0 }

    /// Makes the folder and an empty file unless they are there, for their owner alone.
    ///
    /// - Throws: ``StoreError``: `unavailable`, `full` or `readOnly`.
    func make() throws(StoreError) {
        // Something that cannot even be looked at is no reason to make it.
        if try kind() != nil { return }
        try makeFolder(folder)
        do {
            try makeEmpty()
            // Its name is on the disk before anything in it; a folder that may not be read is used
            // all the same.
            try? StoreFile.sync(folder)
        } catch {
            // Another process was quicker: it is there.
            if !exists { throw error }
        }
    }

    /// Makes an empty file that was not there.
    func makeEmpty() throws(StoreError) {
        // Safe: the path is a Swift string, which the call sees terminated and only reads.
        let descriptor = unsafe open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw failure(doing: "cannot be made") }
        close(descriptor)
    }

    /// Removes the file, if it is there.
    func remove() {
        // Safe: the path is only read.
        unsafe unlink(path)
    }

    /// Puts the file under another name, in place of what has it.
    func rename(to target: StoreFile) throws(StoreError) {
        // Safe: the paths are only read.
        guard unsafe Glibc.rename(path, target.path) == 0 else {
            throw failure(doing: "cannot be named \(target.path)")
        }
    }

    /// Puts the file under another name, which nothing has.
    ///
    /// - Throws: ``StoreError``: `unavailable` when there is something at the target.
    func renameWithoutReplacing(to target: StoreFile) throws(StoreError) {
        // A second name first: unlike renaming it never replaces. Safe: the paths are only read.
        if unsafe link(path, target.path) == 0 { return remove() }
        // Some file systems know no second names.
        guard errno != EEXIST, !target.exists else {
            throw StoreError(.unavailable, "\(target.path): it is there already: name another")
        }
        try rename(to: target)
    }

    /// Waits until the bytes of a file, or the names of a folder, are on the disk.
    static func sync(_ path: String) throws(StoreError) {
        // Safe: the path is only read.
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
        defer { if descriptor >= 0 { close(descriptor) } }
        guard descriptor >= 0, fsync(descriptor) == 0 else {
            throw StoreFile(path: path).failure(doing: "cannot be brought to the disk")
        }
    }

    private func makeFolder(_ folder: String) throws(StoreError) {
        if folder.isEmpty || StoreFile.status(of: folder) != nil { return }
        let parent = StoreFile(path: folder).folder
        if parent != folder { try makeFolder(parent) }
        // Safe: the path is only read.
        guard unsafe mkdir(folder, 0o700) == 0 || errno == EEXIST else {
            throw StoreFile(path: folder).failure(doing: "cannot be made")
        }
    }

    /// What the last call of the system failed with; rights that lack are rights to write.
    private func failure(doing words: String) -> StoreError {
        failure(doing: words, mayBe: [EACCES, EPERM])
    }

    private func failure(doing words: String, mayBe rightsToWrite: [Int32]) -> StoreError {
        let number = errno
        let kind =
            rightsToWrite.contains(number) ? .readOnly : StoreError.kind(ofSystemNumber: number)
        // The system's words are static or this thread's own, and copied at once.
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
