import Foundation
import Testing

@testable import App

@Suite("The configuration file is read from its place")
struct ConfigurationFileTests {
    @Test("a file that cannot be used is refused by its name; without one, nothing is read")
    func unusableFile() throws {
        let home = NSTemporaryDirectory() + "hoga-home-\(UUID().uuidString)"
        let path = home + "/.config/hoga/config.json"
        let files = FileManager.default
        defer { try? files.removeItem(atPath: home) }
        let environment = ["HOME": home]
        #expect(try ConfigurationFile.content(environment) == nil)
        #expect(try ConfigurationFile.content([:]) == nil)
        try files.createDirectory(atPath: path, withIntermediateDirectories: true)
        func refusal() throws -> String? {
            #expect(throws: ProgramError.self) { try ConfigurationFile.content(environment) }?
                .description
        }
        #expect(try refusal()?.contains("\(path): it is not a readable file") == true)
        try files.removeItem(atPath: path)
        let url = URL(fileURLWithPath: path)
        try Data(repeating: 0x20, count: ConfigurationFile.bytesMax + 1).write(to: url)
        #expect(try refusal()?.contains("\(path): it is larger than 1048576 bytes") == true)
        try Data("{}".utf8).write(to: url)
        #expect(try ConfigurationFile.content(environment) == Array("{}".utf8))
    }
}
