import Synchronization

/// Counts finished requests by route: their statuses, durations and bytes.
///
/// Bound: one row for each route and one for all that is none, fixed from the start. Counting is
/// four additions without a lock; a reader may see a request in one figure and not yet in another,
/// but no figure ever goes back.
public final class RequestMetrics: Sendable {
    /// What stands for addresses that are no route.
    public static let otherRoute = "other"
    /// Statuses that are told apart; any other counts as 0, shown as `other`.
    static let statuses = [
        200, 204, 304, 400, 401, 403, 404, 405, 410, 412, 413, 415, 428, 429, 431, 500, 503,
    ]
    /// Where durations are told apart, in microseconds; what is longer goes behind the last.
    ///
    /// Nine steps in each power of ten, from 10 microseconds to 100 seconds.
    static let boundsMicroseconds: [Int] = {
        let steps = [100, 150, 200, 250, 300, 400, 500, 600, 800]
        var bounds: [Int] = []
        var power = 1
        for _ in 0..<7 {
            bounds += steps.map { $0 * power / 10 }
            power *= 10
        }
        return bounds + [power * 10]
    }()

    /// Counts that only grow, each in its place in the row: many threads count, and one more
    /// object between them would be one more thing that they take from each other.
    private final class Row: Sendable {
        /// One for each of those that are told apart, and one for the others.
        let statuses = InlineArray<18, Atomic<UInt64>> { _ in Atomic(0) }
        /// One up to each bound, and one for what is longer.
        let durations = InlineArray<65, Atomic<UInt64>> { _ in Atomic(0) }
        let microseconds = Atomic<UInt64>(0)
        let bytes = Atomic<UInt64>(0)

        init() {
            precondition(
                statuses.count == RequestMetrics.statuses.count + 1
                    && durations.count == RequestMetrics.boundsMicroseconds.count + 1,
                "a row has a place for each status and each bound"
            )
        }

        func count(status: Int, bytes: Int) {
            let place = RequestMetrics.statuses.firstIndex(of: status)
            statuses[place ?? RequestMetrics.statuses.count].wrappingAdd(1, ordering: .relaxed)
            self.bytes.wrappingAdd(UInt64(max(bytes, 0)), ordering: .relaxed)
        }

        func count(microseconds count: Int) {
            microseconds.wrappingAdd(UInt64(count), ordering: .relaxed)
            durations[RequestMetrics.place(of: count)].wrappingAdd(1, ordering: .relaxed)
        }

        func tally(route: String) -> RequestCounter {
            RequestCounter(
                route: route,
                statuses: statuses.indices.map { statuses[$0].load(ordering: .relaxed) },
                durations: durations.indices.map { durations[$0].load(ordering: .relaxed) },
                microseconds: microseconds.load(ordering: .relaxed),
                bytes: bytes.load(ordering: .relaxed)
            )
        }
    }

    private let names: [String]
    private let places: [String: Int]
    private let rows: [Row]

    /// Makes tallies without a request.
    ///
    /// - Parameter routes: the routes by their names, such as `/v1/markets/{market}`.
    public init(routes: [String]) {
        names = routes + [Self.otherRoute]
        places = Dictionary(zip(routes, 0...)) { first, _ in first }
        rows = names.map { _ in Row() }
    }

    /// Counts a finished request.
    ///
    /// - Parameters:
    ///   - route: its route; nil or an unknown one counts as ``otherRoute``.
    ///   - status: of the answer.
    ///   - duration: from its head to its last byte; nil for an answer without an end of its own,
    ///     which says nothing of how quick answers are.
    ///   - bytes: of the body.
    public func count(route: String?, status: Int, duration: Duration?, bytes: Int) {
        let row = rows[route.flatMap { places[$0] } ?? rows.count - 1]
        row.count(status: status, bytes: bytes)
        guard let duration else { return }
        row.count(microseconds: max(0, Int(duration.inSeconds * 1_000_000)))
    }

    /// Everything counted since the start, by route; routes without a request too.
    public var tallies: [RequestCounter] {
        zip(names, rows).map { name, row in row.tally(route: name) }
    }

    /// The first bound that is not below a duration; behind the last one for a longer one.
    static func place(of microseconds: Int) -> Int {
        var (low, high) = (0, boundsMicroseconds.count)
        while low < high {
            let middle = (low + high) / 2
            if boundsMicroseconds[middle] < microseconds { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
