public import Domain

/// 알림: rules and alerts as sentences.
///
/// Documents, the terminal and the command line share these texts.
public enum AlertTextPresenter: Sendable {
    /// A rule in words, without its note: `BTC 150,000,000원 이상으로 상승 · 반복(10분 간격)`.
    public static func rule(_ rule: AlertRule, _ language: Language) -> String {
        ([condition(of: rule, language)] + options(of: rule, language)).joined(separator: " · ")
    }

    /// The condition of a rule: `BTC rises to 150,000,000 KRW or above`.
    public static func condition(of rule: AlertRule, _ language: Language) -> String {
        let subject = AlertSubjectText(rule.scope, rule.signal)
        let quote = rule.scope.quote
        return switch rule.test {
        case .becomes(let begins):
            AlertStateText.rule(rule.signal, begins, subject, language)
        case .above(let level):
            AlertLevelText(rule.signal, quote, language).rises(to: level, subject, .present)
        case .below(let level):
            AlertLevelText(rule.signal, quote, language).falls(to: level, subject, .present)
        case .crosses(let level):
            AlertLevelText(rule.signal, quote, language).reaches(level, subject)
        case .leaves(let low, let high):
            AlertLevelText(rule.signal, quote, language).leaves(low, high, subject)
        }
    }

    /// What happened: `BTC 150,000,000원 이상으로 상승`, `BTC rose to 150,000,000 KRW or above`.
    ///
    /// - Parameters:
    ///   - alert: the firing.
    ///   - rule: the rule as it was when it fired.
    ///   - language: the language of the text.
    /// - Returns: the sentence, without the value that fired.
    public static func alert(_ alert: Alert, of rule: AlertRule, _ language: Language) -> String {
        let subject = AlertSubjectText(alert.subject, rule.signal)
        let text = AlertLevelText(rule.signal, alert.subject.market?.quote ?? .krw, language)
        let isUp = alert.direction == .up
        return switch rule.test {
        case .becomes(let begins): AlertStateText.alert(rule.signal, begins, subject, language)
        case .above(let level): text.rises(to: level, subject, .past)
        case .below(let level): text.falls(to: level, subject, .past)
        case .crosses(let level) where isUp: text.rises(to: level, subject, .past)
        case .crosses(let level): text.falls(to: level, subject, .past)
        case .leaves(let low, let high): text.left(low, high, isUp: isUp, subject)
        }
    }

    /// The value that fired: `150,120,000원`, `+3.02%`; nil for a state.
    public static func value(
        of alert: Alert,
        _ rule: AlertRule,
        _ language: Language
    ) -> String? {
        guard !rule.signal.isState else { return nil }
        let quote = alert.subject.market?.quote ?? .krw
        return AlertLevelText(rule.signal, quote, language).value(alert.value)
    }

    /// What happened, with the value that fired: `BTC 150,000,000원 이상으로 상승 (150,120,000원)`.
    public static func sentence(_ logged: LoggedAlert, _ language: Language) -> String {
        let text = alert(logged.alert, of: logged.rule, language)
        return value(of: logged.alert, logged.rule, language).map { "\(text) (\($0))" } ?? text
    }

    /// Why an alert is late.
    public static func lateness(_ lateness: Alert.Lateness) -> LocalizedText {
        switch lateness {
        case .away: LocalizedText(ko: "hoga가 꺼져 있던 동안 발생", en: "while hoga was not running")
        case .interrupted:
            LocalizedText(ko: "시세 연결이 끊긴 동안 발생", en: "while the feed was interrupted")
        case .repaired:
            LocalizedText(ko: "누락된 체결에서 뒤늦게 확인", en: "found in backfilled trades")
        }
    }

    /// Whether a rule may still fire.
    public static func state(_ state: UserAlertRule.State) -> LocalizedText {
        switch state {
        case .active: LocalizedText(ko: "감시 중", en: "active")
        case .fired: LocalizedText(ko: "알림 완료", en: "fired")
        case .expired: LocalizedText(ko: "기간 만료", en: "expired")
        }
    }

    // MARK: Options

    private static func options(of rule: AlertRule, _ language: Language) -> [String] {
        var options: [LocalizedText] = []
        if case .again(let pause, let ticks) = rule.repetition {
            options.append(repetition(pause: pause))
            if ticks > 0 {
                let unit = ticks == 1 ? "tick" : "ticks"
                options.append(
                    LocalizedText(
                        ko: "\(ticks)틱 넘게 되돌린 뒤",
                        en: "once more than \(ticks) \(unit) back"
                    )
                )
            }
        }
        if let end = rule.expiresAt {
            let time = TimeText.date(end) + " " + TimeText.clock(end).prefix("00:00".count)
            options.append(LocalizedText(ko: "\(time)까지", en: "until \(time)"))
        }
        return options.map { $0[language] }
    }

