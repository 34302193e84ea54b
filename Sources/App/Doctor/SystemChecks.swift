import FileOutput
import FoundationEssentials
import PresentationTerminal

/// Whether this machine gives hoga what it needs: a terminal, open files, memory.
enum SystemChecks {
    /// The smallest terminal in which every page has room.
    static let columnsMin = 80
    static let rowsMin = 24
    /// With fewer open files a service turns clients away early.
    static let openFilesMin = 4_096
    /// With less memory a service with many clients may be ended by the system, in bytes.
    static let memoryMin: Int64 = 256 << 20

    /// The checks, in the order in which they are told.
    static func checks(environment: [String: String]) -> [DoctorCheck] {
        [
            DoctorCheck("terminal") { terminal(.current(environment: environment)) },
            DoctorCheck("open files") { openFiles(.current()) },
            DoctorCheck("memory") { memory(availableMemory()) },
        ]
    }

    /// Judges a terminal; without one, hoga prints plain text.
    static func terminal(_ facts: TerminalFacts) -> DoctorFinding {
        guard let codeset = facts.codeset else {
            let name = facts.locale?.name ?? ""
            return .warn(
                "the locale \(name) is not installed; hoga goes by that of C.UTF-8",
                "install it, or \(remedy(facts.locale))"
            )
        }
        guard codeset.uppercased() == "UTF-8" else {
            return .warn(
                "the locale's characters are \(codeset), and not UTF-8",
                remedy(facts.locale)
            )
        }
        guard facts.isTerminal else { return .ok("none here; UTF-8") }
        guard let colors = facts.colorCount else {
            return .fail(
                "the terminfo database does not know this terminal",
                "set TERM to what it is like, xterm-256color for most; install ncurses-term"
            )
        }
        let words = facts.size.map { "\($0.columns)x\($0.rows)" } ?? "unknown size"
        let all = "\(words), UTF-8, \(colors) colours"
        if let size = facts.size, size.columns < columnsMin || size.rows < rowsMin {
            return .warn(all, "make it \(columnsMin)x\(rowsMin) or larger: columns are left out")
        }
        if colors < 8 {
            return .warn(all, "set TERM to what it is like, xterm-256color for most")
        }
        return .ok(all)
    }

    /// How the environment gets UTF-8 and keeps its language, which `LC_ALL` decides on as well.
    private static func remedy(_ locale: NamedLocale?) -> String {
        guard let locale, locale.variable == "LC_ALL" else {
            return "set LC_CTYPE=C.UTF-8, which leaves the language alone"
        }
        return "set LANG=\(locale.name) LC_CTYPE=C.UTF-8 in the place of LC_ALL, "
            + "which leaves the language alone"
    }

    /// Judges the limit on open files, as far as a service could raise it itself.
    static func openFiles(_ files: OpenFileLimit?) -> DoctorFinding {
        guard let files else {
            return .warn("the system does not tell", "look at ulimit -n")
        }
        let words = "\(files.limit), a service raises it to \(files.limitMax)"
        guard files.limitMax >= openFilesMin else {
            return .warn(
                words,
                "raise the hard limit: LimitNOFILE= of the unit, --ulimit nofile= of a container"
            )
        }
        return .ok(words)
    }

    /// Judges the memory that is left, in bytes; nil if nobody knows.
    static func memory(_ bytes: Int64?) -> DoctorFinding {
        guard let bytes else { return .ok("the system does not tell how much is left") }
        let words = "\(bytes >> 20) MiB left"
        guard bytes >= memoryMin else {
            return .warn(words, "give hoga \(memoryMin >> 20) MiB, or end something else")
        }
        return .ok(words)
    }

    /// What the machine has left, or the group of processes that hoga is in, whichever is less.
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
