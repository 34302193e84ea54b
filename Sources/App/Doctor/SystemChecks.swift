import BuildInfo
import FileOutput
import FoundationEssentials
import PresentationTerminal

/// The checks of the system: program, terminal, open files and memory.
enum SystemChecks {
    /// The smallest terminal that fits every page.
    static let columnsMin = 80
    static let rowsMin = 24
    /// The open files below which a service refuses clients early.
    static let openFilesMin = 4_096
    /// The memory in bytes below which the system may kill a busy service.
    static let memoryMin: Int64 = 256 << 20

    /// The checks, in the order of the report.
    static func checks(environment: [String: String]) -> [DoctorCheck] {
        [
            DoctorCheck("program") { program(.current) },
            DoctorCheck("terminal") { terminal(.current(environment: environment)) },
            DoctorCheck("open files") { openFiles(.current()) },
            DoctorCheck("memory") { memory(availableMemory()) },
        ]
    }

    /// Names the version and how it was installed.
    static func program(_ installation: Installation) -> DoctorFinding {
        let origin =
            switch installation {
            case .package: "from the Debian package"
            case .tarball: "from the archive"
            case .image: "from the container image"
            case .build: "built from the sources"
            }
        return .ok("hoga \(BuildInfo.version) (\(BuildInfo.commit)), \(origin)")
    }

    /// Checks the terminal and its locale; without a terminal, hoga prints plain text.
    static func terminal(_ facts: TerminalInfo) -> DoctorFinding {
        guard let codeset = facts.codeset else {
            let name = facts.locale?.name ?? ""
            return .warn(
                "the locale \(name) is not installed; hoga uses C.UTF-8",
                "install it, or \(remedy(facts.locale))"
            )
        }
        guard codeset.uppercased() == "UTF-8" else {
            return .warn(
                "the locale's encoding is \(codeset), not UTF-8",
                remedy(facts.locale)
            )
        }
        guard facts.isTerminal else { return .ok("no terminal; UTF-8") }
        guard let colors = facts.colorCount else {
            return .fail(
                "the terminfo database does not know this terminal",
                "set TERM to a similar terminal, e.g. xterm-256color, or install ncurses-term"
            )
        }
        if let standIn = facts.standIn {
            return .warn(
                "the terminfo database does not know this terminal; hoga uses \(standIn)",
                "install the terminal's terminfo entry, e.g. with ncurses-term or kitty-terminfo"
            )
        }
        let words = facts.size.map { "\($0.columns)x\($0.rows)" } ?? "unknown size"
        let all = "\(words), UTF-8, \(colors) colors"
        if let size = facts.size, size.columns < columnsMin || size.rows < rowsMin {
            return .warn(all, "enlarge it to \(columnsMin)x\(rowsMin) to see all columns")
        }
        if colors < 8 {
            return .warn(all, "set TERM to a similar terminal, e.g. xterm-256color")
        }
        return .ok(all)
    }

    /// The fix for a locale without UTF-8.
    ///
    /// LC_ALL overrides LC_CTYPE, so it must be replaced.
    private static func remedy(_ locale: NamedLocale?) -> String {
        guard let locale, locale.variable == "LC_ALL" else {
            return "set LC_CTYPE=C.UTF-8; the language stays"
        }
        return "replace LC_ALL by LANG=\(locale.name) LC_CTYPE=C.UTF-8; the language stays"
    }

    /// Checks the limit on open files; a service raises the soft limit itself.
    static func openFiles(_ files: OpenFileLimit?) -> DoctorFinding {
        guard let files else {
            return .warn("unknown", "check ulimit -n")
        }
        let words = "\(files.limit), raised to \(files.limitMax) by a service"
        guard files.limitMax >= openFilesMin else {
            return .warn(
                words,
                "raise the hard limit: LimitNOFILE= in a unit, --ulimit nofile= for a container"
            )
        }
        return .ok(words)
    }

    /// Checks that other users have no access to files with secrets.
    static func secretFiles(_ paths: [String]) -> DoctorFinding {
        guard let path = paths.first(where: SecretFiles.isOpenToOthers) else {
            return .ok("\(paths.count), closed to other users")
        }
        let shown = SecretFiles.shown(path)
        return .warn(
            "other users can read \(shown)",
            "chmod 600 \(shown); where a platform mounts it, set mode 0400 there"
        )
    }

    /// Checks the available memory, in bytes; nil if unknown.
    static func memory(_ bytes: Int64?) -> DoctorFinding {
        guard let bytes else { return .ok("unknown") }
        let words = "\(bytes >> 20) MiB available"
        guard bytes >= memoryMin else {
            return .warn(words, "give hoga at least \(memoryMin >> 20) MiB")
        }
        return .ok(words)
    }

    /// The available memory of the machine or of the control group, whichever is less.
    private static func availableMemory() -> Int64? {
        let machine = text("/proc/meminfo")?.split(separator: "\n").first {
            $0.hasPrefix("MemAvailable:")
        }
        let ofMachine = machine.flatMap { line in
            line.split(separator: " ").compactMap { Int64($0) }.first.map { $0 << 10 }
        }
        let limit = number("/sys/fs/cgroup/memory.max")
        let used = number("/sys/fs/cgroup/memory.current")
        let ofGroup = limit.map { max(0, $0 - (used ?? 0)) }
        return [ofMachine, ofGroup].compactMap { $0 }.min()
    }

    private static func number(_ path: String) -> Int64? {
        text(path).flatMap { Int64($0.filter { !$0.isWhitespace }) }
    }

    private static func text(_ path: String) -> String? {
        FileManager.default.contents(atPath: path).map { String(decoding: $0, as: UTF8.self) }
    }
}
