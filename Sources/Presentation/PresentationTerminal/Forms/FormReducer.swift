import Domain
import ViewStates

/// Moves a form from one state to the next.
enum FormReducer {
    /// The result of an action.
    enum Outcome: Equatable {
        /// The form stays open.
        case open
        /// The form closes. A submitted form is still saved in the background.
        case closed
        /// The form stays open until these changes are confirmed.
        case submitted([UserChange])
        /// The form closes; its answer concerns the screen alone.
        case answered(FormAnswer)
    }

    /// Applies an action.
    ///
    /// - Parameters:
    ///   - form: the form.
    ///   - action: the action.
    ///   - holdings: the user's holdings.
    /// - Returns: the result.
    static func reduce(
        _ form: inout ScreenForm,
        _ action: FormAction,
        holdings: [Holding]
    ) -> Outcome {
        if action == .cancel { return .closed }
        if case .know(let coins) = action {
            form.coins = coins
            return .open
        }
        if case .knowRules(let context) = action {
            form.ruleContext = context
            return .open
        }
        // A submitted form cannot be edited: it is either saved, or refused and open again. The
        // caller defers keys until then.
        guard !form.isSaving else { return .open }
        let before = form
        form.refusal = nil
        form.ruleError = nil
        form.failure = nil
        form.hasStoreRecovered = false
        switch action {
        case .cancel: return .closed
        case .know, .knowRules: return .open
        case .type(let text):
            guard form.fields.indices.contains(form.focus) else { return .open }
            let field = form.fields[form.focus]
            let lengthMax = field.name.lengthMax
            if let longer = TextFieldInput.appendedWhole(text, to: field.text, lengthMax) {
                form.fields[form.focus].text = longer
            } else {
                // Half a number is another number.
                form.refusal = ScreenForm.FieldRefusal(
                    field: field.name,
                    refusal: InputError(.tooLong(lengthMax))
                )
            }
        case .delete(let part):
            guard form.fields.indices.contains(form.focus),
                let rest = TextFieldInput.shortened(form.fields[form.focus].text, by: part)
            else { return .open }
            form.fields[form.focus].text = rest
        case .next, .previous:
            guard !form.fields.isEmpty else { return .open }
            let step = action == .next ? 1 : form.fields.count - 1
            switchToEditing(&form, holdings)
            if form.purpose == before.purpose {
                form.focus = (form.focus + step) % form.fields.count
            }
        case .submit: return form.takesRule ? submitRule(&form) : submit(&form, holdings)
        }
        return .open
    }

    private static func submit(
        _ form: inout ScreenForm,
        _ holdings: [Holding]
    ) -> Outcome {
        guard form.focus + 1 >= form.fields.count else {
            if let refusal = refusal(of: form.fields[form.focus], in: form) {
                form.refusal = refusal
                return .open
            }
            let purpose = form.purpose
            switchToEditing(&form, holdings)
            if form.purpose == purpose { form.focus += 1 }
            return .open
        }
        for (index, field) in form.fields.enumerated() {
            if let refusal = refusal(of: field, in: form) {
                form.refusal = refusal
                form.focus = index
                return .open
            }
        }
        if let answer = try? answer(of: form) { return .answered(answer) }
        guard let changes = try? changes(of: form) else { return .open }
        if showConflict(&form, changes, holdings) { return .open }
        form.elsewhere = nil
        form.awaited = changes
        return .submitted(changes)
    }

    /// A coin that is held already is corrected, not overwritten: its figures are filled in.
    private static func switchToEditing(_ form: inout ScreenForm, _ holdings: [Holding]) {
        guard form.purpose == .addHolding, form.fields[form.focus].name == .asset,
            let asset = try? form.asset(form.fields[form.focus].text),
            let holding = holdings.first(where: { $0.asset == asset })
        else { return }
        form = .editing(holding)
    }

    /// Shows a concurrent change from another session once, before overwriting it.
    private static func showConflict(
        _ form: inout ScreenForm,
        _ changes: [UserChange],
        _ holdings: [Holding]
    ) -> Bool {
        guard case .putHolding(let wanted)? = changes.first,
            let held = holdings.first(where: { $0.asset == wanted.asset }),
            held != form.seen, held != wanted
        else { return false }
        form.purpose = .editHolding(held.asset)
        form.fields.removeAll { $0.name == .asset }
        form.focus = form.fields.count - 1
        form.seen = held
        form.elsewhere = held
        return true
    }

