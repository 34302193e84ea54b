extension AlertRule {
    /// Parses the text form of a rule.
    ///
    /// Words may be in any case, a coin stands for its won market, and numbers may have thousands
    /// commas. The rule is not validated as a whole: see ``validate(at:)``.
    ///
    /// - Parameters:
    ///   - text: `BTC > 150000000`, `favorites 24H > 5% again 1h`, `all listed`, ….
    ///   - feed: the kind of the feed on which the rule is made.
    ///   - markets: the markets of the exchange; others are refused unless it is empty.
    /// - Returns: the rule.
    /// - Throws: the first word that is at fault, its place and what is possible there.
    public static func parse(
        _ text: String,
        feed: FeedKind,
        markets: Set<MarketID> = []
    ) throws(AlertRuleError) -> AlertRule {
        var parser = AlertRuleParser(text, markets: markets)
        return try parser.rule(feed: feed)
    }
}

/// Reads the words of a rule from left to right.
struct AlertRuleParser {
    private struct Word {
        var text: Substring
        var column: Int

        var place: AlertRuleError.Place {
            AlertRuleError.Place(word: Self.quoted(text), column: column)
        }

        /// The beginning of a word without characters that control a terminal.
        static func quoted(_ text: Substring) -> String {
            var quoted = String.UnicodeScalarView()
            for scalar in text.unicodeScalars.prefix(wordMax) {
                let isVisible = scalar.properties.generalCategory != .control
                quoted.append(isVisible ? scalar : "\u{FFFD}")
            }
            return String(quoted)
        }

        private static let wordMax = 40
    }

    private static let operators = [">", "<", "<>"]
    private static let options = ["again", "until", "note"]

    private var rest: Substring
    private var column = 1
    private let markets: Set<MarketID>

    init(_ text: String, markets: Set<MarketID>) {
        rest = text[...]
        self.markets = markets
    }

    mutating func rule(feed: FeedKind) throws(AlertRuleError) -> AlertRule {
        let scope = try scope()
        skipSpaces()
        let start = self
        let (signal, test) = try condition(scope)
        var rule = AlertRule(scope: scope, signal: signal, test: test, feed: feed)
        do throws(AlertRuleError) {
            try rule.checkScope()
        } catch {
            var parser = start
            throw AlertRuleError(error.reason, at: parser.next()?.place)
        }
        var possible = Self.options
        while let word = next() {
            let name = word.text.lowercased()
            guard let place = possible.firstIndex(of: name) else {
                throw unexpected(word, possible)
            }
            // Options have one order, so that each occurs once.
            possible.removeFirst(place + 1)
            switch name {
            case "again": rule.repetition = try repetition()
            case "until": rule.expiresAt = try time()
            default: rule.note = try note()
            }
        }
        return rule
    }

    // MARK: Parts of a rule

    private mutating func scope() throws(AlertRuleError) -> AlertScope {
        let choices = ["a market such as BTC", "favorites", "all", "portfolio"]
        let word = try need(choices)
        switch word.text.lowercased() {
        case "favorites": return .favorites
        case "all": return .all
        case "portfolio": return .portfolio
        default: break
        }
        let text = String(word.text)
        let market =
            MarketID(typed: text)
            ?? Asset(anySpelling: text).flatMap { MarketID(symbol: $0.symbol, quote: .krw) }
        guard let market else { throw unexpected(word, choices) }
        guard markets.isEmpty || markets.contains(market) else {
            let names = Set(markets.map(\.symbol)).sorted() + ["favorites", "portfolio"]
            let nearest = SpellingSuggestions.of(market.symbol, among: names)
            throw AlertRuleError(.unknownMarket(nearest: nearest), at: word.place)
        }
        return .market(market)
    }

    private mutating func condition(
        _ scope: AlertScope
    ) throws(AlertRuleError) -> (AlertSignal, AlertTest) {
        let words = Self.signalWords(of: scope)
        let word = try need(words)
        let plain: AlertSignal = scope == .portfolio ? .value : .price
        if Self.operators.contains(String(word.text)) || Self.isBand(word.text) {
            return (plain, try test(of: plain, word))
        }
        if let period = ChangePeriod(rawValue: word.text.uppercased()) {
            return (.change(period), try test(of: .change(period)))
        }
        switch word.text.lowercased() {
        case "turnover":
            let signal = AlertSignal.turnover(minutes: try minutes())
            return (signal, try test(of: signal))
        case "spread": return (.spread, try test(of: .spread))
        case "strength": return (.strength, try test(of: .strength))
        case "return": return (.profitRate, try test(of: .profitRate))
        case "deposit": return (.deposit, try state("opens", "closes"))
        case "withdrawal": return (.withdrawal, try state("opens", "closes"))
        case "caution": return (.caution, try state("set", "lifted"))
        case "alert": return (.exchangeAlert, try state("set", "lifted"))
        case "listed": return (.listed, .becomes(true))
        case "delisted": return (.listed, .becomes(false))
        case "resumed": return (.trading, .becomes(true))
        case "suspended": return (.trading, .becomes(false))
        default: throw unexpected(word, words)
        }
    }

    private static func signalWords(of scope: AlertScope) -> [String] {
        let signals =
            ChangePeriod.allCases.map(\.rawValue) + ["turnover", "spread", "strength"]
            + ["deposit", "withdrawal", "caution", "alert", "listed", "delisted", "suspended"]
            + ["resumed"]
        return switch scope {
        case .market: operators + ["LOW..HIGH"] + signals + ["return"]
        case .portfolio: operators + ["LOW..HIGH", "return"]
        case .favorites: signals
        case .all: signals.filter { $0 != "spread" }
        }
    }

