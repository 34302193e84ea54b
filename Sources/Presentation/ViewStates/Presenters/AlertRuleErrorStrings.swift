public import Domain

/// Why a rule is refused, in both languages.
public enum AlertRuleErrorStrings: Sendable {
    /// The fault, its place and the remedy.
    public static func text(of error: AlertRuleError) -> LocalizedText {
        LocalizedText(ko: korean(error), en: error.detail)
    }

    /// The fault alone, where the whole text has no room: similar words rather than all possible.
    public static func shortText(of error: AlertRuleError) -> LocalizedText {
        let word = error.place.map { $0.word.isEmpty ? "" : "'\($0.word)': " } ?? ""
        guard case .unexpected(_, let nearest) = error.reason, !nearest.isEmpty else {
            return LocalizedText(ko: word + korean(error.reason), en: error.detail)
        }
        let words = nearest.joined(separator: ", ")
        return LocalizedText(
            ko: "\(word)없는 단어입니다 – \(words)?",
            en: "\(word)unknown word. Did you mean \(words)?"
        )
    }

    private static func korean(_ error: AlertRuleError) -> String {
        let fault = korean(error.reason)
        guard let place = error.place else { return fault }
        if place.word.isEmpty { return "\(place.column)번째 글자: \(fault)" }
        return "'\(place.word)' (\(place.column)번째 글자): \(fault)"
    }

    private static func korean(_ reason: AlertRuleError.Reason) -> String {
        switch reason {
        case .missing(let choices): return expected(choices)
        case .unexpected(let choices, let nearest):
            return expected(choices) + suggestion(nearest)
        case .unknownMarket(let nearest): return "없는 마켓입니다" + suggestion(nearest)
        case .number(let error), .note(let error): return InputErrorStrings.text(of: error).ko
        case .unit(""): return "가격에는 단위가 없습니다 (예: 150000000)"
        case .unit(let unit): return "단위는 \(unit)입니다 (예: 3\(unit))"
        case .notADuration: return "시간 길이가 아닙니다 (예: 30s, 10m, 2h, 1d)"
        case .notATime:
            return "서울 기준 날짜나 시각이 아닙니다 (예: 2026-12-31, 2026-12-31T09:00)"
        case .minutesOutOfRange: return "거래대금 시간은 1m~60m입니다 (예: turnover 5m)"
        case .pauseOutOfRange: return "반복 간격은 0s~7d입니다 (예: again 10m)"
        case .ticksOutOfRange: return "틱은 0~1000입니다 (예: ticks 2)"
        case .ticksOfState: return "틱은 기준값이 있는 조건에만 씁니다. 빼고 입력하세요"
        case .expired: return "이미 지난 시각입니다. 이후 시각을 입력하세요"
        case .priceNeedsMarket: return "가격은 마켓 하나에 설정합니다 (예: BTC > 150000000)"
        case .spreadOfAll: return "호가차는 마켓 하나나 favorites에 설정합니다 (예: BTC spread > 10bp)"
        case .valueNeedsPortfolio:
            return "평가금액은 보유자산 전체에 설정합니다 (예: portfolio > 10000000)"
        case .returnNeedsHolding:
            return "수익률은 보유자산 전체나 자산 하나에 설정합니다 (예: BTC return > 10%)"
        case .notOfPortfolio:
            return "보유자산에는 평가금액과 수익률만 설정합니다 (예: portfolio return > 10%)"
        case .levelOfState: return "이 조건에는 기준값이 없습니다 (예: deposit opens)"
        case .levelMissing: return "기준값을 입력하세요 (예: > 3)"
        case .emptyBand: return "작은 값을 먼저 입력하세요 (예: 140000000..150000000)"
        case .tooManyRules:
            return "알림은 \(AlertRule.rulesMax)개까지입니다. 먼저 하나를 삭제하세요"
        case .tooManyBooks(let followed, let more):
            return "호가차 알림은 마켓 \(AlertLimits.booksMax)개까지 볼 수 있습니다 "
                + "(현재 \(followed)개, 추가하면 \(more)개). 호가차 알림을 먼저 삭제하세요"
        }
    }

    private static func expected(_ choices: [String]) -> String {
        let lead = choices.count > 1 ? "다음 중 하나를 입력하세요: " : "입력하세요: "
        return lead + choices.map { descriptions[$0] ?? $0 }.joined(separator: ", ")
    }

    private static func suggestion(_ nearest: [String]) -> String {
        nearest.isEmpty ? "" : " – \(nearest.joined(separator: ", "))?"
    }

    /// The choices that are no words of the grammar.
    private static let descriptions = [
        "a market such as BTC": "마켓(예: BTC)",
        "a number": "숫자",
        "a number of ticks": "틱 수(예: 2)",
        "a pause such as 10m": "간격(예: 10m)",
        "minutes such as 5m": "분(예: 5m)",
        "a day or time in Seoul such as 2026-12-31T09:00":
            "서울 기준 날짜나 시각(예: 2026-12-31T09:00)",
    ]
}
