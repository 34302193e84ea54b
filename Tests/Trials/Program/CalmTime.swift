import Domain

/// The times of a trial in which no fault is in force and those before have healed.
///
/// Then the program keeps all of its promises, and what it missed before it has made up for.
struct CalmTime {
    /// A failed reading is repeated within thirty seconds.
    static let settling: Duration = .seconds(35)

    private var faults = 0
    private var since: Timestamp

    init(since start: Timestamp) { since = start }

    mutating func begin(_ fault: ProgramFault) {
        if fault.isDisturbing { faults += 1 }
    }

    mutating func end(_ fault: ProgramFault, at now: Timestamp) {
        guard fault.isDisturbing else { return }
        faults -= 1
        since = now
    }

    /// Since when everything works; nil while it may not.
    func settled(at now: Timestamp) -> Timestamp? {
        let start = since.advanced(by: Self.settling)
        return faults == 0 && start <= now ? start : nil
    }
}

extension ProgramFault {
    /// Whether the program may work worse during it, or for some time after it.
    var isDisturbing: Bool {
        switch self {
        case .change, .alertRule, .readersAway: false
        default: true
        }
    }
}
