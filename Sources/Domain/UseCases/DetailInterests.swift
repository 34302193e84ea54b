public import Domain

/// Who looks at which details of markets.
public typealias DetailInterests = Interests<DetailInterest>

/// A look at details of markets that is held until it is released.
public typealias DetailLease = InterestLease<DetailInterest>

extension DetailInterest: InterestKey {
    /// Whether it is of candles, of which the exchange tells thousands at once.
    public var isHeavy: Bool {
        switch facet {
        case .candles: true
        case .book, .trades: false
        }
    }
}
