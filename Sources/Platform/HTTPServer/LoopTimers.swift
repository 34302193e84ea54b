/// Deadlines of waiting connections, earliest first.
///
/// Bound: one per wait whose deadline has not passed. A wait that ended early keeps its timer,
/// whose number then matches no wait.
struct LoopTimers {
    private struct Timer {
        let due: Int64
        let connection: ConnectionID
        let wait: Int
    }

    /// A binary heap.
    private var timers: [Timer] = []

    /// The earliest deadline in milliseconds; nil without any.
    var next: Int64? { timers.first?.due }

    mutating func add(due: Int64, _ connection: ConnectionID, wait: Int) {
        timers.append(Timer(due: due, connection: connection, wait: wait))
        var index = timers.count - 1
        while index > 0, timers[index].due < timers[(index - 1) / 2].due {
            timers.swapAt(index, (index - 1) / 2)
            index = (index - 1) / 2
        }
    }

    /// Removes and returns the earliest timer if it is due.
    mutating func popDue(at now: Int64) -> (connection: ConnectionID, wait: Int)? {
        guard let first = timers.first, first.due <= now else { return nil }
        timers.swapAt(0, timers.count - 1)
        timers.removeLast()
        var index = 0
        while true {
            let children = [2 * index + 1, 2 * index + 2].filter { $0 < timers.count }
            guard let least = children.min(by: { timers[$0].due < timers[$1].due }),
                timers[least].due < timers[index].due
            else { return (first.connection, first.wait) }
            timers.swapAt(index, least)
            index = least
        }
    }
}
