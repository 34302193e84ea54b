import FileOutput

/// Where an export goes: a file that appears when it is whole, or standard output.
struct ExportOutput: Sendable {
    /// How much is written between two looks at whether the export still is wanted, in bytes.
    private static let pieceBytes = 1 << 16

    /// The file; nil for standard output.
    let path: String?
    /// Whether a file that is there is replaced.
    var isReplacing = false
    /// Whether the file's owner alone may read it.
    var isPrivate = false
    /// Whether the command has a flag that replaces a file.
    var hasForce = false

    /// Looks whether the file could be made, so that nobody waits for what cannot be kept.
    ///
    /// - Throws: ``ProgramError`` as ``write(_:rows:progress:)`` does.
    func check() throws(ProgramError) { if path != nil { _ = try file() } }

    /// Writes everything.
    ///
    /// - Parameters:
    ///   - bytes: all of it.
    ///   - rows: how many rows that is, for the progress.
    ///   - progress: is told how far it has come, if anybody wants to know.
    /// - Throws: ``ProgramError``: `usage` for a file that is there, `unavailable` where it cannot
    ///   be written and when the task is cancelled; there is no file then.
    func write(
        _ bytes: [UInt8],
        rows: Int,
        progress: ProgressLine? = nil
    ) throws(ProgramError) {
        guard path != nil else {
            try Console.write(bytes)
            return
        }
        let file = try file()
        progress?.begin("writing", of: rows)
        var start = 0
        while start < bytes.count {
            guard !Task.isCancelled else { throw Self.interruption }
            let end = min(start + Self.pieceBytes, bytes.count)
            do throws(AtomicFile.Failure) {
                try file.write(Array(bytes[start..<end]))
            } catch {
                throw failure(error)
            }
            start = end
            progress?.update(rows * end / bytes.count)
        }
        do throws(AtomicFile.Failure) {
            try file.publish()
        } catch {
            throw failure(error)
        }
    }

    /// What a command ends with that is told to end before it is done.
    static let interruption = ProgramError(
        .unavailable,
        "it was told to end before it was done: nothing was written"
    )

    private func file() throws(ProgramError) -> AtomicFile {
        do throws(AtomicFile.Failure) {
            return try AtomicFile(
                at: path ?? "",
                replacing: isReplacing,
                isPrivate: isPrivate
            )
        } catch {
            throw failure(error)
        }
    }

    private func failure(_ failure: AtomicFile.Failure) -> ProgramError {
        let path = path ?? ""
        return switch failure {
        case .exists:
            ProgramError(
                .usage,
                "\(path) exists: name a new file, "
                    + (hasForce ? "or replace it with --force" : "or move that one away")
            )
        case .irregular:
            ProgramError(.usage, "\(path) is no regular file, and stays: name another")
        case .system(let number):
            ProgramError(
                .unavailable,
                "\(path) cannot be written (errno \(number)): is the folder there, may you "
                    + "write there, and is its disk not full?"
            )
        }
    }
}
