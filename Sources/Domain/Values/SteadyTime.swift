extension Timestamp {
    /// Whether data that were received at this local time are fresh.
    ///
    /// - Parameters:
    ///   - now: the local time.
    ///   - duration: how long such data are fresh.
    /// - Returns: false also for data of as much later: they were received before the clock was set
    ///   back, and their age is unknown.
    public func isFresh(at now: Timestamp, for duration: Duration) -> Bool {
        let age = now.duration(since: self)
        return age < duration && .zero - duration < age
    }
}

/// The local time without small steps back, not ahead of the exchange's as far as its dates tell.
///
/// An age is a difference of local times: after a step back, old data would be taken for fresh ones
/// for as long. So the told time goes on instead, at three quarters of its speed, until the clock
/// has caught up.
///
/// A clock that is ahead of the exchange's would take readings for newer than they are: candles for
/// closed, losses for repaired, and would store that. So it is bounded by the exchange's dates.
public struct SteadyTime: Sendable {
    /// The largest step back that is made up for; after a larger one the clock was wrong before.
    public static let stepMax: Duration = .seconds(60)
    /// The largest step back to the exchange's time that is made up for; before a larger one the
    /// clock was ahead.
    public static let boundStepMax: Duration = .seconds(10)
    /// How far ahead of the exchange's date a clock is held back; by more, the date is wrong.
    public static let aheadMax: Duration = .seconds(86_400)

    /// How far two dates may differ; by more, the exchange's clock was set, or this machine slept.
    public static let dateErrorMax: Duration = .seconds(10)

    private var anchor: (time: Timestamp, uptime: Duration)?
    /// A time that the exchange's clock had not passed at an uptime.
    private var bound: (time: Timestamp, uptime: Duration)?

    /// A time that was not told yet.
    public init() {}

    /// Bounds the times from now on.
    ///
    /// A date has whole seconds, and its response may have taken long: what an earlier one told
    /// more exactly counts until the clocks may have drifted apart as far.
    ///
    /// - Parameters:
    ///   - time: a time that the exchange's clock had not passed then.
    ///   - uptime: when that was.
    public mutating func bound(by time: Timestamp, asOf uptime: Duration) {
        if let bound {
            let elapsed = uptime - bound.uptime
            let excess = time.duration(since: bound.time.advanced(by: elapsed))
            if excess > elapsed / 100, excess <= Self.dateErrorMax { return }
        }
        bound = (time, uptime)
    }

    /// Tells the time.
    ///
    /// - Parameters:
    ///   - wall: what the clock says.
    ///   - uptime: the time since some moment, of a clock that is never set.
    /// - Returns: the time now; since the call before, three quarters of the uptime have passed at
    ///   least, except at a step back of more than ``stepMax``, or ``boundStepMax``.
    public mutating func time(_ wall: Timestamp, uptime: Duration) -> Timestamp {
        let local = wall
        let wall = bounded(wall, uptime)
        let stepMax = wall < local ? Self.boundStepMax : Self.stepMax
        if let anchor {
            let slow = anchor.time.advanced(by: (uptime - anchor.uptime) * 3 / 4)
            if wall < slow, slow.duration(since: wall) <= stepMax { return slow }
        }
        anchor = (wall, uptime)
        return wall
    }

    private func bounded(_ wall: Timestamp, _ uptime: Duration) -> Timestamp {
        guard let bound else { return wall }
        let latest = bound.time.advanced(by: uptime - bound.uptime)
        return wall.duration(since: latest) <= Self.aheadMax ? min(wall, latest) : wall
    }
}
