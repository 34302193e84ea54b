public import Domain
import ViewStates

/// Some fields that are filled in at the bottom of a screen, or a question that is answered there.
///
/// What was typed stays until the store has taken it.
public struct ScreenForm: Sendable, Equatable {
    /// What the form is for.
    public enum Purpose: Sendable, Hashable {
        /// Another coin is held.
        case addHolding
        /// What is held of a coin is to be corrected.
        case editHolding(Asset)
        /// A coin is held no longer: a question without fields.
        case removeHolding(Asset)
        /// How much cash there is.
        case cash
        /// Who this is and how much cash there is, asked at the first start.
        case firstStart
    }

    /// What a field holds.
    public enum FieldName: Sendable, Hashable {
        /// The code of a coin.
        case asset
        /// How much of it.
        case quantity
        /// 매수평균가: the average price paid, in won; may be left empty.
        case averagePrice
        /// The cash in won; may be left empty at the first start.
        case cash
        /// The name that screens show; empty means the name that is offered.
        case displayName
    }

    /// One field.
    public struct Field: Sendable, Equatable {
        /// What it holds.
        public let name: FieldName
        /// What was typed.
        public internal(set) var text: String

        init(_ name: FieldName, _ text: String = "") {
            self.name = name
            self.text = text
        }
    }

    /// A field that cannot be taken, and why.
    public struct FieldRefusal: Sendable, Equatable {
        /// The field.
        public let field: FieldName
        /// Why.
        public let refusal: InputError
    }

    /// What the form is for.
    public internal(set) var purpose: Purpose
    /// The fields from the top.
    public internal(set) var fields: [Field]
    /// The index of the field that has the keys.
    public internal(set) var focus = 0
    /// Which field is not taken, and why; nil after the next key.
    public internal(set) var refusal: FieldRefusal?
    /// Why the store has not taken it; nil after the next key.
    public internal(set) var failure: StoreFailure?
    /// Whether the store, which had not taken it, works again; false after the next key.
    public internal(set) var hasStoreRecovered = false
    /// What another terminal has kept of the coin while this one was filled in; nil where nothing.
    public internal(set) var elsewhere: Holding?
    /// The coins that can be added; nil until they are told.
    var coins: KnownCoins?
    /// What is held of the coin, as far as whoever fills it in has seen.
    var seen: Holding?
    /// The changes that were asked for and are not seen yet.
    public internal(set) var awaited: [UserChange] = []

    init(_ purpose: Purpose, _ fields: [Field]) {
        self.purpose = purpose
        self.fields = fields
    }

    /// Whether it was handed in and the store has not answered yet.
    public var isSaving: Bool { !awaited.isEmpty }

    /// Whether a coin is typed into it, so that the known ones have to be told.
    public var takesCoin: Bool { purpose == .addHolding }

    /// Whether it is a question that is answered by yes or no.
    public var isQuestion: Bool { fields.isEmpty }
}

/// What a user asks of a form.
public enum FormAction: Sendable, Equatable {
    /// Text typed or pasted into the field that has the keys.
    case type(String)
    /// Removes the end of its text.
    case delete(FieldPart)
    /// To the next field, or the one before; around the ends.
    case next, previous
    /// Enter: to the next field if this one can be taken; hands in the form from the last one.
    case submit
    /// Tells which coins can be added.
    case know(KnownCoins)
    /// Closes the form. Nothing changes, unless it was handed in before: that is kept, or refused,
    /// all the same.
    case cancel
}

extension ScreenForm {
    /// The form for another coin.
    static let adding = ScreenForm(
        .addHolding,
        [Field(.asset), Field(.quantity), Field(.averagePrice)]
    )

    /// The form for the first start.
    static let firstStart = ScreenForm(.firstStart, [Field(.displayName), Field(.cash)])

    /// The form for a coin that is held, with what is kept of it.
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

    /// The form for the cash, with what is kept of it.
    static func cash(_ amount: FixedDecimal?) -> ScreenForm {
        ScreenForm(.cash, [Field(.cash, amount?.canonicalText ?? "")])
    }
}
