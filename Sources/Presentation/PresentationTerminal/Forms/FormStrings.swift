import Domain
import ViewStates

/// The words of forms, and why something typed is not taken.
enum FormStrings {
    static func title(
        _ purpose: ScreenForm.Purpose,
        keys: KeyTable,
        _ language: Language
    ) -> String {
        let key = keys.label(of: .formSubmit)
        let isKorean = language == .korean
        return switch purpose {
        case .addHolding: isKorean ? "보유자산 추가" : "Add a coin"
        case .editHolding(let asset):
            isKorean ? "\(asset.symbol) 수정" : "Correct \(asset.symbol)"
        case .removeHolding: isKorean ? "보유자산 삭제" : "Remove a coin"
        case .cash: isKorean ? "현금" : "Cash"
        case .firstStart:
            isKorean ? "처음 시작: 빈칸은 \(key)로 건너뛰기" : "First start: \(key) skips a field"
        }
    }

    static func question(
        _ purpose: ScreenForm.Purpose,
        keys: KeyTable,
        _ language: Language
    ) -> String {
        guard case .removeHolding(let asset) = purpose else { return "" }
        let answers = keys.label(of: .questionYes) + "/" + keys.label(of: .questionNo)
        switch language {
        case .korean: return "\(asset.symbol): 보유자산에서 삭제할까요? (\(answers))"
        case .english: return "Remove \(asset.symbol) from the holdings? (\(answers))"
        }
    }

    /// That the question of the first start was answered by another terminal.
    static func answeredElsewhere(keys: KeyTable) -> LocalizedText {
        let key = keys.label(of: .formCancel)
        return LocalizedText(
            korean: "다른 곳에서 이미 입력됨 – \(key) 닫기",
            english: "already answered elsewhere: \(key) closes"
        )
    }

    /// What another terminal has kept of a coin meanwhile, and how it is replaced; longest first.
    static func elsewhere(
        _ holding: Holding,
        keys: KeyTable,
        _ language: Language
    ) -> [String] {
        let key = keys.label(of: .formSubmit)
        let quantity = NumberText.quantity(holding.quantity)
        let price = holding.averagePrice.map { NumberText.price($0, quote: .krw) }
        switch language {
        case .korean:
            let held = "다른 곳에서: " + quantity + (price.map { ", 평균 " + $0 } ?? "")
            return [held + " – 바꾸려면 다시 " + key, held]
        case .english:
            let held = "held by now: " + quantity + (price.map { " at " + $0 } ?? "")
            return [held + " – \(key) again replaces it", held]
        }
    }

    /// The name of a user who gives none at the first start.
    static let suggestedName = LocalizedText(korean: "나", english: "Me")

    static func field(_ name: ScreenForm.FieldName) -> LocalizedText {
        switch name {
        case .asset: LocalizedText(korean: "자산", english: "Coin")
        case .quantity: LocalizedText(korean: "수량", english: "Quantity")
        case .averagePrice: LocalizedText(korean: "매수평균가", english: "Average price")
        case .cash: LocalizedText(korean: "현금(원)", english: "Cash (KRW)")
        case .displayName: LocalizedText(korean: "이름", english: "Name")
        }
    }

    /// What stands weakly in an empty field.
    static func hint(
        _ name: ScreenForm.FieldName,
        _ purpose: ScreenForm.Purpose,
        _ suggestedName: String?,
        _ language: Language
    ) -> String {
        let isKorean = language == .korean
        return switch (name, purpose) {
        case (.asset, _): "BTC"
        case (.averagePrice, _): isKorean ? "모르면 빈칸" : "empty if unknown"
        case (.displayName, _): suggestedName ?? ""
        case (.cash, .firstStart): isKorean ? "나중에" : "later"
        case (.quantity, _), (.cash, _): ""
        }
    }

    /// Which field is not taken, and why; longest first.
    static func refusals(_ refusal: ScreenForm.FieldRefusal, _ language: Language) -> [String] {
        let lead = field(refusal.field)[language] + ": "
        guard case .unknownAsset(let nearest) = refusal.refusal.reason else {
            return [lead + reason(refusal.refusal.reason, language)]
        }
        return (0...nearest.count).reversed().map { count in
            lead + reason(.unknownAsset(nearest: Array(nearest.prefix(count))), language)
        }
    }

    private static func reason(_ reason: InputError.Reason, _ language: Language) -> String {
        let isKorean = language == .korean
        switch reason {
        case .empty: return isKorean ? "비어 있습니다" : "is empty"
        case .notANumber: return isKorean ? "숫자가 아닙니다" : "is not a number"
        case .tooLarge(let max):
            let text = NumberText.grouped(max, fractionDigitsMin: 0)
            return isKorean ? "\(text)까지만 됩니다" : "may be up to \(text)"
        case .tooManyDigits(let count):
            return isKorean
                ? "소수점 아래는 \(count)자리까지입니다" : "has more than \(count) digits behind the point"
        case .zero: return isKorean ? "0보다 커야 합니다" : "has to be above zero"
        case .negative: return isKorean ? "0 이상이어야 합니다" : "has to be zero or more"
        case .tooLong(let count):
            return isKorean ? "\(count)자까지입니다" : "may have up to \(count) characters"
        case .unreadable:
            return isKorean ? "쓸 수 없는 글자가 있습니다" : "holds characters that cannot be shown"
        case .spacesAround:
            return isKorean ? "앞뒤에 빈칸이 있습니다" : "begins or ends with a space"
        case .unknownAsset(let nearest):
            let meant = nearest.joined(separator: ", ")
            if meant.isEmpty { return isKorean ? "거래소에 없습니다" : "not on the exchange" }
            return (isKorean ? "그런 기호가 없습니다" : "no such code") + " – \(meant)?"
        case .noAsset: return isKorean ? "자산 기호가 아닙니다 (예: BTC)" : "is no code of a coin, like BTC"
        }
    }
}
