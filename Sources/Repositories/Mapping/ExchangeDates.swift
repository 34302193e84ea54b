/// The times that an exchange can mean.
enum ExchangeDates {
    /// 2000 to 2100, in Unix milliseconds.
    ///
    /// Anything else is rubbish, and would go before every later price.
    static let milliseconds: Range<Int64> = 946_684_800_000..<4_102_444_800_000
}
