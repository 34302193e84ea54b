import Glibc

/// A new file that appears when it is whole, or not at all.
///
/// Bytes go into a file beside it, which takes its name at the end and is removed if that does not
/// come: whoever looks meanwhile, or after a crash, never sees half a file under the name.
public struct AtomicFile: ~Copyable, Sendable {
    /// Why there is no file.
    public enum Failure: Error, Sendable, Hashable {
        /// Something else has the name, and was not to be replaced.
        case exists
        /// What has the name is no regular file: nothing is put in place of a device or a folder.
        case irregular
        /// The system's error number.
        case system(Int32)
    }

    /// How many files under way one process may have for the same name.
    private static let partsMax = 64

    private let path: String
    private let partPath: String
    private let descriptor: Int32
    private let isReplacing: Bool
    /// Whether the name was given, so that there is nothing to remove.
    private var isPublished = false

    /// Makes the file beside the name, after looking whether the name can be had.
    ///
    /// - Parameters:
    ///   - path: the name; where it is a link, the file that it leads to is replaced.
    ///   - isReplacing: whether a regular file of that name is replaced.
    ///   - isPrivate: whether its owner alone may read it; else what the user's mask lets others.
    /// - Throws: ``Failure``.
    public init(
        at path: String,
        replacing isReplacing: Bool,
        isPrivate: Bool
    ) throws(Failure) {
        let path = Self.target(of: path)
        switch Self.kind(of: path) {
        case nil: break
        case .some(let isRegular):
            guard isReplacing else { throw .exists }
            guard isRegular else { throw .irregular }
        }
        var partPath = ""
        var descriptor: Int32 = -1
        // Others of this process, and what a killed one left, may have the first names.
        for number in 0..<Self.partsMax where descriptor < 0 {
            partPath = "\(path).\(getpid())-\(number).part"
            // Safe: the path is a Swift string, which the call sees terminated and only reads.
            descriptor = unsafe open(
                partPath,
                O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW,
                isPrivate ? 0o600 : 0o666
            )
            guard descriptor >= 0 || errno == EEXIST else { throw .system(errno) }
        }
        guard descriptor >= 0 else { throw .system(EEXIST) }
        self.path = path
        self.partPath = partPath
        self.descriptor = descriptor
        self.isReplacing = isReplacing
    }

    deinit {
        close(descriptor)
        // Safe: the path is a Swift string, which the call sees terminated and only reads.
        if !isPublished { _ = unsafe unlink(partPath) }
    }

    /// Writes all bytes behind those before; blocks until the system has taken them.
    ///
    /// - Throws: ``Failure``: a full disk, for example.
    public borrowing func write(_ bytes: [UInt8]) throws(Failure) {
        var start = 0
        while start < bytes.count {
            // Safe: pointer and count are those of the part of the array that is left.
            let written = unsafe bytes[start...].withUnsafeBytes { buffer in
                unsafe Glibc.write(descriptor, buffer.baseAddress, buffer.count)
            }
            if written >= 0 {
                start += written
            } else if errno != EINTR {
                throw .system(errno)
            }
        }
    }

    /// Gives the file its name, after the system has put its bytes on the disk.
    ///
    /// - Throws: ``Failure``: `exists` for a name that somebody took meanwhile.
    public consuming func publish() throws(Failure) {
        guard fsync(descriptor) == 0 || errno == EINVAL else { throw .system(errno) }
        if isReplacing {
            // Safe: both paths are Swift strings, which the call sees terminated and only reads.
            guard unsafe rename(partPath, path) == 0 else { throw .system(errno) }
            isPublished = true
            return
        }
        // A second name is refused where one is: renaming would replace what came meanwhile.
        // Safe: as above.
        if unsafe link(partPath, path) == 0 { return }
        let number = errno
        if number == EEXIST { throw .exists }
        // Some filesystems know no second names.
        guard number == EPERM || number == EOPNOTSUPP || number == EMLINK else {
            throw .system(number)
        }
        guard Self.kind(of: path) == nil else { throw .exists }
        // Safe: as above.
        guard unsafe rename(partPath, path) == 0 else { throw .system(errno) }
        isPublished = true
    }

    /// Whether what has the name is a regular file; nil if nothing has it.
    private static func kind(of path: String) -> Bool? {
        var status = stat()
        // Safe: the call reads the path and fills the structure it is given, nothing else.
        guard unsafe stat(path, &status) == 0 else { return nil }
        return status.st_mode & S_IFMT == S_IFREG
    }

    /// Where a link leads; the name itself where it is none, or leads nowhere.
    private static func target(of path: String) -> String {
        // Safe: with no buffer given the call makes one, which is copied and freed here.
        guard let resolved = unsafe realpath(path, nil) else { return path }
        defer { unsafe free(resolved) }
        return unsafe String(cString: resolved)
    }
}
