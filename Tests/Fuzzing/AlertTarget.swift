import Domain
import ViewStates

extension FuzzTarget {
    /// Alert rules as text, and states of rules as lines: what is parsed reads back from its own
    /// text, and a refusal names a place within the text.
    func judgeAlerts(_ input: FuzzInput) throws(FuzzFinding) {
        var input = input
        let isState = input.byte() & 1 != 0
        guard let text = input.text else { return }
        if isState { try judgeStates(text) } else { try judgeRule(text) }
    }

    /// A time of 2026 on the exchange.
    private static let now = Timestamp(microseconds: 1_795_176_191_151_220)

    private func judgeRule(_ text: String) throws(FuzzFinding) {
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
