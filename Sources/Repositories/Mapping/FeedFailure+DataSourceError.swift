import DataSourceContracts
import Domain

extension FeedFailure {
    /// The connection stood, and nothing came of the market that is never silent for long.
    static let silence = FeedFailure(
        code: .silent,
        detail: "no frame of the busiest market for 10 s",
        isRetryable: true
    )

    /// The connection stood, and nothing came though REST showed a book to move.
    static let bookSilence = FeedFailure(
        code: .silent,
        detail: "no frame for 30 s of books that move",
        isRetryable: true
    )

    /// What a reader is told of a data source's failure.
    init(_ error: DataSourceError) {
        let code: Code =
            switch error.code {
            case .unreachable: .unreachable
            case .proxy: .proxy
            case .untrusted: .untrusted
            case .timedOut: .timedOut
            case .disconnected, .ended, .cancelled: .disconnected
            case .httpStatus(429): .rateLimited
            case .httpStatus: .httpStatus
            case .refused: .refused
            case .rateLimited: .rateLimited
            case .malformed: .malformed
            }
        let detail: String =
            switch error.code {
            case .refused(let status, let message): "\(status) \(message)"
            case .httpStatus(let status): "HTTP \(status)"
            case .unreachable, .proxy, .untrusted, .timedOut, .disconnected, .ended, .cancelled,
                .rateLimited, .malformed:
                error.detail
            }
        self.init(code: code, detail: detail, isRetryable: error.isRetryable)
    }
}

extension DataSourceError {
    /// The pause that the exchange asked for; zero if none.
    var pause: Duration {
        switch code {
        case .rateLimited(let retryAfter): max(retryAfter, .zero)
        case .unreachable, .proxy, .untrusted, .timedOut, .disconnected, .httpStatus, .refused,
            .malformed, .ended, .cancelled:
            .zero
        }
    }
}
