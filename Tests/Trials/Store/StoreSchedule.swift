import TestSupport

/// A fault of a disk that is in force from a moment on until it has happened.
struct ScheduledDiskFault: Sendable, Hashable, CustomStringConvertible {
    /// The beginning of the fault.
    enum Moment: Sendable, Hashable {
        /// Before a step of the trial, from 0.
        case step(Int)
        /// While the files are opened again after a loss of power, from 0.
        case restart(Int)
    }

    var moment: Moment
    var fault: DiskFault
    /// The number of calls before that could fail in this way.
    var calls: Int
    /// The number of calls that fail.
    var times: Int

    var description: String {
        "\(moment): \(fault.rawValue) after \(calls) calls, \(times) times"
    }
}

/// The kind of store and the faults of a trial, which its seed decides.
enum StoreSchedule {
    /// The number of steps with faults.
    static let stepCount = 90
    /// A change makes about that many calls of the disk.
    private static let callsMax = 60

    /// Whether the disk's file system has shared memory: SQLite has no write-ahead log without.
    static func hasSharedMemory(_ seed: UInt64) -> Bool { seed % 4 != 3 }

    /// The number of stores with the same file: one process, or two.
    static func stores(of seed: UInt64) -> Int { seed % 3 == 2 ? 2 : 1 }

    /// The number of migrations of an older file that is opened first; nil without a file.
    static func formerMigrations(of seed: UInt64, present: Int) -> Int? {
        guard seed % 5 == 1 else { return nil }
        return 1 + Int(seed / 5) % (present - 1)
    }

    /// The faults of a seed.
    static func faults(of seed: UInt64) -> [ScheduledDiskFault] {
        var random = SeededGenerator(seed: seed ^ 0x6661_756c_74)
        let losses = (0..<Int.random(in: 1...5, using: &random)).map { _ in
            ScheduledDiskFault(
                moment: .step(.random(in: 0..<stepCount, using: &random)),
                fault: .power,
                calls: .random(in: 0..<callsMax, using: &random),
                times: 1
            )
        }
        let others = (0..<Int.random(in: 4...24, using: &random)).map { _ in
            other(&random)
        }
        return losses + others
    }

    private static func other(_ random: inout SeededGenerator) -> ScheduledDiskFault {
        let kinds = DiskFault.allCases
        let fault = kinds.randomElement(using: &random) ?? .write
        // Calls of some kinds are rare: the first ones fail.
        let calls: Int
        switch fault {
        case .read, .shortRead, .write, .full, .lock, .power:
            calls = .random(in: 0..<20, using: &random)
        case .sync, .truncate, .delete, .open, .size, .memory:
            calls = .random(in: 0..<3, using: &random)
        }
        let isAtRestart = Int.random(in: 0..<6, using: &random) == 0
        return ScheduledDiskFault(
            moment: isAtRestart
                ? .restart(.random(in: 0..<4, using: &random))
                : .step(.random(in: 0..<stepCount, using: &random)),
            fault: fault,
            calls: calls,
            times: fault == .power ? 1 : .random(in: 1...4, using: &random)
        )
    }
}
