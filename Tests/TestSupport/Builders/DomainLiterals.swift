public import Domain

// Tests write `"0.5"` and `"BTC_KRW"` for the values; an invalid text traps.

extension FixedDecimal: ExpressibleByStringLiteral {
    /// The decimal of a text.
    public init(stringLiteral text: String) {
        do throws(FixedDecimalError) {
            try self.init(parsing: text)
        } catch {
            preconditionFailure("“\(text)” is no number: \(error)")
        }
    }
}

extension MarketID: ExpressibleByStringLiteral {
    /// The market with a name.
    public init(stringLiteral name: String) {
        guard let market = MarketID(name: name) else {
            preconditionFailure("“\(name)” is no market name")
        }
        self = market
    }
}

extension Timestamp {
    /// A time after noon in Seoul on 2026-11-20, a weekday.
    public static func noon(plus duration: Duration = .zero) -> Timestamp {
        SeoulTime.timestamp(year: 2026, month: 11, day: 20, hour: 12).advanced(by: duration)
    }

    /// Seconds after noon in Seoul on 2026-11-20.
    public static func noon(_ seconds: Int) -> Timestamp { noon(plus: .seconds(seconds)) }
}
