import Domain
import ViewStates

/// The exchange's warnings of a market: suspended, 유의 (investment warning), and 경보 (alerts) with
/// step and end.
struct WarningLabel {
    let marks: MarksViewState
    let now: Timestamp
    let language: Language

    /// The texts, longest first; one empty text if there are no warnings.
    var texts: [String] {
        var words: [String] = []
        if marks.state == .suspended { words.append(MarketListStrings.suspended[language]) }
        if marks.investmentWarning == true { words.append(MarketListStrings.warning[language]) }
        guard !marks.alerts.isEmpty else { return [words.joined(separator: " ")] }
        let alert = MarketListStrings.alert[language]
        let count = marks.alerts.count
        let first = marks.alerts.prefix(1).map { text($0, withHour: false) }
        let others = count > 1 ? ["+\(count - 1)"] : []
        let variants: [[String]] = [
            [alert, marks.alerts.map { text($0, withHour: true) }.joined(separator: ", ")],
            [alert] + first + others,
            [alert + (count > 1 ? " \(count)" : "")],
        ]
        return variants.map { (words + $0).joined(separator: " ") }
    }

    /// `가격 급등락 주의 ~11-21 09:00`.
    private func text(_ alert: MarksViewState.Alert, withHour: Bool) -> String {
        var parts = [type(alert.type), alert.step.map(step) ?? ""]
        if let end = alert.endsAt {
            let date = TimeText.date(end).dropFirst("2026-".count)
            let hour = TimeText.clock(end).prefix("00:00".count)
            parts.append("~" + date + (withHour ? " " + hour : ""))
        }
        return parts.filter { !$0.isEmpty }.joined(separator: " ")
    }

    /// The exchange's name of an alert type; unknown types are shown unchanged.
    private func type(_ word: String) -> String {
        let text: LocalizedText? =
            switch word {
            case "PRICE_SUDDEN_FLUCTUATION": LocalizedText(ko: "가격 급등락", en: "price")
            case "TRADING_VOLUME_SUDDEN_FLUCTUATION":
                LocalizedText(ko: "거래량 급등", en: "volume")
            case "DEPOSIT_AMOUNT_SUDDEN_FLUCTUATION":
                LocalizedText(ko: "입금량 급등", en: "deposits")
            case "PRICE_DIFFERENCE_HIGH": LocalizedText(ko: "가격 차이", en: "price gap")
            case "SPECIFIC_ACCOUNT_HIGH_TRANSACTION":
                LocalizedText(ko: "소수계정 집중", en: "few accounts")
            case "EXCHANGE_TRADING_CONCENTRATION":
                LocalizedText(ko: "거래소 집중", en: "one exchange")
            default: nil
            }
        return text?[language] ?? word
    }

    private func step(_ word: String) -> String {
        let text: LocalizedText? =
            switch word {
            case "CAUTION": LocalizedText(ko: "주의", en: "caution")
            case "WARNING": LocalizedText(ko: "경고", en: "warning")
            case "DANGER": LocalizedText(ko: "위험", en: "danger")
            default: nil
            }
        return text?[language] ?? word
    }
}
