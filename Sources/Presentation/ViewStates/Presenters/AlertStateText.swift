import Domain

/// Sentences about a signal that is on or off.
enum AlertStateText {
    private struct Words {
        var noun: LocalizedText?
        var ko: String
        var rule: String
        var alert: String
    }

    static func rule(
        _ signal: AlertSignal,
        _ begins: Bool,
        _ subject: AlertSubjectText,
        _ language: Language
    ) -> String {
        let words = words(signal, begins)
        return subject.text(words.noun, language)
            + " " + LocalizedText(ko: words.ko, en: words.rule)[language]
    }

    static func alert(
        _ signal: AlertSignal,
        _ begins: Bool,
        _ subject: AlertSubjectText,
        _ language: Language
    ) -> String {
        let words = words(signal, begins)
        return subject.text(words.noun, language)
            + " " + LocalizedText(ko: words.ko, en: words.alert)[language]
    }

    private static func words(_ signal: AlertSignal, _ begins: Bool) -> Words {
        func transfers(_ noun: LocalizedText) -> Words {
            begins
                ? Words(noun: noun, ko: "재개", rule: "open", alert: "opened")
                : Words(noun: noun, ko: "중단", rule: "close", alert: "closed")
        }
        func mark(_ noun: LocalizedText) -> Words {
            begins
                ? Words(noun: noun, ko: "지정", rule: "is set", alert: "was set")
                : Words(noun: noun, ko: "해제", rule: "is lifted", alert: "was lifted")
        }
        switch signal {
        case .deposit: return transfers(LocalizedText(ko: "입금", en: "deposits"))
        case .withdrawal: return transfers(LocalizedText(ko: "출금", en: "withdrawals"))
        case .caution: return mark(LocalizedText(ko: "유의", en: "investment warning"))
        case .exchangeAlert: return mark(LocalizedText(ko: "경보", en: "exchange alert"))
        case .listed:
            return begins
                ? Words(ko: "상장", rule: "is listed", alert: "was listed")
                : Words(ko: "거래지원 종료", rule: "is delisted", alert: "was delisted")
        case .trading, .price, .change, .turnover, .spread, .strength, .value, .profitRate:
            // Only states become something.
            let noun = LocalizedText(ko: "거래", en: "trading")
            return begins
                ? Words(noun: noun, ko: "재개", rule: "resumes", alert: "resumed")
                : Words(noun: noun, ko: "중단", rule: "is suspended", alert: "was suspended")
        }
    }
}
