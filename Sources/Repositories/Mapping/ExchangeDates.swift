/// The plausible times of an exchange.
enum ExchangeDates {
    /// 2000 to 2100, in Unix milliseconds.
    ///
    /// Any other time is an error, and would be newer than all later prices.
    static let milliseconds: Range<Int64> = 946_684_800_000..<4_102_444_800_000
}
