public import Domain
import ViewStates

/// What a key about alerts did, or why it had no effect.
public enum AlertKeyNotice: Sendable, Hashable {
    /// The log is kept; only rules are removed.
    case logIsKept
    /// An alert of the portfolio has no market to open.
    case noMarketOfPortfolio
    /// The source of the data has no alerts.
    case withoutAlerts
    /// A rule was added.
    case added(AlertRule)
}

/// Alerts that have just been found, as a screen tells them once.
public struct AlertNotice: Sendable, Hashable {
    /// The newest one.
    public var alert: LoggedAlert
    /// The number of all, at least 1.
    public var count: Int

    /// Time, sentence and the number of other alerts, longest first.
    var texts: [LocalizedText] {
        let clock = TimeText.clock(alert.alert.at)
        let isLate = alert.alert.lateness != nil
        let late =
            isLate ? LocalizedText(ko: " (지연)", en: " (late)") : LocalizedText(ko: "", en: "")
        let more =
            count > 1
            ? LocalizedText(ko: " 외 \(count - 1)건", en: " and \(count - 1) more")
            : LocalizedText(ko: "", en: "")
        func text(_ lead: LocalizedText, _ language: Language) -> String {
            lead[language] + AlertTextPresenter.sentence(alert, language) + more[language]
        }
        let leads = [
            LocalizedText(ko: "알림 \(clock)\(late.ko) ", en: "alert \(clock)\(late.en) "),
            LocalizedText(ko: clock + " ", en: clock + " "),
            LocalizedText(ko: "", en: ""),
        ]
        return leads.map { LocalizedText(ko: text($0, .korean), en: text($0, .english)) }
    }

    /// The whole text, for a notification.
    func text(_ language: Language) -> String { texts.first?[language] ?? "" }
}
