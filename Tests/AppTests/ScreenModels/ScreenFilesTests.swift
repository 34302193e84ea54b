import FoundationEssentials
import PresentationTerminal
import Testing

@testable import App

@Suite("Files of screens")
struct ScreenFilesTests {
    private static func folder() throws -> String {
        let path =
            FileManager.default.temporaryDirectory.path + "/hoga-\(UInt64.random(in: 0 ... .max))"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        return path
    }

    @Test("a file is written once and never replaced")
    func once() throws {
        let folder = try Self.folder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let path = folder + "/chart.svg"
        let files = ScreenFiles(folder: folder)
        #expect(files.save("first", as: "chart.svg") == .written(path: path))
        #expect(files.save("second", as: path) == .exists(path: path))
        #expect(FileManager.default.contents(atPath: path) == Data("first".utf8))
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["chart.svg"])
    }

    @Test("a missing folder is named as the reason")
    func missing() throws {
        let path = "/nowhere-\(UInt64.random(in: 0 ... .max))/chart.svg"
        #expect(
            ScreenFiles(folder: "/").save("text", as: path)
                == .failed(path: path, number: 2, text: "no such folder")
        )
    }

    @Test("without a working folder a relative name is refused")
    func deleted() {
        #expect(
            ScreenFiles(folder: "").save("text", as: "chart.svg")
                == .failed(path: "chart.svg", number: 2, text: "no such folder")
        )
    }
}
