import FileOutput
import Glibc
import PresentationTerminal

/// Files that screens write.
struct ScreenFiles: Sendable {
    /// The folder that relative file names refer to.
    let folder: String

    /// Writes a file that does not exist yet; readers never see a part of it.
    func save(_ text: String, as name: String) -> FileOutcome {
        // A deleted working folder has no path.
        guard name.hasPrefix("/") || !folder.isEmpty else {
            return .failed(path: name, number: ENOENT, text: Self.reason(ENOENT))
        }
        let path =
            name.hasPrefix("/") ? name : (folder.hasSuffix("/") ? folder : folder + "/") + name
        do throws(AtomicFile.Failure) {
            let file = try AtomicFile(at: path, replacing: false, isPrivate: false)
            try file.write(Array(text.utf8))
            try file.publish()
            return .written(path: path)
        } catch {
            switch error {
            case .exists, .irregular: return .exists(path: path)
            case .system(let number):
                return .failed(path: path, number: number, text: Self.reason(number))
            }
        }
    }

    /// The usual reasons; the number names the others.
    private static func reason(_ number: Int32) -> String {
        switch number {
        case ENOENT, ENOTDIR: "no such folder"
        case EACCES, EPERM: "permission denied"
        case EROFS: "read-only disk"
        case ENOSPC, EDQUOT: "the disk is full"
        case ENAMETOOLONG: "the name is too long"
        default: "system error"
        }
    }
}
