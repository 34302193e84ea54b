import Domain
import Synchronization

/// A recording as a feed.
///
/// REST answers belong to the position of the most advanced connection.
final class ReplayFeed: Sendable {
    let recording: Recording
    let speed: ExchangeSimulator.Speed
    private let furthest = Mutex<Int64>(0)

    init(_ replay: ExchangeSimulator.Replay) throws(ExchangeSimulatorError) {
        if case .times(let factor) = replay.speed {
            guard factor > 0, factor <= ExchangeSimulator.Speed.factorMax else {
                throw .badConfiguration(
                    "invalid speed: it must be above 0 and at most "
                        + "\(Int(ExchangeSimulator.Speed.factorMax)), or the maximum"
                )
            }
        }
        recording = try Recording(path: replay.path)
        speed = replay.speed
    }

    /// Records a connection's position.
    func reach(_ position: Int64) {
        furthest.withLock { $0 = max($0, position) }
    }

    /// The recorded answer for a path at the most advanced position.
    ///
    /// Also answers the short names that the exchange reads as won markets.
    func answer(path: String) -> (status: Int, body: [UInt8])? {
        let position = furthest.withLock { $0 }
        return recording.answer(path: path, at: position)
            ?? recording.answer(path: path + "_KRW", at: position)
    }
}

/// One connection's progress through a recording.
struct Playback {
    private var frames: RecordedFrames
    private var next: (position: Int64, text: [UInt8])?
    /// Unpaused time since the first subscription.
    private var elapsed: Int64 = 0

    init(_ recording: Recording) {
        frames = recording.frames
        next = frames.next()
    }

    var isAtEnd: Bool { next == nil }

    /// How many microseconds of the recording are due by now; nil for all.
    private func due(at speed: ExchangeSimulator.Speed) -> Int64? {
        switch speed {
        case .times(let factor): Int64(Double(elapsed) * factor)
        case .maximum: nil
        }
    }

    /// Advances the time.
    mutating func advance(by microseconds: Int64) {
        elapsed += max(0, microseconds)
    }

    /// The next message if it is due.
    mutating func nextDue(
        at speed: ExchangeSimulator.Speed
    ) -> (position: Int64, text: [UInt8])? {
        guard let frame = next else { return nil }
        if let due = due(at: speed), frame.position > due { return nil }
        next = frames.next()
        return frame
    }

    /// The playback position by the clock; nil at maximum speed.
    func position(at speed: ExchangeSimulator.Speed) -> Int64? {
        due(at: speed)
    }
}
