import FileOutput

/// The destination of an export: a file that appears once it is complete, or standard output.
struct ExportOutput: Sendable {
    /// The bytes written between two checks for cancellation.
    private static let pieceBytes = 1 << 16

    /// The file; nil for standard output.
    let path: String?
    /// Whether an existing file is replaced.
    var isReplacing = false
    /// Whether only the owner may read the file.
    var isPrivate = false
    /// Whether the command has the flag `--force`, for messages.
    var hasForce = false

    /// Checks that the file can be created, before long work.
    ///
    /// - Throws: ``ProgramError`` as ``write(_:rows:progress:)`` does.
    func check() throws(ProgramError) { if path != nil { _ = try file() } }

    /// Writes everything.
    ///
    /// - Parameters:
    ///   - bytes: the content.
    ///   - rows: the number of rows, for the progress line.
    ///   - progress: shows the progress; nil for none.
    /// - Throws: ``ProgramError``: `usage` for an existing file; `unavailable` if it cannot be
    ///   written or the task is cancelled. The file does not exist then.
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

    /// The error of a cancelled export.
    static let interruption = ProgramError(
        .unavailable,
        "interrupted; nothing was written"
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
                "\(path) exists; "
                    + (hasForce ? "add --force to replace it" : "choose a new file")
            )
        case .irregular:
            ProgramError(.usage, "\(path) is not a regular file; choose another")
        case .system(let number):
            ProgramError(
                .unavailable,
                "cannot write \(path) (errno \(number)); check the folder, its permissions and "
                    + "free space"
            )
        }
    }
}
