import Synchronization

/// Counts finished requests by route: statuses, durations and bytes.
///
/// Bound: one row per route and one for unknown paths, allocated at start. Counting is four atomic
/// additions; a reader may see a request in one count before another, but no count decreases.
public final class RequestMetrics: Sendable {
    /// The label of unknown paths.
    public static let otherRoute = "other"
    /// The statuses with a count of their own; others count as 0, shown as `other`.
    static let statuses = [
        200, 204, 304, 400, 401, 403, 404, 405, 410, 412, 413, 415, 428, 429, 431, 500, 503,
    ]
    /// The upper bounds of the histogram in microseconds.
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

    /// Atomic counters in one allocation, which keeps cache misses of concurrent counting low.
    private final class Row: Sendable {
        /// One per status, and one for all others.
        let statuses = InlineArray<18, Atomic<UInt64>> { _ in Atomic(0) }
        /// One per bound, and one for longer durations.
        let durations = InlineArray<65, Atomic<UInt64>> { _ in Atomic(0) }
        let microseconds = Atomic<UInt64>(0)
        let bytes = Atomic<UInt64>(0)

        init() {
            precondition(
                statuses.count == RequestMetrics.statuses.count + 1
                    && durations.count == RequestMetrics.boundsMicroseconds.count + 1,
                "a row has a counter for each status and each bound"
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

    /// Makes empty counts.
    ///
    /// - Parameter routes: the templates of the routes, e.g. `/v1/markets/{market}`.
    public init(routes: [String]) {
        names = routes + [Self.otherRoute]
        places = Dictionary(zip(routes, 0...)) { first, _ in first }
        rows = names.map { _ in Row() }
    }

    /// Counts a finished request.
    ///
    /// - Parameters:
    ///   - route: the template; nil or an unknown one counts as ``otherRoute``.
    ///   - status: the HTTP status.
    ///   - duration: from the head to the last byte of the response; nil for an event stream.
    ///   - bytes: bytes of the body.
    public func count(route: String?, status: Int, duration: Duration?, bytes: Int) {
        let row = rows[route.flatMap { places[$0] } ?? rows.count - 1]
        row.count(status: status, bytes: bytes)
        guard let duration else { return }
        row.count(microseconds: max(0, Int(duration.inSeconds * 1_000_000)))
    }

    /// The counts of all routes since the start.
    public var tallies: [RequestCounter] {
        zip(names, rows).map { name, row in row.tally(route: name) }
    }

    /// The index of the first bound that is not below a duration.
    static func place(of microseconds: Int) -> Int {
        var (low, high) = (0, boundsMicroseconds.count)
        while low < high {
            let middle = (low + high) / 2
            if boundsMicroseconds[middle] < microseconds { low = middle + 1 } else { high = middle }
        }
        return low
    }
}

extension RequestMetrics: RequestObserver {
    /// Makes counts for the routes of the service.
    public convenience init() { self.init(routes: (Route.all + Route.page).map(\.template)) }

    /// Counts a request; the duration of an event stream does not measure latency.
    public func observe(_ request: RequestRecord) {
        count(
            route: request.route,
            status: request.status,
            duration: request.isStream ? nil : request.duration,
            bytes: request.byteCount
        )
    }
}
