import FileOutput
import Foundation
import Glibc
import Testing

@Suite("A file output appends")
struct FileOutputTests {
    private func withFolder(_ body: (String) throws -> Void) throws {
        let folder = NSTemporaryDirectory() + "hoga-output-\(UUID().uuidString)"
        try FileManager.default.createDirectory(
            atPath: folder,
            withIntermediateDirectories: true
        )
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try body(folder)
    }

    @Test("several outputs append in order to a file that only the owner can read")
    func append() throws {
        try withFolder { folder in
            let path = folder + "/한글.log"
            for part in ["one", "", "둘"] {
                let output = try FileOutput(appendingTo: path)
                let before = output.byteCount
                try output.write(Array(part.utf8))
                #expect(output.byteCount == before + part.utf8.count)
            }
            let contents = FileManager.default.contents(atPath: path)
            #expect(contents == Data("one둘".utf8))
            let attributes = try FileManager.default.attributesOfItem(atPath: path)
            #expect(attributes[.posixPermissions] as? Int == 0o600)
        }
    }

    @Test("a file that cannot be opened fails with errno")
    func missingFolder() {
        let failure = #expect(throws: FileOutput.Failure.self) {
            try FileOutput(appendingTo: "/proc/nonexistent/hoga.log")
        }
        #expect(failure?.number == ENOENT)
    }

    @Test("a full device fails with errno")
    func fullDevice() throws {
        let output = try FileOutput(appendingTo: "/dev/full")
        let failure = #expect(throws: FileOutput.Failure.self) { try output.write([1]) }
        #expect(failure?.number == ENOSPC)
    }
}
