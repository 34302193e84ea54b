import FileOutput
import Testing

@testable import App

@Suite("The program needs some file descriptors")
struct OpenFileCheckTests {
    @Test("a limit below 64 is raised if the system permits it")
    func raised() throws {
        var raises = 0
        try HogaProgram.check(OpenFileLimit(limit: 63, limitMax: 64)) {
            raises += 1
            return OpenFileLimit(limit: 64, limitMax: 64)
        }
        #expect(raises == 1)
    }

    @Test("a limit that cannot be raised to 64 is refused with exit code 69", arguments: [4, 63])
    func refused(limit: Int) {
        let files = OpenFileLimit(limit: limit, limitMax: limit)
        let error = #expect(throws: ProgramError.self) {
            try HogaProgram.check(files) { files }
        }
        #expect(error?.exitCode == .unavailable)
        #expect(
            error?.description
                == "the limit of open files is \(limit): raise it to 64 or more, see 'ulimit -n'"
        )
    }

    @Test("a limit that is high enough, or unknown, is not raised", arguments: [nil, 64])
    func unchanged(limit: Int?) throws {
        try HogaProgram.check(limit.map { OpenFileLimit(limit: $0, limitMax: $0) }) {
            Issue.record("raised")
            return nil
        }
    }
}
