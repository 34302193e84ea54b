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
        case .addAlert: LocalizedText(ko: "알림 추가", en: "Add an alert")
        case .editAlert: LocalizedText(ko: "알림 수정", en: "Edit the alert")
        case .removeAlert: LocalizedText(ko: "알림 삭제", en: "Remove an alert")
        case .comparison:
            LocalizedText(ko: "비교할 마켓 (%)", en: "Compare with a market (%)")
        }
    }

    /// The confirmation question; nil for forms with fields.
    static func question(_ purpose: ScreenForm.Purpose, keys: KeyTable) -> LocalizedText? {
        let answers = keys.label(of: .questionYes) + "/" + keys.label(of: .questionNo)
        switch purpose {
        case .removeHolding(let asset):
            return LocalizedText(
                ko: "\(asset.symbol): 보유자산에서 삭제할까요? (\(answers))",
                en: "Remove \(asset.symbol) from the holdings? (\(answers))"
            )
        case .removeAlert(_, let rule):
            return LocalizedText(
                ko: "알림을 삭제할까요? (\(answers)) \(rule)",
                en: "Remove the alert? (\(answers)) \(rule)"
            )
        case .addHolding, .editHolding, .cash, .displayName, .average, .comparison, .chartFile,
            .addAlert, .editAlert:
            return nil
        }
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
        case .rule: AlertStrings.rule
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
        case .rule: LocalizedText(ko: "예: BTC > 150000000", en: "e.g. BTC > 150000000")
        case .quantity, .cash, .fileName: nil
        }
    }

    /// The rejected field and the reason, longest first.
    static func refusals(_ refusal: ScreenForm.FieldRefusal, _ language: Language) -> [String] {
        let lead = field(refusal.field)[language] + ": "
        guard case .unknownAsset(let nearest) = refusal.refusal.reason else {
            return [lead + InputErrorStrings.text(of: refusal.refusal)[language]]
        }
        return (0...nearest.count).reversed().map { count in
            let error = InputError(.unknownAsset(nearest: Array(nearest.prefix(count))))
            return lead + InputErrorStrings.text(of: error)[language]
        }
    }
}