    private static func repetition(pause: Duration) -> LocalizedText {
        let seconds = pause.components.seconds
        guard seconds > 0 else { return LocalizedText(ko: "반복", en: "repeats") }
        let units: [(seconds: Int64, ko: String, en: String)] = [
            (86_400, "일", "d"), (3_600, "시간", "h"), (60, "분", "m"), (1, "초", "s"),
        ]
        // The last unit divides every number.
        let unit = units.first { seconds.isMultiple(of: $0.seconds) } ?? (1, "초", "s")
        let count = seconds / unit.seconds
        return LocalizedText(
            ko: "반복(\(count)\(unit.ko) 간격)",
            en: "again after \(count)\(unit.en)"
        )
    }
}

extension AlertScope {
    /// The currency of prices: won unless one market has another.
    fileprivate var quote: Quote {
        if case .market(let market) = self { market.quote } else { .krw }
    }
}

// MARK: Subjects

/// The subject of a sentence, alone or before a noun: `BTC`, `Any market's`.
struct AlertSubjectText {
    let alone: LocalizedText
    let beforeNoun: LocalizedText

    init(_ scope: AlertScope, _ signal: AlertSignal) {
        switch scope {
        case .market(let market): self.init(market, signal)
        case .favorites:
            self.init(
                LocalizedText(ko: "관심 마켓", en: "Any favorite"),
                beforeNoun: LocalizedText(ko: "관심 마켓", en: "Any favorite's")
            )
        case .all:
            self.init(
                LocalizedText(ko: "전체 마켓", en: "Any market"),
                beforeNoun: LocalizedText(ko: "전체 마켓", en: "Any market's")
            )
        case .portfolio: self.init(LocalizedText(ko: "보유자산", en: "Portfolio"))
        }
    }

    init(_ subject: AlertSubject, _ signal: AlertSignal) {
        if let market = subject.market {
            self.init(market, signal)
        } else {
            self.init(LocalizedText(ko: "보유자산", en: "Portfolio"))
        }
    }

    private init(_ market: MarketID, _ signal: AlertSignal) {
        let name =
            switch (signal, market.quote) {
            // Deposits, withdrawals and holdings are those of the coin.
            case (.deposit, _), (.withdrawal, _), (.profitRate, _), (_, .krw): market.symbol
            case (_, .btc): market.symbol + "/" + market.quote.rawValue
            }
        self.init(LocalizedText(ko: name, en: name))
    }

    private init(_ alone: LocalizedText, beforeNoun: LocalizedText? = nil) {
        self.alone = alone
        self.beforeNoun = beforeNoun ?? alone
    }

    /// The subject and a noun; without a noun the subject alone.
    func text(_ noun: LocalizedText?, _ language: Language) -> String {
        guard let noun else { return alone[language] }
        return beforeNoun[language] + " " + noun[language]
    }
}

// MARK: Levels

/// Sentences about a signal that has levels.
private struct AlertLevelText {
    enum Tense { case present, past }

    let signal: AlertSignal
    let quote: Quote
    let language: Language

    init(_ signal: AlertSignal, _ quote: Quote, _ language: Language) {
        self.signal = signal
        self.quote = quote
        self.language = language
    }

    func rises(to level: FixedDecimal, _ subject: AlertSubjectText, _ tense: Tense) -> String {
        let (subject, level) = (subject.text(noun, language), text(level))
        let rises = signal == .spread ? ("widens", "widened") : ("rises", "rose")
        let verb = tense == .past ? rises.1 : rises.0
        return LocalizedText(
            ko: "\(subject) \(level) 이상으로 \(directions.up)",
            en: "\(subject) \(verb) to \(level) or above"
        )[language]
    }

    func falls(to level: FixedDecimal, _ subject: AlertSubjectText, _ tense: Tense) -> String {
        let (subject, level) = (subject.text(noun, language), text(level))
        let falls = signal == .spread ? ("narrows", "narrowed") : ("falls", "fell")
        let verb = tense == .past ? falls.1 : falls.0
        return LocalizedText(
            ko: "\(subject) \(level) 이하로 \(directions.down)",
            en: "\(subject) \(verb) to \(level) or below"
        )[language]
    }

    func reaches(_ level: FixedDecimal, _ subject: AlertSubjectText) -> String {
        let (subject, level) = (subject.text(noun, language), text(level))
        return LocalizedText(
            ko: "\(subject) \(level) 도달",
            en: "\(subject) reaches \(level) from above or below"
        )[language]
    }

