import Glibc
import Testing

@testable import SharedMemory

// Counts the files of the whole process: one test at a time.
@Suite("Bytes that readers share", .serialized)
struct SharedBytesTests {
    private static let long = (0..<100_000).map { UInt8(truncatingIfNeeded: $0 * 7) }

    /// The content of a file from its beginning.
    private static func content(of file: MemoryFile) -> [UInt8] {
        unsafe [UInt8](unsafeUninitializedCapacity: file.count + 1) { buffer, count in
            count = unsafe max(0, pread(file.descriptor, buffer.baseAddress, file.count + 1, 0))
        }
    }

    @Test("the second reader of long bytes, and each one after it, gets the same file")
    func secondReader() throws {
        let shared = SharedBytes(Self.long)
        #expect(shared.fileForReader() == nil)
        let file = try #require(shared.fileForReader())
        #expect(shared.fileForReader() === file)
        #expect(file.count == Self.long.count)
        #expect(Self.content(of: file) == Self.long)
    }

    @Test("short bytes are copied for every reader")
    func short() {
        let shared = SharedBytes(Array(Self.long.prefix(SharedBytes.fileBytesMin - 1)))
        for _ in 0..<3 { #expect(shared.fileForReader() == nil) }
    }

    @Test("a file cannot be changed, and its descriptor does not outlive the program")
    func sealed() throws {
        let file = try #require(MemoryFile(Self.long))
        #expect(unsafe pwrite(file.descriptor, [1], 1, 0) == -1)
        #expect(ftruncate(file.descriptor, 0) == -1)
        #expect(fcntl(file.descriptor, F_GETFD) & FD_CLOEXEC != 0)
    }

    @Test("a file ends with its last reader, and files beyond the bound are refused")
    func bound() throws {
        let before = MemoryFile.count
        do {
            let files = (before..<MemoryFile.countMax).compactMap { _ in MemoryFile([1]) }
            #expect(files.count == MemoryFile.countMax - before)
            #expect(MemoryFile([1]) == nil)
            let shared = SharedBytes(Self.long)
            for _ in 0..<3 { #expect(shared.fileForReader() == nil) }
        }
        #expect(MemoryFile.count == before)
    }
}
