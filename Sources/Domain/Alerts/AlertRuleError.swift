/// Why a rule or its text is refused.
public struct AlertRuleError: Error, Sendable, Hashable {
    /// The reasons.
    public enum Reason: Sendable, Hashable {
        /// The text ends where one of these was expected.
        case missing([String])
        /// A word is none of these; with similar ones.
        case unexpected([String], nearest: [String])
        /// A market or coin that the exchange does not list; with similar ones.
        case unknownMarket(nearest: [String])
        /// A number is invalid.
        case number(InputError)
        /// A number has a unit other than that of its signal.
        case unit(String)
        /// Not a duration such as `10m`.
        case notADuration
        /// Not a time such as `2026-12-31T09:00`.
        case notATime
        /// The minutes of a turnover are out of range.
        case minutesOutOfRange
        /// The pause is out of range or not of whole seconds.
        case pauseOutOfRange
        /// The hysteresis is out of range.
        case ticksOutOfRange
        /// A state has no ticks.
        case ticksOfState
        /// The rule ends before it begins.
        case expired
        /// The note is invalid.
        case note(InputError)
        /// A price level without one market that it belongs to.
        case priceNeedsMarket
        /// Spreads of all markets would need all their books.
        case spreadOfAll
        /// A value is that of the portfolio alone.
        case valueNeedsPortfolio
        /// A return is that of the portfolio or of one holding.
        case returnNeedsHolding
        /// The portfolio has no such signal.
        case notOfPortfolio
        /// A state has no level.
        case levelOfState
        /// A value other than a state needs a level.
        case levelMissing
        /// The lower limit is not below the upper one.
        case emptyBand
        /// The user has the maximum number of rules.
        case tooManyRules
        /// The process would follow more books than the maximum.
        case tooManyBooks(followed: Int, more: Int)
    }

    /// The part of the text that is at fault.
    public struct Place: Sendable, Hashable {
        /// The word, empty at the end of the text.
        public var word: String
        /// Its first character, counted from 1.
        public var column: Int

        /// Makes a place.
        public init(word: String, column: Int) {
            self.word = word
            self.column = column
        }
    }

    /// The reason.
    public var reason: Reason
    /// The refused place in the text; nil if the rule as a whole is refused.
    public var place: Place?

    /// Makes an error.
    public init(_ reason: Reason, at place: Place? = nil) {
        self.reason = reason
        self.place = place
    }
}

extension AlertRuleError {
    /// The fault, its place and the remedy, in English.
    public var detail: String {
        guard let place else { return fault }
        if place.word.isEmpty { return "column \(place.column): \(fault)" }
        return "'\(place.word)' at column \(place.column): \(fault)"
    }

    /// The words that were possible at the place; empty if the fault is another one.
    public var choices: [String] {
        switch reason {
        case .missing(let choices), .unexpected(let choices, _): choices
        case .unknownMarket, .number, .unit, .notADuration, .notATime, .minutesOutOfRange,
            .pauseOutOfRange, .ticksOutOfRange, .ticksOfState, .expired, .note, .priceNeedsMarket,
            .spreadOfAll, .valueNeedsPortfolio, .returnNeedsHolding, .notOfPortfolio,
            .levelOfState, .levelMissing, .emptyBand, .tooManyRules, .tooManyBooks:
            []
        }
    }

    private var fault: String {
        switch reason {
        case .missing(let choices): "missing \(Self.list(choices))"
        case .unexpected(let choices, let nearest):
            "expected \(Self.list(choices))" + Self.suggestion(nearest)
        case .unknownMarket(let nearest): "unknown market" + Self.suggestion(nearest)
        case .number(let error), .note(let error): error.detail
        case .unit(let unit):
            unit.isEmpty
                ? "a price has no unit. Leave it out, e.g. 150000000"
                : "the unit is \(unit), e.g. 3\(unit)"
        case .notADuration: "not a duration such as 30s, 10m, 2h or 1d"
        case .notATime: "not a time in Seoul such as 2026-12-31 or 2026-12-31T09:00"
        case .minutesOutOfRange: "turnover takes 1m to 60m, e.g. turnover 5m"
        case .pauseOutOfRange: "a pause is 0s to 7d, e.g. again 10m"
        case .ticksOutOfRange: "ticks are 0 to 1000, e.g. ticks 2"
        case .ticksOfState: "ticks only work with a level. Leave them out"
        case .expired: "the rule has already ended. Choose a later time"
        case .priceNeedsMarket: "a price is that of one market. Write BTC > 150000000"
        case .spreadOfAll:
            "a spread needs the market's book. Choose a market or favorites, not all"
        case .valueNeedsPortfolio: "a value is that of the portfolio. Write portfolio > 10000000"
        case .returnNeedsHolding:
            "a return is that of the portfolio or of one coin. Write BTC return > 10%"
        case .notOfPortfolio:
            "the portfolio has a value and a return only. Write portfolio return > 10%"
        case .levelOfState: "a state takes no level, e.g. deposit opens"
        case .levelMissing: "missing level, e.g. > 3"
        case .emptyBand: "the lower limit comes first, e.g. 140000000..150000000"
        case .tooManyRules:
            "a user has at most \(AlertRule.rulesMax) alerts. Remove one first"
        case .tooManyBooks(let followed, let more):
            "spread alerts follow at most \(AlertLimits.booksMax) books: \(followed) are followed, "
                + "\(more) would be. Remove a spread alert first"
        }
    }

    private static func list(_ choices: [String]) -> String {
        guard let last = choices.last, choices.count > 1 else { return choices.first ?? "" }
        return choices.dropLast().joined(separator: ", ") + " or " + last
    }

    private static func suggestion(_ nearest: [String]) -> String {
        nearest.isEmpty ? "" : ". Did you mean \(nearest.joined(separator: ", "))?"
    }
}
