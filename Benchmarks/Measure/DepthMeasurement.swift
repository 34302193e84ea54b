import DataSourceContracts
import DataSourcesBithumb
import Domain
import Repositories

/// Frames of book changes applied to books, compared with simdjson walking their bytes.
///
/// All on one core and in turns, so that other load slows all of them.
enum DepthMeasurement {
    /// As many as a busy wake-up brings.
    private static let frames = 64
    /// A sample processes the frames once, in less than a millisecond.
    ///
    /// Most samples are then undisturbed on a shared core, and their median counts.
    private static let samples = 1_001
    /// The first ones have cold caches.
    private static let warmUps = 50

    static let depth = Measurement(name: "depth", run: run)

    private static func run() {
        let depth = DepthFrames(count: frames, seed: 1)
        var walk = SIMDJSONBaseline(depth.batch)
        var decoder = StreamDecoder(.v1)
        var times: [[Duration]] = [[], [], []]
        let clock = ContinuousClock()
        for sample in 0..<warmUps + samples {
            let walked = clock.measure { walk.run() }
            let decoded = clock.measure {
                let messages = decoder.decode(depth.batch)
                precondition(messages.count == frames, "Every frame is one message.")
            }
            let applied = clock.measure { apply(depth, &decoder) }
            if sample < warmUps { continue }
            times[0].append(walked)
            times[1].append(decoded)
            times[2].append(applied)
        }
        report(depth, times.map { $0.sorted()[samples / 2] })
    }

    /// Decodes the frames and applies them to books in their initial state.
    private static func apply(_ depth: DepthFrames, _ decoder: inout StreamDecoder) {
        var books = depth.books
        var skipped = 0
        for message in decoder.decode(depth.batch) {
            guard case .depth(let dto) = message,
                let delta = DepthMapping.delta(dto, skipped: &skipped)
            else { preconditionFailure("Every frame is changes.") }
            books[delta.market]?.apply(delta, receivedAt: delta.at)
        }
        precondition(skipped == 0 && books.count == depth.books.count, "Every change counts.")
    }

    private static func report(_ depth: DepthFrames, _ medians: [Duration]) {
        let bytes = depth.batch.bytes.count
        print("depth: frames of \(bytes / frames) bytes, \(DepthFrames.levels) levels, one core")
        for (name, median) in zip(["walked", "decoded", "applied"], medians) {
            let seconds = median / .seconds(1)
            let rate = Double(frames) / seconds
            let megabytes = Double(bytes) / seconds / 1_000_000
            let share = medians[0] / median
            print(
                "  \(name): \(Int(rate)) frames/s, \(Int(megabytes)) MB/s, "
                    + "\(Int((share * 1_000).rounded())) ‰ of the walk"
            )
        }
    }
}
