public import Domain

/// Open interests in details of markets.
public typealias DetailInterests = Interests<DetailInterest>

/// An interest in details of markets, held until released.
public typealias DetailLease = InterestLease<DetailInterest>

extension DetailInterest: InterestKey {
    /// Whether the interest is in candles, of which the exchange returns thousands at once.
    public var isHeavy: Bool {
        switch facet {
        case .candles, .pastCandles, .newestCandles: true
        case .book, .deepBook, .trades: false
        }
    }
}
