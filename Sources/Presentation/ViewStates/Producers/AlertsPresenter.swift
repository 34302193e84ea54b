import Domain
import Synchronization

/// Presents a user's alerts, and keeps them for the next snapshot.
///
/// Snapshots of the market come ten times a second, while alerts change with the record and when a
/// rule expires.
final class AlertsPresenter: Sendable {
    private struct Presented {
        var alerts: UserAlerts?
        var expiredCount: Int
        var state: AlertsViewState
    }

    private let kept = Mutex<[Language: Presented]>([:])

    /// Presents alerts.
    ///
    /// - Parameters:
    ///   - alerts: the rules and the log; nil if not loaded.
    ///   - now: exchange time.
    ///   - language: the language of texts.
    /// - Returns: the state; equal ones share their rows.
    func present(_ alerts: UserAlerts?, at now: Timestamp, _ language: Language) -> AlertsViewState
    {
        let expiredCount = alerts?.expiredCount(at: now) ?? 0
        return kept.withLock { kept in
            if let known = kept[language], known.expiredCount == expiredCount,
                known.alerts == alerts
            {
                return known.state
            }
            let state = AlertsViewState(alerts, at: now, language)
            kept[language] = Presented(alerts: alerts, expiredCount: expiredCount, state: state)
            return state
        }
    }
}
