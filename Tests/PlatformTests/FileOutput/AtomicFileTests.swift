import FileOutput
import Foundation
import Testing

@Suite("An atomic file appears complete or not at all")
struct AtomicFileTests {
    private let folder = NSTemporaryDirectory() + "hoga-whole-\(UUID().uuidString)"

    init() throws {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    }

    private var path: String { folder + "/kept.csv" }

    private func names() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
    }

    private func content() throws -> String { try String(contentsOfFile: path, encoding: .utf8) }

    /// Writes a file whole, or gives it up.
    private func write(
        _ text: String,
        replacing: Bool = false,
        isPrivate: Bool = false,
        publishing: Bool = true
    ) throws(AtomicFile.Failure) {
        let file = try AtomicFile(at: path, replacing: replacing, isPrivate: isPrivate)
        for byte in text.utf8 { try file.write([byte]) }
        if publishing { try file.publish() }
    }

    @Test("a file is invisible before it is published, and leaves no temporary file")
    func appears() throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let file = try AtomicFile(at: path, replacing: false, isPrivate: false)
        try file.write(Array("half".utf8))
        #expect(!FileManager.default.fileExists(atPath: path))
        #expect(try names().count == 1)
        try file.write(Array(" and whole".utf8))
        try file.publish()
        #expect(try content() == "half and whole")
        #expect(try names() == ["kept.csv"])
    }

    @Test(
        "an abandoned file leaves nothing, and an existing file stays",
        arguments: [true, false]
    )
    func givenUp(isReplacing: Bool) throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        if isReplacing { try write("before") }
        try write("after", replacing: isReplacing, publishing: false)
        #expect(try names() == (isReplacing ? ["kept.csv"] : []))
        if isReplacing { #expect(try content() == "before") }
    }

    @Test("an existing name is refused, also if it is created meanwhile, unless replaced")
    func taken() throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let late = try AtomicFile(at: path, replacing: false, isPrivate: false)
        try write("first")
        #expect(throws: AtomicFile.Failure.exists) { try write("second") }
        try late.write(Array("late".utf8))
        let refused: AtomicFile.Failure?
        do throws(AtomicFile.Failure) {
            try late.publish()
            refused = nil
        } catch {
            refused = error
        }
        #expect(refused == .exists)
        #expect(try content() == "first")
        try write("third", replacing: true)
        #expect(try content() == "third")
        #expect(try names() == ["kept.csv"])
    }

    @Test("the target of a link is replaced; folders and devices are refused")
    func links() throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let real = folder + "/real.csv"
        try Data("old".utf8).write(to: URL(fileURLWithPath: real))
        try FileManager.default.createSymbolicLink(
            atPath: path,
            withDestinationPath: real
        )
        try write("new", replacing: true)
        #expect(try String(contentsOfFile: real, encoding: .utf8) == "new")
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: path) == real)
        for irregular in ["/dev/null", folder] {
            #expect(throws: AtomicFile.Failure.irregular) {
                _ = try AtomicFile(at: irregular, replacing: true, isPrivate: false)
            }
        }
    }

    @Test("a private file is readable by its owner only")
    func mode() throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try write("mine", isPrivate: true)
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == 0o600)
    }

    @Test("a missing folder fails with the system's error")
    func nowhere() throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        #expect(throws: AtomicFile.Failure.system(ENOENT)) {
            _ = try AtomicFile(at: folder + "/no/file", replacing: false, isPrivate: false)
        }
    }
}