    func leaves(_ low: FixedDecimal, _ high: FixedDecimal, _ subject: AlertSubjectText) -> String {
        let (subject, band) = (subject.text(noun, language), band(low, high))
        return LocalizedText(ko: "\(subject) \(band) 이탈", en: "\(subject) leaves \(band)")[language]
    }

    func left(
        _ low: FixedDecimal,
        _ high: FixedDecimal,
        isUp: Bool,
        _ subject: AlertSubjectText
    ) -> String {
        let (subject, band) = (subject.text(noun, language), band(low, high))
        let way = isUp ? LocalizedText(ko: "상향", en: "rose") : LocalizedText(ko: "하향", en: "fell")
        return LocalizedText(
            ko: "\(subject) \(band) \(way.ko) 이탈",
            en: "\(subject) \(way.en) out of \(band)"
        )[language]
    }

    /// A value with the decimals of its signal.
    func value(_ value: FixedDecimal) -> String {
        func rounded() -> FixedDecimal {
            (try? value.rounded(toFractionDigits: 2, .halfAwayFromZero)) ?? value
        }
        switch signal {
        case .price: return NumberText.price(value, quote: quote) + unit
        case .change, .profitRate: return NumberText.rate(value)
        case .turnover, .strength:
            return NumberText.grouped(rounded(), fractionDigitsMin: 2) + unit
        case .spread: return NumberText.basisPoints(value)
        case .value: return NumberText.won(value) + unit
        case .deposit, .withdrawal, .caution, .exchangeAlert, .listed, .trading:
            return value.canonicalText
        }
    }

    private func band(_ low: FixedDecimal, _ high: FixedDecimal) -> String {
        let (low, high) = (digits(low), digits(high))
        let text = LocalizedText(ko: "\(low)~\(high)", en: "\(low) to \(high)")[language]
        return text + levelUnit
    }

    private func text(_ level: FixedDecimal) -> String { digits(level) + levelUnit }

    /// All digits of a level, with a sign where the signal has one.
    private func digits(_ level: FixedDecimal) -> String {
        switch signal {
        case .price: return NumberText.price(level, quote: quote)
        case .change, .profitRate:
            return (level.sign > 0 ? "+" : "") + NumberText.grouped(level, fractionDigitsMin: 0)
        case .turnover, .spread, .strength, .value, .deposit, .withdrawal, .caution,
            .exchangeAlert, .listed, .trading:
            return NumberText.grouped(level, fractionDigitsMin: 0)
        }
    }

    /// In Korean the name of the signal says what a turnover is a multiple of.
    private var levelUnit: String {
        guard case .turnover = signal else { return unit }
        return LocalizedText(ko: unit, en: unit + " its average")[language]
    }

    private var unit: String {
        switch signal {
        case .price where quote == .btc: " BTC"
        case .price, .value: LocalizedText(ko: "원", en: " KRW")[language]
        case .change, .strength, .profitRate: "%"
        case .turnover: LocalizedText(ko: "배", en: "x")[language]
        case .spread: "bp"
        case .deposit, .withdrawal, .caution, .exchangeAlert, .listed, .trading: ""
        }
    }

    /// The name of the signal; nil for a price, which needs none.
    private var noun: LocalizedText? {
        switch signal {
        case .change(let period):
            Self.change(over: period)
        case .turnover(let minutes):
            LocalizedText(ko: "\(minutes)분 거래대금 평균의", en: "\(minutes)m turnover")
        case .spread: LocalizedText(ko: "호가차", en: "spread")
        case .strength: LocalizedText(ko: "체결강도", en: "volume strength")
        case .value: LocalizedText(ko: "평가금액", en: "value")
        case .profitRate: LocalizedText(ko: "수익률", en: "return")
        case .price, .deposit, .withdrawal, .caution, .exchangeAlert, .listed, .trading: nil
        }
    }

    private static func change(over period: ChangePeriod) -> LocalizedText {
        switch period {
        case .hours24: LocalizedText(ko: "24시간 변동률", en: "24h change")
        case .midnight: LocalizedText(ko: "어제대비 변동률", en: "change today")
        case .hours12: LocalizedText(ko: "12시간 변동률", en: "12h change")
        case .hour1: LocalizedText(ko: "1시간 변동률", en: "1h change")
        case .minutes30: LocalizedText(ko: "30분 변동률", en: "30m change")
        }
    }

    /// The Korean words of both directions.
    private var directions: (up: String, down: String) {
        switch signal {
        case .turnover, .value: ("증가", "감소")
        case .spread: ("확대", "축소")
        case .price, .change, .strength, .profitRate, .deposit, .withdrawal, .caution,
            .exchangeAlert, .listed, .trading:
            ("상승", "하락")
        }
    }
}

// MARK: States
