import Domain
import PresentationHTTP
import Synchronization

/// Logs single requests: failed and slow ones, or all.
///
/// A line has the user's number and the truncated path without its query; tokens are masked.
/// Bound: ``linesMax`` failed and slow requests a second. Others are counted for the next summary.
final class RequestLog: RequestObserver {
    /// The maximum lines about failed and slow requests in a second, so that one client cannot
    /// flood the log.
    static let linesMax = 100
    /// The maximum length of a path in Unicode scalars; a single character can have any number.
    static let pathLengthMax = 200

    private struct State {
        var second: Int64 = 0
        var lines = 0
        var suppressed: UInt64 = 0
    }

    private let choice: AccessLogMode
    private let log: any Log
    private let now: @Sendable () -> Timestamp
    private let state = Mutex(State())

    /// Makes an access log.
    ///
    /// - Parameters:
    ///   - choice: the requests to log.
    ///   - log: receives the lines.
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

    /// Returns the number of requests over the bound since the last call.
    func drainSuppressedCount() -> UInt64 {
        state.withLock { state in
            defer { state.suppressed = 0 }
            return state.suppressed
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
                state.suppressed += 1
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
        if !request.isComplete { fields.append(.word("ended", "early")) }
        return fields
    }
}

extension Duration {
    /// In milliseconds, rounded down to whole microseconds.
    var inMilliseconds: Double {
        let (seconds, attoseconds) = components
        let microseconds = seconds * 1_000_000 + attoseconds / 1_000_000_000_000
        return Double(microseconds) / 1_000
    }
}
