import Compression
import Concurrency
import Synchronization

/// Serves topics, each for all of its readers that wait, until the time is over.
///
/// Several threads take topics from one order, so that a snapshot reaches many readers sooner.
struct StreamPass: Sendable {
    /// The time in which topics are served before their order is decided anew.
    static let budget: Duration = .milliseconds(50)
    /// Readers woken together: their event loops, which wake up at the first, then take several
    /// events at once.
    private static let wokenTogether = 32

    /// A topic whose readers were served.
    struct Served: Sendable {
        let candidate: TopicTable.Candidate
        let service: StreamTopic.Service
        /// How long it took on its thread.
        let cost: Duration
    }

    /// The topics that one thread of a pass has taken.
    private struct Share: Sendable {
        var served: [Served] = []
        /// The topic for which no time was left.
        var missed: TopicTable.Candidate?
    }

    private let update: UInt64
    private let compressors: [EventCompressor]
    private let stopwatch: Stopwatch

    /// Begins a pass.
    ///
    /// - Parameters:
    ///   - update: the newest update of the streams.
    ///   - compressors: one for each thread.
    ///   - stopwatch: measures the pass.
    init(update: UInt64, compressors: [EventCompressor], _ stopwatch: Stopwatch) {
        self.update = update
        self.compressors = compressors
        self.stopwatch = stopwatch
    }

    /// Serves candidates in their order; each thread serves one at least.
    ///
    /// - Returns: the topics with readers that waited, and those for which no time was left.
    func serve(
        _ order: [TopicTable.Candidate]
    ) -> (served: [Served], missed: [TopicTable.Candidate]) {
        let taken = Atomic<Int>(0)
        let shares = Mutex<[Share]>([])
        performConcurrently(min(compressors.count, order.count)) { thread in
            let share = serve(order, taken, compressors[thread])
            shares.withLock { $0.append(share) }
        }
        let all = shares.withLock { $0 }
        let left = order.dropFirst(taken.load(ordering: .relaxed))
        return (all.flatMap(\.served), all.compactMap(\.missed) + left)
    }

    private func serve(
        _ order: [TopicTable.Candidate],
        _ taken: borrowing Atomic<Int>,
        _ compressor: EventCompressor
    ) -> Share {
        var share = Share()
        var spent = Duration.zero
        var wakes: [@Sendable () -> Void] = []
        defer { for wake in wakes { wake() } }
        while true {
            let place = taken.wrappingAdd(1, ordering: .relaxed).oldValue
            guard place < order.count else { return share }
            let candidate = order[place]
            guard spent < Self.budget else {
                share.missed = candidate
                return share
            }
            let service = candidate.topic.serve(update: update, compressor) {
                stopwatch.elapsed >= Self.budget
            }
            guard let service else { continue }
            let elapsed = stopwatch.elapsed
            share.served.append(
                Served(candidate: candidate, service: service, cost: elapsed - spent)
            )
            spent = elapsed
            wakes += service.wakes
            guard wakes.count >= Self.wokenTogether else { continue }
            for wake in wakes { wake() }
            wakes.removeAll(keepingCapacity: true)
        }
    }
}

/// Compresses events, one at a time.
final class EventCompressor: Sendable {
    /// Patches live for a moment, and most are short.
    private static let level = 6

    private let deflater = Mutex(MessageDeflater(keepsContext: false, level: level))

    func compress(_ bytes: [UInt8]) -> DeflatedBytes {
        deflater.withLock { DeflatedBytes(bytes, with: &$0) }
    }
}
