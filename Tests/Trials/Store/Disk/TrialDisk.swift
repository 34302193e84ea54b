import CTrialDisk

/// A disk whose calls fail on demand, and which loses power.
///
/// Used by one task at a time.
final class TrialDisk: Sendable {
    private let number: Int64

    /// Makes a disk.
    ///
    /// - Parameters:
    ///   - seed: determines what survives a loss of power.
    ///   - hasSharedMemory: whether processes can share memory, which a write-ahead log needs.
    ///   - isLying: whether it acknowledges syncs without having written anything.
    init(seed: UInt64, hasSharedMemory: Bool, isLying: Bool) {
        number = hoga_disk_make(seed, hasSharedMemory ? 1 : 0, isLying ? 1 : 0)
        precondition(number > 0, "SQLite accepts another VFS.")
    }

    deinit {
        let openFiles = hoga_disk_free(number)
        precondition(openFiles == 0, "The files of a disk are closed before it.")
    }

    /// The name of its VFS.
    var vfs: String { "hoga-trial-\(number)" }

    /// Makes calls fail.
    ///
    /// - Parameters:
    ///   - fault: how they fail.
    ///   - calls: the number of calls before that could fail in this way.
    ///   - times: the number of calls that fail.
    func arm(_ fault: DiskFault, after calls: Int, times: Int) {
        hoga_disk_arm(number, fault.event, Int64(calls), Int64(times))
    }

    /// Ends all faults but a loss of power.
    func disarm() { hoga_disk_disarm(number) }

    /// Whether the power was lost.
    var isOff: Bool { hoga_disk_is_off(number) != 0 }

    /// Ends a loss of power: the files become what the disk holds.
    ///
    /// - Returns: the number of files that are open; nothing happens then.
    func restart() -> Int { Int(hoga_disk_restart(number)) }

    /// The number of calls that failed on demand.
    var faultCount: Int {
        DiskFault.allCases.map { Int(hoga_disk_count(number, $0.event)) }.reduce(0, +)
    }

    /// How often each fault happened, and what was lost.
    var counts: [String: Int] {
        let losses = [
            ("lost writes", hoga_disk_lost_writes), ("torn writes", hoga_disk_torn_writes),
            ("lost names", hoga_disk_lost_names),
        ]
        let all = DiskFault.allCases.map { ($0.rawValue, $0.event) } + losses
        return Dictionary(
            uniqueKeysWithValues: all.map { ($0, Int(hoga_disk_count(number, $1))) }
        )
        .filter { $0.value > 0 }
    }

    /// A digest of all calls in order.
    var digest: UInt64 { hoga_disk_digest(number) }
}

/// How a call of a disk fails.
enum DiskFault: String, CaseIterable, Sendable {
    /// A read returns an error.
    case read = "failed read"
    /// A read returns an error after a part of its bytes.
    case shortRead = "short read"
    /// A write ends anywhere with an error.
    case write = "failed write"
    /// A write ends anywhere because the disk is full.
    case full = "full disk"
    /// A sync fails; the next one writes the same changes.
    case sync = "failed sync"
    /// A truncation fails.
    case truncate = "failed truncation"
    /// A file cannot be removed.
    case delete = "failed removal"
    /// A file cannot be opened.
    case open = "failed opening"
    /// The size of a file cannot be read.
    case size = "failed size"
    /// A lock is held by another process.
    case lock = "busy lock"
    /// Shared memory cannot be mapped.
    case memory = "failed mapping"
    /// The power is lost.
    case power = "loss of power"

    fileprivate var event: hoga_disk_event {
        switch self {
        case .read: hoga_disk_read
        case .shortRead: hoga_disk_short_read
        case .write: hoga_disk_write
        case .full: hoga_disk_full
        case .sync: hoga_disk_sync
        case .truncate: hoga_disk_truncate
        case .delete: hoga_disk_delete
        case .open: hoga_disk_open
        case .size: hoga_disk_size
        case .lock: hoga_disk_lock
        case .memory: hoga_disk_memory
        case .power: hoga_disk_power
        }
    }
}
