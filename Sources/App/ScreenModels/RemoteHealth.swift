import DataSourcesRemote
import Domain
import ViewStates

/// Combines the health of a server's data with the state of the connection to the server.
///
/// The rules are those of a direct exchange connection: data stays visible and becomes stale, and
/// the failure appears beside it.
struct RemoteHealth: Sendable {
    /// Added to the server's limit for stale data: its own notice takes time to arrive.
    static let slack: Duration = .seconds(3)

    /// The state of the connection.
    let connection: EventStreamClientState.Connection
    /// The service's time.
    let now: Timestamp
    /// The time since the fixed moment of the connection's `retryAt`.
    let uptime: Duration
    /// The interface language.
    let language: Language

    /// The health of a block.
    func of(_ health: HealthViewState) -> HealthViewState {
        var health = health
        let error = error
        health.error = health.error.map { FailureStrings.translated($0, to: language) }
        switch health.phase {
        case .ready:
            if let staleAfter = health.staleAfter, staleAfter.advanced(by: Self.slack) < now {
                health.phase = .stale
            }
        case .loading: if error != nil { health.phase = .failed }
        case .stale, .failed, .ended: break
        }
        if let error { health.error = error }
        return health
    }

    /// The failure of the connection; nil for none.
    var error: ErrorViewState? {
        guard case .lost(let failure, let attempt, let retryAt) = connection else { return nil }
        let nextRetryAt = now.advanced(by: max(retryAt - uptime, .zero))
        guard failure.isRetryable else {
            return ErrorViewState(
                code: failure.code.rawValue,
                message: failure.text(language),
                retryable: false,
                nextRetryAt: nextRetryAt
            )
        }
        let lead =
            FailureStrings.reconnecting(attempt)[language]
        return ErrorViewState(
            code: "reconnecting",
            message: lead + ": " + failure.text(language),
            retryable: true,
            nextRetryAt: nextRetryAt
        )
    }
}
