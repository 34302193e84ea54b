public import Domain

// Tests say `"0.5"` and `"BTC_KRW"` where they mean those values; rubbish stops the run.

extension FixedDecimal: ExpressibleByStringLiteral {
    /// The number that the text spells.
    public init(stringLiteral text: String) {
        do throws(FixedDecimalError) {
            try self.init(parsing: text)
        } catch {
            preconditionFailure("“\(text)” is no number: \(error)")
        }
    }
}

extension MarketID: ExpressibleByStringLiteral {
    /// The market of that name.
    public init(stringLiteral name: String) {
        guard let market = MarketID(name: name) else {
            preconditionFailure("“\(name)” is no market name")
        }
        self = market
    }
}

extension Timestamp {
    /// A working day's noon in Seoul, 2026-11-20, and so long after it.
    public static func noon(plus duration: Duration = .zero) -> Timestamp {
        SeoulTime.timestamp(year: 2026, month: 11, day: 20, hour: 12).advanced(by: duration)
    }

    /// So many seconds after noon in Seoul on 2026-11-20.
    public static func noon(_ seconds: Int) -> Timestamp { noon(plus: .seconds(seconds)) }
}
