import Domain
import TestSupport

@testable import PresentationTerminal

/// Alerts of a user, a few hours old at ``Samples/now``.
enum AlertSamples {
    /// Five rules in all states, and seven alerts, of which the newest two are not seen.
    static var alerts: UserAlerts {
        var alerts = UserAlerts()
        let texts = [
            "BTC > 150000000", "ETH < 4500000 again 10m ticks 2",
            "favorites 24H > 5% again 1h note look at the book", "portfolio return < -5%",
            "XRP 3000..3500 until 2026-11-20T18:00",
        ]
        alerts.rules = zip(Int64(1)..., texts).map { number, text in
            UserAlertRule(number: number, rule: .sample(text), createdAt: .noon())
        }
        alerts.rules[0].lastFiredAt = .noon(7)
        alerts.rules[2].lastFiredAt = .noon(6)
        alerts.log = [
            .sample(7, "BTC > 150000000"),
            .sample(6, "favorites 24H > 5% again 1h note look at the book", value: "5.02"),
            .sample(5, "ETH < 4500000 again 10m ticks 2", value: "4498000", lateness: .interrupted),
            .sample(4, "portfolio return < -5%", value: "-5.1"),
            .sample(3, "XRP deposit closes", value: "0"),
            .sample(2, "ETH < 4500000 again 10m ticks 2", value: "4499000", lateness: .repaired),
            .sample(1, "all listed", value: "1"),
        ]
        alerts.seenThrough = 5
        return alerts
    }
}
