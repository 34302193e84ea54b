import Domain
import ViewStates

/// Texts of the alerts, and the reasons why a rule is refused.
enum AlertStrings {
    static let time = LocalizedText(ko: "시각", en: "Time")
    static let content = LocalizedText(ko: "내용", en: "Alert")
    static let state = LocalizedText(ko: "상태", en: "State")
    static let rule = LocalizedText(ko: "규칙", en: "Rule")
    static let lastFired = LocalizedText(ko: "최근 알림", en: "Last fired")
    static let late = LocalizedText(ko: "지연", en: "late")
    static let noAlerts = LocalizedText(ko: "알림이 없습니다", en: "No alerts yet")
    static let noRules = LocalizedText(ko: "알림 규칙이 없습니다", en: "No alert rules yet")
    static let add = LocalizedText(ko: "알림 추가", en: "add an alert")
    static let unsupported = LocalizedText(
        ko: "이 서버는 알림을 지원하지 않습니다",
        en: "This server has no alerts"
    )

    static func section(_ section: AlertsScreenState.Section) -> LocalizedText {
        switch section {
        case .log: LocalizedText(ko: "알림", en: "Alerts")
        case .rules: LocalizedText(ko: "규칙", en: "Rules")
        }
    }

    /// The number of alerts that were not seen before the page was opened.
    static func new(_ count: Int) -> LocalizedText {
        LocalizedText(ko: "새 알림 \(count)", en: "\(count) new")
    }

    static func state(_ state: UserAlertRule.State) -> LocalizedText {
        switch state {
        case .active: LocalizedText(ko: "감시 중", en: "active")
        case .fired: LocalizedText(ko: "알림 완료", en: "fired")
        case .expired: LocalizedText(ko: "기간 만료", en: "expired")
        }
    }

    /// A sign for a state, which needs no color.
    static func mark(_ state: UserAlertRule.State) -> String {
        switch state {
        case .active: "●"
        case .fired: "✓"
        case .expired: "○"
        }
    }

    /// The widest state.
    static func stateColumns(_ language: Language) -> Int {
        UserAlertRule.State.allCases.map { TextWidth.columns(state($0)[language]) }.max() ?? 0
    }

    /// `11-20 12:00:05`, in Seoul.
    static func moment(_ timestamp: Timestamp) -> String {
        TimeText.date(timestamp).dropFirst("2026-".count) + " " + TimeText.clock(timestamp)
    }

    /// The columns of ``moment(_:)``.
    static let momentColumns = "11-20 12:00:05".count

    static func notice(_ notice: AlertKeyNotice) -> [LocalizedText] {
        switch notice {
        case .logIsKept:
            [
                LocalizedText(
                    ko: "알림 기록은 삭제할 수 없습니다 – 규칙에서 삭제하세요",
                    en: "the log is kept: remove the rule instead"
                ),
                LocalizedText(ko: "규칙만 삭제됩니다", en: "only rules are removed"),
            ]
        case .noMarketOfPortfolio:
            [
                LocalizedText(
                    ko: "보유자산 알림에는 열 마켓이 없습니다",
                    en: "an alert of the portfolio has no market"
                )
            ]
        case .withoutAlerts: [unsupported]
        case .added(let rule):
            [
                LocalizedText(ko: "알림 추가: \(rule.text)", en: "alert added: \(rule.text)"),
                LocalizedText(ko: "알림을 추가했습니다", en: "alert added"),
            ]
        }
    }
}
