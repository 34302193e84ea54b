/// Decides when to draw: immediately for a key, at most every 100 ms for data, and otherwise when
/// something on the screen changes with time.
///
/// All times are monotonic.
struct DrawingSchedule {
    /// The minimum time between two frames without input.
    static let dataInterval: Duration = .milliseconds(100)
    /// While a window is dragged it is drawn this often.
    static let resizeInterval: Duration = .milliseconds(40)

    private var drawnAt: Duration?
    private var dueAt: Duration?

    /// Draws now: a key was pressed, or the screen was lost.
    mutating func requestNow(at uptime: Duration) {
        request(at: uptime)
    }

    /// Draws for new data, as soon as the interval allows.
    mutating func requestForData(at uptime: Duration) {
        request(at: max(uptime, (drawnAt ?? uptime - Self.dataInterval) + Self.dataInterval))
    }

    /// The screen has another size: draw now, but not for every step of a drag.
    mutating func requestForResize(at uptime: Duration) {
        request(at: max(uptime, (drawnAt ?? uptime - Self.resizeInterval) + Self.resizeInterval))
    }

    /// Something shown changes at that time: a clock, a countdown, the end of a flash.
    mutating func requestForTime(_ moment: Duration) {
        request(at: max(moment, (drawnAt ?? moment - Self.dataInterval) + Self.dataInterval))
    }

    /// Whether a frame is due.
    func isDue(at uptime: Duration) -> Bool {
        dueAt.map { $0 <= uptime } ?? false
    }

    /// The time until the next frame; nil if none is requested.
    func wait(at uptime: Duration) -> Duration? {
        dueAt.map { max($0 - uptime, .zero) }
    }

    /// Records a drawn frame; time-based requests must be repeated.
    mutating func drew(at uptime: Duration) {
        drawnAt = uptime
        dueAt = nil
    }

    private mutating func request(at moment: Duration) {
        dueAt = dueAt.map { min($0, moment) } ?? moment
    }
}
