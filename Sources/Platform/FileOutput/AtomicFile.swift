import Glibc

/// Writes a file completely or not at all.
///
/// Bytes go to a temporary file in the same folder, which is renamed at the end, else removed. No
/// reader sees a partial file under the name, not even after a crash.
public struct AtomicFile: ~Copyable, Sendable {
    /// Why the file was not written.
    public enum Failure: Error, Sendable, Hashable {
        /// The name exists and was not to be replaced.
        case exists
        /// The name is that of a device or folder, which is never replaced.
        case irregular
        /// The system's error number.
        case system(Int32)
    }

    /// The temporary files of one process for the same name.
    private static let partsMax = 64

    private let path: String
    private let partPath: String
    private let descriptor: Int32
    private let isReplacing: Bool
    /// Whether the file was published, so that no temporary file is left.
    private var isPublished = false

    /// Checks the name and makes the temporary file.
    ///
    /// - Parameters:
    ///   - path: the name; the target of a symbolic link is replaced, not the link.
    ///   - isReplacing: whether an existing regular file is replaced.
    ///   - isPrivate: whether only the owner may read it; else the umask decides.
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
        // Other files of this process, or of a killed one, may use the first names.
        for number in 0..<Self.partsMax where descriptor < 0 {
            partPath = "\(path).\(getpid())-\(number).part"
            // Safe: the path is a Swift string, terminated for the call, which only reads it.
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
        // Safe: the path is a Swift string, terminated for the call, which only reads it.
        if !isPublished { _ = unsafe unlink(partPath) }
    }

    /// Appends all bytes; blocks until the system has accepted them.
    ///
    /// - Throws: ``Failure``, such as a full disk.
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

    /// Syncs the bytes to disk and gives the file its name.
    ///
    /// - Throws: ``Failure``: `exists` for a name that was created meanwhile.
    public consuming func publish() throws(Failure) {
        guard fsync(descriptor) == 0 || errno == EINVAL else { throw .system(errno) }
        if isReplacing {
            // Safe: both paths are Swift strings, terminated for the call, which only reads it.
            guard unsafe rename(partPath, path) == 0 else { throw .system(errno) }
            isPublished = true
            return
        }
        // link(2) refuses an existing name; rename(2) would replace a file created meanwhile.
        // Safe: as above.
        if unsafe link(partPath, path) == 0 { return }
        let number = errno
        if number == EEXIST { throw .exists }
        // Some filesystems have no hard links.
        guard number == EPERM || number == EOPNOTSUPP || number == EMLINK else {
            throw .system(number)
        }
        guard Self.kind(of: path) == nil else { throw .exists }
        // Safe: as above.
        guard unsafe rename(partPath, path) == 0 else { throw .system(errno) }
        isPublished = true
    }

    /// Whether the name is that of a regular file; nil if it does not exist.
    private static func kind(of path: String) -> Bool? {
        var status = stat()
        // Safe: the call reads the path and fills the structure it is given, nothing else.
        guard unsafe stat(path, &status) == 0 else { return nil }
        return status.st_mode & S_IFMT == S_IFREG
    }

    /// The target of a symbolic link; the path itself without one.
    private static func target(of path: String) -> String {
        // Safe: without a buffer the call allocates one, which is copied and freed here.
        guard let resolved = unsafe realpath(path, nil) else { return path }
        defer { unsafe free(resolved) }
        return unsafe String(cString: resolved)
    }
}
