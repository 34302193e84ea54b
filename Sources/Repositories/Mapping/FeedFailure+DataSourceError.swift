import DataSourceContracts
import Domain

extension FeedFailure {
    /// The connection stayed open without data of the busiest market.
    static let silence = FeedFailure(
        code: .silent,
        detail: "no frame of the busiest market for 10 s",
        isRetryable: true
    )

    /// The connection stayed open without frames although REST showed a changed book.
    static let bookSilence = FeedFailure(
        code: .silent,
        detail: "no order book frame for 30 s although books changed",
        isRetryable: true
    )

    /// Translates the error of a data source.
    init(_ error: DataSourceError) {
        let code: Code =
            switch error.code {
            case .unreachable, .unknownHost: .unreachable
            case .proxy: .proxy
            case .untrusted: .untrusted
            case .timedOut: .timedOut
            case .disconnected, .ended, .cancelled: .disconnected
            case .httpStatus(429): .rateLimited
            case .httpStatus: .httpStatus
            case .refused: .refused
            case .rateLimited: .rateLimited
            case .unserved: .unserved
            case .malformed: .malformed
            }
        let detail: String =
            switch error.code {
            case .refused(let status, let message): "\(status) \(message)"
            case .httpStatus(let status): "HTTP \(status)"
            case .unreachable, .unknownHost, .proxy, .untrusted, .timedOut, .disconnected, .ended,
                .cancelled, .rateLimited, .unserved, .malformed:
                error.detail
            }
        self.init(code: code, detail: detail, isRetryable: error.isRetryable)
    }
}

extension DataSourceError {
    /// The pause that the exchange asked for, or zero.
    var pause: Duration {
        switch code {
        case .rateLimited(let retryAfter): max(retryAfter, .zero)
        case .unreachable, .unknownHost, .proxy, .untrusted, .timedOut, .disconnected, .httpStatus,
            .refused, .unserved, .malformed, .ended, .cancelled:
            .zero
        }
    }
}
