import Domain
import ViewStates

/// Texts of forms, and the reasons why input is rejected.
enum FormStrings {
    static func title(_ purpose: ScreenForm.Purpose) -> LocalizedText {
        switch purpose {
        case .addHolding: LocalizedText(ko: "보유자산 추가", en: "Add a coin")
        case .editHolding(let asset):
            LocalizedText(ko: "\(asset.symbol) 수정", en: "Edit \(asset.symbol)")
        case .removeHolding: LocalizedText(ko: "보유자산 삭제", en: "Remove a coin")
        case .cash: LocalizedText(ko: "현금", en: "Cash")
        case .displayName: LocalizedText(ko: "이름", en: "Name")
        case .average: LocalizedText(ko: "이동평균 추가", en: "Add an average")
        case .chartFile: LocalizedText(ko: "차트 저장", en: "Save the chart")
        case .comparison:
            LocalizedText(ko: "비교할 마켓 (%)", en: "Compare with a market (%)")
        }
    }

    /// The confirmation question; nil for forms with fields.
    static func question(_ purpose: ScreenForm.Purpose, keys: KeyTable) -> LocalizedText? {
        guard case .removeHolding(let asset) = purpose else { return nil }
        let answers = keys.label(of: .questionYes) + "/" + keys.label(of: .questionNo)
        return LocalizedText(
            ko: "\(asset.symbol): 보유자산에서 삭제할까요? (\(answers))",
            en: "Remove \(asset.symbol) from the holdings? (\(answers))"
        )
    }

    /// Another session saved the same coin; how to overwrite it.
    ///
    /// Longest first.
    static func conflict(_ holding: Holding, keys: KeyTable) -> [LocalizedText] {
        let key = keys.label(of: .formSubmit)
        let quantity = NumberText.quantity(holding.quantity)
        let price = holding.averagePrice.map { NumberText.price($0, quote: .krw) }
        let ko = "다른 곳에서: " + quantity + (price.map { ", 평균 " + $0 } ?? "")
        let en = "saved elsewhere: " + quantity + (price.map { " at " + $0 } ?? "")
        return [
            LocalizedText(
                ko: ko + " – 덮어쓰려면 다시 " + key,
                en: en + " – \(key) again overwrites it"
            ),
            LocalizedText(ko: ko, en: en),
        ]
    }

    static func field(_ name: ScreenForm.FieldName) -> LocalizedText {
        switch name {
        case .asset: LocalizedText(ko: "자산", en: "Coin")
        case .quantity: LocalizedText(ko: "수량", en: "Quantity")
        case .averagePrice: LocalizedText(ko: "매수평균가", en: "Average price")
        case .cash: LocalizedText(ko: "현금(원)", en: "Cash (KRW)")
        case .displayName: LocalizedText(ko: "이름", en: "Name")
        case .average: LocalizedText(ko: "종류·기간", en: "Kind and window")
        case .fileName: LocalizedText(ko: "파일 (.svg, .txt)", en: "File (.svg, .txt)")
        }
    }

    /// The placeholder of an empty field; nil if it has none.
    static func placeholder(
        _ name: ScreenForm.FieldName,
        _ purpose: ScreenForm.Purpose
    ) -> LocalizedText? {
        switch name {
        case .asset where purpose == .comparison: LocalizedText(ko: "예: ETH", en: "e.g. ETH")
        case .asset: LocalizedText(ko: "BTC", en: "BTC")
        case .average: LocalizedText(ko: "예: EMA 50", en: "e.g. EMA 50")
        case .averagePrice: LocalizedText(ko: "모르면 빈칸", en: "empty if unknown")
        case .displayName: LocalizedText(ko: "빈칸은 이름 없음", en: "empty for none")
        case .quantity, .cash, .fileName: nil
        }
    }

    /// The rejected field and the reason, longest first.
    static func refusals(_ refusal: ScreenForm.FieldRefusal, _ language: Language) -> [String] {
        let lead = field(refusal.field)[language] + ": "
        guard case .unknownAsset(let nearest) = refusal.refusal.reason else {
            return [lead + reason(refusal.refusal.reason)[language]]
        }
        return (0...nearest.count).reversed().map { count in
            lead + reason(.unknownAsset(nearest: Array(nearest.prefix(count))))[language]
        }
    }

    private static func reason(_ reason: InputError.Reason) -> LocalizedText {
        switch reason {
        case .empty: return LocalizedText(ko: "비어 있습니다", en: "enter a value")
        case .notANumber: return LocalizedText(ko: "숫자가 아닙니다", en: "not a number")
        case .tooLarge(let max):
            let text = NumberText.grouped(max, fractionDigitsMin: 0)
            return LocalizedText(ko: "\(text) 이하여야 합니다", en: "must be \(text) or less")
        case .tooManyDigits(let count):
            return LocalizedText(
                ko: "소수점 아래는 \(count)자리까지입니다",
                en: "at most \(count) decimals"
            )
        case .wonDecimals:
            return LocalizedText(ko: "원은 소수점 없이 입력합니다", en: "won have no decimals")
        case .zero: return LocalizedText(ko: "0보다 커야 합니다", en: "must be above zero")
        case .negative:
            return LocalizedText(ko: "0 이상이어야 합니다", en: "must be zero or more")
        case .tooLong(let count):
            return LocalizedText(
                ko: "\(count)자까지입니다",
                en: "at most \(count) characters"
            )
        case .unreadable:
            return LocalizedText(
                ko: "쓸 수 없는 글자가 있습니다",
                en: "contains characters that cannot be shown"
            )
        case .spacesAround:
            return LocalizedText(ko: "앞뒤에 빈칸이 있습니다", en: "no space at the start or end")
        case .unknownAsset(let nearest):
            let names = nearest.joined(separator: ", ")
            guard !names.isEmpty else {
                return LocalizedText(ko: "거래소에 없습니다", en: "not listed on the exchange")
            }
            return LocalizedText(
                ko: "없는 심볼입니다 – \(names)?",
                en: "unknown. Did you mean \(names)?"
            )
        case .noAverage(let windows):
            let (least, most) = (windows.lowerBound, windows.upperBound)
            return LocalizedText(
                ko: "예: EMA 50 (기간 \(least)~\(most))",
                en: "e.g. EMA 50 (window \(least) to \(most))"
            )
        case .noFileName:
            return LocalizedText(
                ko: ".svg 또는 .txt로 끝나는 파일 이름을 입력하세요",
                en: "enter a file name that ends with .svg or .txt"
            )
        case .noAsset:
            return LocalizedText(
                ko: "자산 심볼이 아닙니다 (예: BTC)",
                en: "not a coin symbol, e.g. BTC"
            )
        }
    }
}
