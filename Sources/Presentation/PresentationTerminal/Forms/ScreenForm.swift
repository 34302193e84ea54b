public import Domain
import ViewStates

/// A form with fields, or a yes/no question, at the bottom of a screen.
///
/// Input is kept until the store has saved it.
public struct ScreenForm: Sendable, Equatable {
    /// The purpose of a form.
    public enum Purpose: Sendable, Hashable {
        /// Another coin is held.
        case addHolding
        /// Edit a holding.
        case editHolding(Asset)
        /// A coin is held no longer: a question without fields.
        case removeHolding(Asset)
        /// Edit the cash amount.
        case cash
        /// Edit the name that screens show.
        case displayName
        /// Another average of the chart.
        case average
        /// The second market of the chart.
        case comparison
        /// The name of a file for the chart.
        case chartFile
        /// Another alert rule.
        case addAlert
        /// Edit the alert rule of a number.
        case editAlert(Int64)
        /// Remove the alert rule of a number: a question without fields.
        case removeAlert(Int64, rule: String)
    }

    /// The content of a field.
    public enum FieldName: Sendable, Hashable {
        /// The code of a coin.
        case asset
        /// How much of it.
        case quantity
        /// 매수평균가: the average price paid, in won; may be left empty.
        case averagePrice
        /// The cash in won.
        case cash
        /// The name that screens show; empty means none.
        case displayName
        /// Kind and window of an average.
        case average
        /// A file name that ends with `.svg` or `.txt`.
        case fileName
        /// The text form of an alert rule.
        case rule
    }

    /// One field.
    public struct Field: Sendable, Equatable {
        /// The field's content.
        public let name: FieldName
        /// The input text.
        public internal(set) var text: String

        init(_ name: FieldName, _ text: String = "") {
            self.name = name
            self.text = text
        }
    }

    /// A rejected field and the reason.
    public struct FieldRefusal: Sendable, Equatable {
        /// The field.
        public let field: FieldName
        /// Why.
        public let refusal: InputError
    }

    /// The purpose of the form.
    public internal(set) var purpose: Purpose
    /// The fields from the top.
    public internal(set) var fields: [Field]
    /// The index of the focused field.
    public internal(set) var focus = 0
    /// The rejected field and reason; cleared by the next key.
    public internal(set) var refusal: FieldRefusal?
    /// Why the rule was rejected, and which word is at fault; cleared by the next key.
    public internal(set) var ruleError: AlertRuleError?
    /// Why the store refused the form; cleared by the next key.
    public internal(set) var failure: StoreFailure?
    /// Whether the store recovered after refusing the form; cleared by the next key.
    public internal(set) var hasStoreRecovered = false
    /// The holding that another session saved while this form was open; nil without a conflict.
    public internal(set) var elsewhere: Holding?
    /// The known coins; nil until provided.
    var coins: KnownCoins?
    /// What rules refer to; nil until provided.
    var ruleContext: AlertRuleContext?
    /// The holding as the user saw it when the form opened.
    var seen: Holding?
    /// Submitted changes that the store has not confirmed.
    public internal(set) var awaited: [UserChange] = []

    init(_ purpose: Purpose, _ fields: [Field]) {
        self.purpose = purpose
        self.fields = fields
    }

    /// Whether the form was submitted and awaits the store's answer.
    public var isSaving: Bool { !awaited.isEmpty }

    /// Whether the form accepts a coin, and so needs the known coins.
    public var takesCoin: Bool { purpose == .addHolding || purpose == .comparison }

    /// Whether it is a question that is answered by yes or no.
    public var isQuestion: Bool { fields.isEmpty }
}

/// Actions on a form.
public enum FormAction: Sendable, Equatable {
    /// Appends typed or pasted text to the focused field.
    case type(String)
    /// Removes the end of its text.
    case delete(FieldPart)
    /// To the next or previous field; wraps around.
    case next, previous
    /// Enter: to the next field if this one is valid; submits from the last field.
    case submit
    /// Provides the known coins.
    case know(KnownCoins)
    /// Provides what rules refer to.
    case knowRules(AlertRuleContext)
    /// Closes the form. A submitted form is still saved or refused in the background.
    case cancel
}

extension ScreenForm {
    /// The form for another coin.
    static let adding = ScreenForm(
        .addHolding,
        [Field(.asset), Field(.quantity), Field(.averagePrice)]
    )

    /// The form for the file of a chart.
    static func chartFile(_ name: String) -> ScreenForm {
        ScreenForm(.chartFile, [Field(.fileName, name)])
    }

    /// The form for the second market of a chart.
    static let comparison = ScreenForm(.comparison, [Field(.asset)])

    /// The form for another average.
    static let average = ScreenForm(.average, [Field(.average)])

    /// The form for a held coin, filled with its saved values.
    static func editing(_ holding: Holding) -> ScreenForm {
        var form = ScreenForm(
            .editHolding(holding.asset),
            [
                Field(.quantity, holding.quantity.canonicalText),
                Field(.averagePrice, holding.averagePrice?.canonicalText ?? ""),
            ]
        )
        form.seen = holding
        return form
    }

    /// The form for the cash, filled with the saved amount.
    static func cash(_ amount: FixedDecimal?) -> ScreenForm {
        ScreenForm(.cash, [Field(.cash, amount?.canonicalText ?? "")])
    }

    /// The form for the display name, filled with the saved one.
    static func displayName(_ name: String?) -> ScreenForm {
        ScreenForm(.displayName, [Field(.displayName, name ?? "")])
    }
}
