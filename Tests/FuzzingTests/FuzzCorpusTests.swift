import Foundation
import Fuzzing
import Testing

@Suite("Kept corpus of the fuzzer")
struct FuzzCorpusTests {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "Fuzzing/Corpus")

    @Test("a target has a corpus, whose inputs break no property", arguments: FuzzTarget.allCases)
    func corpusHolds(target: FuzzTarget) throws {
        let files = try FileManager.default.contentsOfDirectory(
            at: Self.folder.appending(path: target.rawValue),
            includingPropertiesForKeys: nil
        )
        #expect(files.count >= 3)
        for file in files {
            let bytes = [UInt8](try Data(contentsOf: file))
            #expect(throws: Never.self, "\(file.lastPathComponent)") { try target.judge(bytes) }
        }
    }

    @Test("a folder of the corpus belongs to a target")
    func foldersAreTargets() throws {
        let folders = try FileManager.default.contentsOfDirectory(atPath: Self.folder.path())
        #expect(Set(folders) == Set(FuzzTarget.allCases.map(\.rawValue)))
    }
}
