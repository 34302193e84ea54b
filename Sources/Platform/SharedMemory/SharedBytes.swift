import Synchronization

/// Bytes that many readers share; long ones also as a file in memory, which the kernel can send
/// without copying it.
///
/// The file is made for the second reader: most bytes have only one.
public final class SharedBytes: Sendable {
    /// The bytes.
    public let bytes: [UInt8]

    private enum FileState: Sendable {
        case unused, used
        case made(MemoryFile)
        /// The kernel has no more files, or the process has its share of them.
        case refused
    }

    /// Shorter bytes are copied faster than a file is made.
    static let fileBytesMin = 32_768

    /// No bytes.
    public static let empty = SharedBytes([])

    private let file: Mutex<FileState>

    /// Shares bytes.
    public init(_ bytes: [UInt8]) {
        self.bytes = bytes
        file = Mutex(bytes.count < Self.fileBytesMin ? .refused : .unused)
    }

    /// The bytes as a file, for one more reader; nil if they are to be copied.
    public func fileForReader() -> MemoryFile? {
        file.withLock { state in
            switch state {
            case .unused: state = .used
            case .used: state = MemoryFile(bytes).map(FileState.made) ?? .refused
            case .made, .refused: break
            }
            guard case .made(let file) = state else { return nil }
            return file
        }
    }
}