    private mutating func state(
        _ begins: String,
        _ ends: String
    ) throws(AlertRuleError) -> AlertTest {
        let word = try need([begins, ends])
        switch word.text.lowercased() {
        case begins: return .becomes(true)
        case ends: return .becomes(false)
        default: throw unexpected(word, [begins, ends])
        }
    }

    private mutating func test(of signal: AlertSignal) throws(AlertRuleError) -> AlertTest {
        try test(of: signal, need(Self.operators + ["LOW..HIGH"]))
    }

    private mutating func test(
        of signal: AlertSignal,
        _ word: Word
    ) throws(AlertRuleError) -> AlertTest {
        switch word.text {
        case ">": return .above(try level(of: signal))
        case "<": return .below(try level(of: signal))
        case "<>": return .crosses(try level(of: signal))
        default: break
        }
        let parts = word.text.split(separator: "..", omittingEmptySubsequences: false)
        guard parts.count == 2 else { throw unexpected(word, Self.operators + ["LOW..HIGH"]) }
        let start = word.column + parts[0].count + 2
        let low = try number(Word(text: parts[0], column: word.column), signal)
        let high = try number(Word(text: parts[1], column: start), signal)
        guard low < high else { throw AlertRuleError(.emptyBand, at: word.place) }
        return .leaves(low: low, high: high)
    }

    private mutating func repetition() throws(AlertRuleError) -> AlertRepetition {
        let word = try need(["a pause such as 10m"])
        guard let pause = AlertDuration.parse(word.text) else {
            throw AlertRuleError(.notADuration, at: word.place)
        }
        var ahead = self
        guard ahead.next()?.text.lowercased() == "ticks" else {
            return .again(pause: pause, ticks: 0)
        }
        self = ahead
        let count = try need(["a number of ticks"])
        guard let ticks = AlertDuration.digits(count.text).flatMap(Int.init(exactly:)) else {
            throw AlertRuleError(.number(InputError(.notANumber)), at: count.place)
        }
        return .again(pause: pause, ticks: ticks)
    }

    private mutating func minutes() throws(AlertRuleError) -> Int {
        let word = try need(["minutes such as 5m"])
        guard word.text.lowercased().hasSuffix("m"),
            let minutes = AlertDuration.digits(word.text.dropLast()).flatMap(Int.init(exactly:))
        else { throw AlertRuleError(.notADuration, at: word.place) }
        guard AlertSignal.turnoverMinutes.contains(minutes) else {
            throw AlertRuleError(.minutesOutOfRange, at: word.place)
        }
        return minutes
    }

    private mutating func time() throws(AlertRuleError) -> Timestamp {
        let word = try need(["a day or time in Seoul such as 2026-12-31T09:00"])
        guard let time = AlertTime.parse(word.text) else {
            throw AlertRuleError(.notATime, at: word.place)
        }
        return time
    }

    /// The rest of the text.
    private mutating func note() throws(AlertRuleError) -> String {
        skipSpaces()
        let word = Word(text: rest, column: column)
        rest = ""
        do throws(InputError) {
            guard let note = try UserInput.note(String(word.text)) else {
                throw InputError(.empty)
            }
            return note
        } catch {
            let first = word.text.prefix { $0 != " " }
            throw AlertRuleError(.note(error), at: Word(text: first, column: word.column).place)
        }
    }

    // MARK: Numbers

    private mutating func level(of signal: AlertSignal) throws(AlertRuleError) -> FixedDecimal {
        try number(need(["a number"]), signal)
    }

    private func number(
        _ word: Word,
        _ signal: AlertSignal
    ) throws(AlertRuleError) -> FixedDecimal {
        var digits = word.text
        let unit = signal.unit
        if !unit.isEmpty, digits.lowercased().hasSuffix(unit) { digits.removeLast(unit.count) }
        if let last = digits.last, !last.isNumber, last != ".", last != ",",
            digits.contains(where: \.isNumber)
        {
            throw AlertRuleError(.unit(unit), at: word.place)
        }
        let isNegative = signal.mayBeNegative && digits.first == "-"
        do throws(InputError) {
            let value = try UserInput.cash(String(isNegative ? digits.dropFirst() : digits))
            if signal == .price, value.isZero { throw InputError(.zero) }
            return isNegative ? FixedDecimal(units: 0 - value.units) : value
        } catch {
            throw AlertRuleError(.number(error), at: word.place)
        }
    }

    private static func isBand(_ text: Substring) -> Bool {
        text.contains("..") && text.contains(where: \.isNumber)
    }

    // MARK: Words

    private func unexpected(_ word: Word, _ choices: [String]) -> AlertRuleError {
        let nearest = SpellingSuggestions.of(
            String(word.text),
            among: choices.filter { !$0.contains(" ") && $0 != "LOW..HIGH" }
        )
        return AlertRuleError(.unexpected(choices, nearest: nearest), at: word.place)
    }

    private mutating func need(_ choices: [String]) throws(AlertRuleError) -> Word {
        if let word = next() { return word }
        let end = AlertRuleError.Place(word: "", column: column)
        throw AlertRuleError(.missing(choices), at: end)
    }

    /// The next word; operators need no spaces around them.
    private mutating func next() -> Word? {
        skipSpaces()
        guard let first = rest.first else { return nil }
        let isOperator = Self.isOperator(first)
        let text = rest.prefix { $0 != " " && Self.isOperator($0) == isOperator }
        let word = Word(text: text, column: column)
        rest = rest.dropFirst(text.count)
        column += text.count
        return word
    }

    private mutating func skipSpaces() {
        while rest.first == " " {
            rest.removeFirst()
            column += 1
        }
    }

    private static func isOperator(_ character: Character) -> Bool {
        character == ">" || character == "<"
    }
}
