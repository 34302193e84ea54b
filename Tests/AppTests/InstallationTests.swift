import Foundation
import Testing

@testable import App

@Suite("The program tells how it was installed")
struct InstallationTests {
    @Test(
        "by the word in share/hoga/installation beside its folder",
        arguments: [
            ("package\n", Installation.package), ("tarball\n", .tarball), ("image", .image),
            ("build \n", .build), ("", .build), ("packages\n", .build), ("snap\n", .build),
        ]
    )
    func words(word: String, installation: Installation) throws {
        let folder = NSTemporaryDirectory() + "hoga-installation-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let share = folder + "/share/hoga"
        try FileManager.default.createDirectory(
            atPath: share,
            withIntermediateDirectories: true
        )
        try Data(word.utf8).write(to: URL(filePath: share + "/installation"))
        #expect(Installation.of(program: folder + "/bin/hoga") == installation)
    }

    @Test("and without this file it was built", arguments: ["", "hoga", "/hoga", "/no/bin/hoga"])
    func none(program: String) {
        #expect(Installation.of(program: program) == .build)
    }

    @Test("a program of this build was built")
    func current() {
        #expect(Installation.current == .build)
    }
}
