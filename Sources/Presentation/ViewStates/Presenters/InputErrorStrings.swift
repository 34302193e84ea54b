public import Domain

/// Why input is refused, as forms show it beside the field.
public enum InputErrorStrings: Sendable {
    /// The fault and the remedy in few words; never contains the input.
    public static func text(of error: InputError) -> LocalizedText {
        switch error.reason {
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
