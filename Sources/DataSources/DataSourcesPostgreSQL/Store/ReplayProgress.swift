/// A place in the write-ahead log of a cluster.
struct WalPosition: Sendable, Hashable {
    /// The system identifier of the cluster; a primary and its standbys have the same.
    var cluster: Int64
    /// Bytes since the log's beginning.
    var byte: Int64
}

/// Tells how old the data of a standby are, by where the primary's log ended when.
///
/// A standby that has replayed the log up to a place has all that was committed when the log ended
/// there. Clocks of servers do not matter, and an idle primary makes no standby old. With
/// `synchronous_commit = off` a commit may be three `wal_writer_delay`s older.
struct ReplayProgress: Sendable {
    /// The most places that are remembered; the oldest is forgotten.
    static let marksMax = 1_024

    private var marks: [(position: WalPosition, at: Duration)] = []

    /// Records where the primary's log ended.
    ///
    /// - Parameters:
    ///   - position: the end of its log.
    ///   - time: when it was asked, or before.
    mutating func note(_ position: WalPosition, at time: Duration) {
        if let last = marks.last?.position {
            // After a fail-over the log is another one, and may end earlier.
            if last.cluster != position.cluster || last.byte > position.byte { marks = [] }
            // The same end a second time proves more of a standby, so it replaces the first.
            if last == position { marks.removeLast() }
        }
        marks.append((position, time))
        if marks.count > Self.marksMax { marks.removeFirst() }
    }

    /// The greatest possible age of the data of a server.
    ///
    /// - Parameters:
    ///   - position: what it has replayed.
    ///   - time: now.
    /// - Returns: nil if that is unknown: no remembered end of the log was replayed, or the server
    ///   belongs to another cluster.
    func age(of position: WalPosition, at time: Duration) -> Duration? {
        let mark = marks.last {
            $0.position.cluster == position.cluster && $0.position.byte <= position.byte
        }
        return mark.map { time - $0.at }
    }
}
