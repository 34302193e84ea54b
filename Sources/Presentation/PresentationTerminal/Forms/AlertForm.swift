import Domain

extension ScreenForm {
    /// The most characters of a rule: a note of maximum length, and every option before it.
    static let ruleLengthMax = 256

    /// The form for another rule, filled with a part of it.
    static func addingAlert(_ text: String) -> ScreenForm {
        ScreenForm(.addAlert, [Field(.rule, text)])
    }

    /// The form for a rule, filled with its text.
    static func editingAlert(_ rule: UserAlertRule) -> ScreenForm {
        ScreenForm(.editAlert(rule.number), [Field(.rule, rule.rule.text)])
    }

    /// The question before a rule is removed.
    static func removingAlert(_ rule: UserAlertRule) -> ScreenForm {
        ScreenForm(.removeAlert(rule.number, rule: rule.rule.text), [])
    }

    /// Whether the form accepts a rule, and so needs to know the markets.
    public var takesRule: Bool { fields.contains { $0.name == .rule } }
}

extension FormReducer {
    /// Reads the rule of a form, and shows the word that is at fault.
    static func submitRule(_ form: inout ScreenForm) -> Outcome {
        guard let context = form.ruleContext, let text = form.fields.first?.text else {
            return .open
        }
        do throws(AlertRuleError) {
            let rule = try AlertRule.parse(text, feed: context.feed, markets: context.markets)
            try rule.validate(at: context.now)
            let change: UserChange =
                if case .editAlert(let number) = form.purpose {
                    .replaceAlert(number, by: rule, at: context.now, expecting: nil)
                } else {
                    .addAlert(rule, at: context.now)
                }
            form.awaited = [change]
            return .submitted([change])
        } catch {
            form.ruleError = error
            return .open
        }
    }
}

/// The rule that a market's key begins with.
enum AlertSuggestion {
    /// `BTC_KRW > 150000000`: the level, and the side of the last price on which it lies.
    ///
    /// - Parameters:
    ///   - market: the market.
    ///   - level: the price under the cross-hair; nil for the last price.
    ///   - last: the last price; nil if unknown.
    /// - Returns: the text, which ends before the level if there is none.
    static func text(of market: MarketID, level: FixedDecimal?, last: FixedDecimal?) -> String {
        let price = level ?? last
        let isBelow = price.map { price in last.map { price < $0 } ?? false } ?? false
        return market.name + (isBelow ? " < " : " > ") + (price?.canonicalText ?? "")
    }
}

extension ScreenForm.FieldName {
    /// The most characters of its text.
    var lengthMax: Int {
        self == .rule ? ScreenForm.ruleLengthMax : TextFieldInput.lengthMax
    }
}
