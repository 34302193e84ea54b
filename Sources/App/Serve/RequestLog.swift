import Domain
import PresentationHTTP
import Synchronization

/// Tells of single requests in the log: those that failed and slow ones, or all of them.
///
/// It tells who asked as a number, and of the address its path alone, which is cut; what looks like
/// a token in it is not told.
/// Bound: of failed and slow ones ``linesMax`` a second; the others are counted, and the next
/// summary says how many they were.
final class RequestLog: RequestObserver {
    /// How many failed and slow requests are told of in a second: a client that does everything
    /// wrong must not hide what others do.
    static let linesMax = 100
    /// How much of a path is told, in Unicode scalars: a character has as many as somebody likes.
    static let pathLengthMax = 200

    private struct State {
        var second: Int64 = 0
        var lines = 0
        var untold: UInt64 = 0
    }

    private let choice: AccessLogMode
    private let log: any Log
    private let now: @Sendable () -> Timestamp
    private let state = Mutex(State())

    /// Makes an access log.
    ///
    /// - Parameters:
    ///   - choice: which requests are told of.
    ///   - log: takes the lines.
    ///   - now: the local wall clock.
    init(_ choice: AccessLogMode, to log: any Log, now: @escaping @Sendable () -> Timestamp) {
        self.choice = choice
        self.log = log
        self.now = now
    }

    func observe(_ request: RequestRecord) {
        let isSlow = !request.isStream && request.duration >= ServiceConfiguration.slowThreshold
        switch choice {
        case .off: return
        case .all: break
        case .errors: guard request.status >= 400 || isSlow, hasRoom() else { return }
        }
        log.write(
            request.status >= 500 || isSlow ? .warning : .info,
            "request",
            Self.fields(request)
        )
    }

    /// How many failed and slow requests were not told of since this was asked last.
    func takeUntold() -> UInt64 {
        state.withLock { state in
            defer { state.untold = 0 }
            return state.untold
        }
    }

    private func hasRoom() -> Bool {
        let second = now().microseconds / 1_000_000
        return state.withLock { state in
            if state.second != second {
                state.second = second
                state.lines = 0
            }
            guard state.lines < Self.linesMax else {
                state.untold += 1
                return false
            }
            state.lines += 1
            return true
        }
    }

    private static func shown(_ path: String) -> String {
        let path = AccessToken.masked(path)
        let scalars = path.unicodeScalars
        let end = scalars.index(
            scalars.startIndex,
            offsetBy: pathLengthMax,
            limitedBy: scalars.endIndex
        )
        guard let end, end != scalars.endIndex else { return path }
        return path[..<end] + "…"
    }

    private static func fields(_ request: RequestRecord) -> [LogField] {
        var fields: [LogField] = [
            .word("method", request.method),
            .word("route", request.route ?? RequestMetrics.otherRoute),
            .text("path", shown(request.path)),
            .number("status", request.status),
            .number("bytes", request.byteCount),
            .measure("milliseconds", request.duration.inMilliseconds),
            .word("client", "\(request.client)"),
            .word("id", request.requestID),
        ]
        if let user = request.user { fields.append(.number("user", user.number)) }
        if !request.isWhole { fields.append(.word("ended", "early")) }
        return fields
    }
}

extension Duration {
    /// In milliseconds, with three digits behind the point.
    var inMilliseconds: Double {
        let (seconds, attoseconds) = components
        let microseconds = seconds * 1_000_000 + attoseconds / 1_000_000_000_000
        return Double(microseconds) / 1_000
    }
}
