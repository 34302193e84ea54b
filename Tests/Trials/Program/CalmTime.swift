import Domain
import ExchangeSimulator

/// The times of a trial in which no fault is in force and those before have healed.
///
/// Then the program keeps all of its promises, and what it missed before it has made up for.
struct CalmTime {
    /// A failed reading is repeated within thirty seconds.
    static let settling: Duration = .seconds(35)

    private var faults = 0
    private var settledAt: Timestamp

    init(since start: Timestamp) { settledAt = start.advanced(by: Self.settling) }

    mutating func begin(_ fault: ProgramFault) {
        if fault.isDisturbing { faults += 1 }
    }

    mutating func end(_ fault: ProgramFault, at now: Timestamp) {
        guard fault.isDisturbing else { return }
        faults -= 1
        settledAt = max(settledAt, now.advanced(by: fault.settling))
    }

    /// Since when everything works; nil while it may not.
    func settled(at now: Timestamp) -> Timestamp? {
        faults == 0 && settledAt <= now ? settledAt : nil
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

    /// How long its effects last after its end.
    ///
    /// After the exchange has refused requests for a while nothing is asked for a minute; an
    /// instance that starts then has no data before.
    fileprivate var settling: Duration {
        switch self {
        case .exchange(.tooManyRequests), .exchange(.refusal5600): CalmTime.settling + .seconds(60)
        default: CalmTime.settling
        }
    }
}
