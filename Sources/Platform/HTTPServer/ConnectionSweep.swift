/// Decides which connections take too long over a header or a body, however steadily they trickle.
///
/// The library's own time-out counts silence only. Pure: it is told how many bytes each connection
/// has received and counts its own calls instead of looking at a clock.
struct ConnectionSweep {
    private struct Watch {
        let record: ConnectionRecord
        var mark: UInt64
        /// The call in which the current header or body was first noticed; nil while none arrives.
        var began: Int?
        var bytesReceived: UInt64
    }

    private let callsMax: Int
    private var call = 0
    private var watches: [Int32: Watch] = [:]

    /// Makes a sweep.
    ///
    /// - Parameter callsMax: how many calls a header, or a body, may last.
    init(callsMax: Int) {
        self.callsMax = callsMax
    }

    var connectionCount: Int { watches.count }

    mutating func add(_ record: ConnectionRecord) {
        watches[record.descriptor] = Watch(
            record: record,
            mark: record.state.mark,
            began: call,
            bytesReceived: 0
        )
    }

    mutating func remove(descriptor: Int32) {
        watches[descriptor] = nil
    }

    /// One call of the sweep.
    ///
    /// - Parameter bytesReceived: what a connection has received in all its life.
    /// - Returns: the descriptors of connections whose time is up.
    mutating func overdue(bytesReceived: (Int32) -> UInt64) -> [Int32] {
        call += 1
        var overdue: [Int32] = []
        for descriptor in Array(watches.keys) {
            guard var watch = watches[descriptor] else { continue }
            let (phase, mark) = watch.record.state
            let isNew = mark != watch.mark
            watch.mark = mark
            switch phase {
            case .answer: watch.began = nil
            case .firstHeader, .body: if isNew { watch.began = call }
            case .nextHeader:
                // An idle connection is no slow one: its time begins with the first byte.
                let bytes = bytesReceived(descriptor)
                if isNew {
                    watch.began = nil
                } else if watch.began == nil, bytes != watch.bytesReceived {
                    watch.began = call
                }
                watch.bytesReceived = bytes
            }
            if let began = watch.began, call - began > callsMax { overdue.append(descriptor) }
            watches[descriptor] = watch
        }
        return overdue
    }
}
