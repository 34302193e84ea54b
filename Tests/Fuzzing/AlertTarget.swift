import Domain
import ViewStates

extension FuzzTarget {
    /// Alert rules as text, and states of rules as lines: what is parsed reads back from its own
    /// text, and a refusal names a place within the text.
    func judgeAlerts(_ input: FuzzInput) throws(FuzzFinding) {
        var input = input
        let kind = input.byte() % 3
        if kind == 2 { return try judgeBuiltRule(&input) }
        guard let text = input.text else { return }
        if kind == 1 { try judgeStates(text) } else { try judgeRule(text) }
    }

    /// A time of 2026 on the exchange.
    static let now = Timestamp(microseconds: 1_795_176_191_151_220)

    private static let markets = [
        MarketID(symbol: "BTC", quote: .krw), MarketID(symbol: "ETH", quote: .btc),
    ].compactMap(\.self)

    private func judgeRule(_ text: String) throws(FuzzFinding) {
        let known = Result { () throws(AlertRuleError) in
            try AlertRule.parse(text, feed: .live, markets: Set(Self.markets))
        }
        if case .failure(let error) = known { try check(error, text) }
        let rule: AlertRule
        switch parsed(text) {
        case .success(let parsed): rule = parsed
        case .failure(let error): return try check(error, text)
        }
        for language in Language.allCases {
            let words = AlertTextPresenter.rule(rule, language)
            try require(!words.isEmpty, "a rule has no words")
        }
        do throws(AlertRuleError) {
            try rule.validate(at: Self.now)
        } catch {
            return try check(error, text)
        }
        try requireEqual(parsed(rule.text), .success(rule), "the rule \(rule.text)")
    }

    /// A rule that no text made: what is valid has a text that reads back.
    private func judgeBuiltRule(_ input: inout FuzzInput) throws(FuzzFinding) {
        let market = MarketID(symbol: "BTC", quote: .krw).map { AlertScope.market($0) } ?? .all
        let scopes: [AlertScope] = [market, .favorites, .all, .portfolio]
        let signals: [AlertSignal] = [
            .price, .change(.hours24), .turnover(minutes: Int(input.byte())), .spread, .strength,
            .deposit, .withdrawal, .caution, .exchangeAlert, .listed, .trading, .value, .profitRate,
        ]
        let (low, high) = (number(&input), number(&input))
        let tests: [AlertTest] = [
            .above(low), .below(low), .crosses(low), .leaves(low: low, high: high),
            .becomes(true), .becomes(false),
        ]
        var rule = AlertRule(
            scope: scopes[Int(input.byte()) % scopes.count],
            signal: signals[Int(input.byte()) % signals.count],
            test: tests[Int(input.byte()) % tests.count]
        )
        let pause = Duration.milliseconds((Int(input.byte()) - 9) * 500 * Int(input.byte()))
        if input.byte() & 1 != 0 {
            rule.repetition = .again(pause: pause, ticks: Int(input.byte()))
        }
        if input.byte() & 1 != 0 {
            let days = Int64(input.byte()) << 16 | Int64(input.byte()) << 8 | Int64(input.byte())
            rule.expiresAt = Self.now.advanced(by: .seconds((days - 99) * 86_400))
        }
        if input.byte() & 1 != 0 { rule.note = input.text }
        do throws(AlertRuleError) {
            try rule.validate(at: Self.now)
        } catch {
            return try require(!error.detail.isEmpty, "a refusal has no words")
        }
        try requireEqual(parsed(rule.text), .success(rule), "the rule \(rule.text)")
        try judgeBooks(of: rule, &input)
    }

    /// The books that a process follows never exceed their bound by a further rule.
    private func judgeBooks(of rule: AlertRule, _ input: inout FuzzInput) throws(FuzzFinding) {
        let markets = (0..<input.byte() % 40).compactMap { MarketID(symbol: "A\($0)", quote: .krw) }
        let followed = Set(markets)
        let room = input.byte()
        let result = Result { () throws(AlertRuleError) in
            try AlertLimits.checkRoom(Int(room) * 4)
            return try AlertLimits.books(
                adding: rule,
                favorites: markets.suffix(2) + Self.markets,
                to: followed
            )
        }
        switch result {
        case .success(let books):
            try require(books.isSuperset(of: followed), "a book is given up")
            try require(books.count <= AlertLimits.booksMax || books == followed, "too many books")
        case .failure(let error): try require(!error.detail.isEmpty, "a refusal has no words")
        }
    }

    /// A number of any size, with up to 18 decimals.
    private func number(_ input: inout FuzzInput) -> FixedDecimal {
        let mantissa = (0..<3).reduce(Int128(0)) { sum, _ in sum << 8 | Int128(input.byte()) }
        let number = try? FixedDecimal(mantissa: mantissa - 99, scale: Int(input.byte() % 32) - 12)
        return number ?? FixedDecimal(units: .min)
    }

    private func parsed(_ text: String) -> Result<AlertRule, AlertRuleError> {
        Result { () throws(AlertRuleError) in try AlertRule.parse(text, feed: .live) }
    }

    private func check(_ error: AlertRuleError, _ text: String) throws(FuzzFinding) {
        try require(!error.detail.isEmpty, "a refusal has no words")
        guard let place = error.place else { return }
        try require((1...text.count + 1).contains(place.column), "column \(place.column)")
        try require(place.word.unicodeScalars.count <= 40, "a long word")
        try require(
            !place.word.unicodeScalars.contains { $0.properties.generalCategory == .control },
            "a word with controls"
        )
    }

    private func judgeStates(_ text: String) throws(FuzzFinding) {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        for line in lines {
            guard let state = AlertState(text: line) else { continue }
            try requireEqual(AlertState(text: state.text), state, "the state \(line)")
        }
        guard let state = AlertBookState(lines: lines) else { return }
        try requireEqual(AlertBookState(lines: state.lines), state, "states that were written")
    }
}
