import Domain
import Foundation
import Testing

@testable import App

@Suite("The file log is bounded")
struct FileLogTests {
    @Test("two files never exceed twice the bound, newest line last")
    func bound() throws {
        let folder = NSTemporaryDirectory() + "hoga-log-\(UUID().uuidString)/state"
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let log = FileLog(folder: folder) { Timestamp(microseconds: 0) }
        let message = String(repeating: "x", count: 100_000)
        for number in 0..<40 { log.write(.info, "\(number) \(message)") }
        log.write(.warning, "the last line")
        let names = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
        #expect(names == ["hoga.log", "hoga.log.1"])
        for name in names {
            let contents = try #require(FileManager.default.contents(atPath: folder + "/" + name))
            #expect(contents.count <= FileLog.bytesMax)
            #expect(contents.count > 0)
        }
        let newest = try #require(FileManager.default.contents(atPath: folder + "/hoga.log"))
        let text = String(decoding: newest, as: UTF8.self)
        #expect(text.hasSuffix("1970-01-01T09:00:00.000000+09:00 warning the last line\n"))
    }

    @Test("without a writable folder, lines are dropped")
    func unwritable() {
        let log = FileLog(folder: "/proc/hoga-cannot-be-made") { Timestamp(microseconds: 0) }
        log.write(.info, "lost")
        #expect(!FileManager.default.fileExists(atPath: "/proc/hoga-cannot-be-made"))
    }

    @Test(
        "the folder is below XDG_STATE_HOME, else below ~/.local/state",
        arguments: [
            (["XDG_STATE_HOME": "/s", "HOME": "/h"], "/s/hoga"),
            (["HOME": "/h"], "/h/.local/state/hoga"),
        ]
    )
    func folder(environment: [String: String], expected: String) {
        #expect(FileLog.folder(environment) == expected)
        #expect(FileLog.folder([:]) == nil)
    }
}