    private static func refusal(
        of field: ScreenForm.Field,
        in form: ScreenForm
    ) -> ScreenForm.FieldRefusal? {
        do throws(InputError) {
            switch field.name {
            case .asset: _ = try form.asset(field.text)
            case .quantity: _ = try UserInput.quantity(field.text)
            case .averagePrice: _ = try UserInput.averagePrice(field.text)
            case .cash: _ = try UserInput.wholeCash(field.text)
            case .displayName: _ = try UserInput.displayName(field.text)
            case .average: _ = try MovingAverage(parsing: field.text)
            case .fileName: _ = try fileName(field.text)
            // Such forms are submitted by ``submitRule(_:)``.
            case .rule: break
            }
            return nil
        } catch {
            return ScreenForm.FieldRefusal(field: field.name, refusal: error)
        }
    }

    /// The answer of a form that changes no user data.
    private static func answer(of form: ScreenForm) throws(InputError) -> FormAnswer? {
        guard let text = form.fields.first?.text else { return nil }
        return switch form.purpose {
        case .average: .average(try MovingAverage(parsing: text))
        case .comparison: .comparison(try form.asset(text))
        case .chartFile: .chartFile(try fileName(text))
        case .addHolding, .editHolding, .removeHolding, .cash, .displayName, .addAlert,
            .editAlert, .removeAlert:
            nil
        }
    }

    private static func changes(of form: ScreenForm) throws(InputError) -> [UserChange] {
        func text(_ name: ScreenForm.FieldName) -> String {
            form.fields.first { $0.name == name }?.text ?? ""
        }
        func holding(_ asset: Asset) throws(InputError) -> [UserChange] {
            [
                .putHolding(
                    Holding(
                        asset: asset,
                        quantity: try UserInput.quantity(text(.quantity)),
                        averagePrice: try UserInput.averagePrice(text(.averagePrice))
                    )
                )
            ]
        }
        switch form.purpose {
        case .addHolding: return try holding(try form.asset(text(.asset)))
        case .editHolding(let asset): return try holding(asset)
        case .removeHolding(let asset): return [.removeHolding(asset)]
        case .removeAlert(let number, _): return [.removeAlert(number, expecting: nil)]
        case .average, .comparison, .chartFile, .addAlert, .editAlert: return []
        case .cash: return [.putCash(try UserInput.wholeCash(text(.cash)))]
        case .displayName: return [.putDisplayName(try UserInput.displayName(text(.displayName)))]
        }
    }

    private static func fileName(_ text: String) throws(InputError) -> String {
        guard text.contains(where: { $0 != " " }) else { throw InputError(.empty) }
        guard ChartFile.Format(of: text) != nil else { throw InputError(.noFileName) }
        return text
    }
}

/// What a form answers that changes no user data.
enum FormAnswer: Equatable {
    /// Another average of the chart.
    case average(MovingAverage)
    /// The coin of a second market.
    case comparison(Asset)
    /// The name of a file for the chart.
    case chartFile(String)
}

extension ScreenForm {
    /// Parses a coin symbol, or a coin name once the names are known.
    fileprivate func asset(_ text: String) throws(InputError) -> Asset {
        guard let coins else { return try UserInput.asset(text) }
        return try coins.asset(text)
    }
}

extension UserRecord {
    /// Whether the record already contains a change.
    func reflects(_ change: UserChange) -> Bool {
        switch change {
        case .putHolding(let holding): holdings.value.contains(holding)
        case .removeHolding(let asset): !holdings.value.contains { $0.asset == asset }
        case .putCash(let amount): cash.value == amount
        case .putDisplayName(let name): profile.value.displayName == name
        // The time of a creation may be that of a server.
        // A service gives a rule its own feed.
        case .addAlert(let rule, _): alerts.value.rules.contains { $0.rule.text == rule.text }
        case .replaceAlert(let number, let rule, _, _):
            alerts.value[number]?.rule.text == rule.text
        case .removeAlert(let number, _): alerts.value[number] == nil
        case .markAlertsSeen(let number): alerts.value.seenThrough >= number
        case .addFavorite, .removeFavorite, .moveFavorite, .replaceFavorites, .changeSettings: true
        }
    }
}
