/// Moments at which connections go on by themselves, the next one first.
///
/// Bound: one for each wait that a connection ever began and whose time is not over; those of waits
/// that ended before are passed over.
struct LoopTimers {
    private struct Timer {
        let due: Int64
        let connection: ConnectionID
        let wait: Int
    }

    /// A heap: each element is due no later than the two behind it.
    private var timers: [Timer] = []

    /// When the next one is due, in milliseconds; nil without any.
    var next: Int64? { timers.first?.due }

    mutating func add(due: Int64, _ connection: ConnectionID, wait: Int) {
        timers.append(Timer(due: due, connection: connection, wait: wait))
        var place = timers.count - 1
        while place > 0, timers[place].due < timers[(place - 1) / 2].due {
            timers.swapAt(place, (place - 1) / 2)
            place = (place - 1) / 2
        }
    }

    /// Takes the next one if it is due.
    mutating func take(at now: Int64) -> (connection: ConnectionID, wait: Int)? {
        guard let first = timers.first, first.due <= now else { return nil }
        timers.swapAt(0, timers.count - 1)
        timers.removeLast()
        var place = 0
        while true {
            let children = [2 * place + 1, 2 * place + 2].filter { $0 < timers.count }
            guard let least = children.min(by: { timers[$0].due < timers[$1].due }),
                timers[least].due < timers[place].due
            else { return (first.connection, first.wait) }
            timers.swapAt(place, least)
            place = least
        }
    }
}
