internal import CMemoryFile
internal import Glibc
import Synchronization

/// A sealed file in memory, which exists as long as this object.
///
/// Its pages are the kernel's: what is being sent stays valid after the file is closed.
public final class MemoryFile: Sendable {
    /// The most files of the process; each takes a descriptor.
    public static let countMax = 256

    private static let files = Atomic<Int>(0)

    /// The number of files.
    static var count: Int { files.load(ordering: .relaxed) }

    /// The file's descriptor.
    public let descriptor: Int32
    /// The file's size in bytes.
    public let count: Int

    /// Makes a file with these bytes.
    ///
    /// - Returns: nil if ``countMax`` files exist, or the system has no descriptor or memory left.
    public init?(_ bytes: [UInt8]) {
        // With all properties set, a failure would call deinit, which closes the descriptor again.
        guard Self.files.add(1, ordering: .relaxed).newValue <= Self.countMax,
            let sealed = Self.sealed(bytes)
        else {
            Self.files.subtract(1, ordering: .relaxed)
            return nil
        }
        descriptor = sealed
        count = bytes.count
    }

    deinit {
        close(descriptor)
        Self.files.subtract(1, ordering: .relaxed)
    }

    /// The descriptor of a sealed file: connections send its pages themselves.
    private static func sealed(_ bytes: [UInt8]) -> Int32? {
        let descriptor = hoga_memory_file_open()
        guard descriptor >= 0 else { return nil }
        if write(bytes, to: descriptor), hoga_memory_file_seal(descriptor) == 0 {
            return descriptor
        }
        close(descriptor)
        return nil
    }

    private static func write(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
        var offset = 0
        while offset < bytes.count {
            // The pointer lives through the call.
            let written = unsafe bytes.withUnsafeBytes { bytes in
                unsafe Glibc.write(
                    descriptor,
                    bytes.baseAddress.map { unsafe $0 + offset },
                    bytes.count - offset
                )
            }
            if written > 0 { offset += written } else if errno != EINTR { return false }
        }
        return true
    }
}
