import Glibc

/// A file or stream for writing.
public final class FileOutput: Sendable {
    /// Why bytes could not be written: the system's error number.
    public struct Failure: Error, Sendable, Hashable {
        /// `errno`.
        public let number: Int32
    }

    private let descriptor: Int32
    private let isOwned: Bool

    /// Standard output.
    public static func standardOutput() -> FileOutput {
        FileOutput(descriptor: STDOUT_FILENO, isOwned: false)
    }

    /// Standard error.
    public static func standardError() -> FileOutput {
        FileOutput(descriptor: STDERR_FILENO, isOwned: false)
    }

    /// Opens a file for appending; a new file is readable by its owner only.
    ///
    /// - Throws: ``Failure``.
    public convenience init(appendingTo path: String) throws(Failure) {
        // Safe: the path is a Swift string, terminated for the call, which only reads it.
        let descriptor = unsafe open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw Failure(number: errno) }
        self.init(descriptor: descriptor, isOwned: true)
    }

    private init(descriptor: Int32, isOwned: Bool) {
        self.descriptor = descriptor
        self.isOwned = isOwned
    }

    deinit {
        if isOwned { close(descriptor) }
    }

    /// The size of the file in bytes; 0 for a stream.
    public var byteCount: Int {
        var status = stat()
        // Safe: the call fills the structure it is given, nothing else.
        return unsafe fstat(descriptor, &status) == 0 ? Int(status.st_size) : 0
    }

    /// Writes all bytes; blocks until the system has accepted them.
    ///
    /// - Throws: ``Failure``, such as a full disk or a closed pipe.
    public func write(_ bytes: [UInt8]) throws(Failure) {
        var start = 0
        while start < bytes.count {
            // Safe: pointer and count are those of the part of the array that is left.
            let written = unsafe bytes[start...].withUnsafeBytes { buffer in
                unsafe Glibc.write(descriptor, buffer.baseAddress, buffer.count)
            }
            if written >= 0 {
                start += written
            } else if errno != EINTR {
                throw Failure(number: errno)
            }
        }
    }
}
