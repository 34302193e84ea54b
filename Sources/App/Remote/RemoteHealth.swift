import Domain
import ViewStates

/// What the connection to a service adds to what the service says of its data.
///
/// The rules are those of a terminal with an exchange of its own: what was read stays and grows
/// old, and a failure stands beside it.
struct RemoteHealth: Sendable {
    /// How much later than it says data turn stale here: the word for it is on its way.
    static let slack: Duration = .seconds(3)

    /// How the connection stands.
    let line: ReadingPlan.Line
    /// The service's time.
    let now: Timestamp
    /// The time since any fixed moment, in which the line tells the next attempt.
    let uptime: Duration
    /// The reader's language.
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

    /// What is wrong with the connection; nil if nothing is.
    var error: ErrorViewState? {
        guard case .lost(let failure, let attempt, let retryAt) = line else { return nil }
        let nextRetryAt = now.advanced(by: max(retryAt - uptime, .zero))
        guard failure.isRetryable else {
            return ErrorViewState(
                code: failure.code.rawValue,
                message: failure.words(language),
                retryable: false,
                nextRetryAt: nextRetryAt
            )
        }
        let lead =
            FailureStrings.reconnecting(attempt)[language]
        return ErrorViewState(
            code: "reconnecting",
            message: lead + ": " + failure.words(language),
            retryable: true,
            nextRetryAt: nextRetryAt
        )
    }
}
