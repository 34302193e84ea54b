/// Identifies a trade: exchange time in microseconds, and a sequence number within the microsecond.
///
/// Trades from REST have whole seconds in API 1.x and whole milliseconds in API 2.x. An identifier
/// never changes once assigned.
public struct TradeID: Sendable, Hashable, Comparable {
    /// Exchange time.
    public var at: Timestamp
    /// 32 bits, because hundreds of thousands are held.
    ///
    /// A tape has at most hundreds of trades in one microsecond.
    private var number: Int32

    /// Sequence number within the microsecond, from 0, in order of arrival.
    public var sequence: Int {
        get { Int(number) }
        set { number = Int32(clamping: newValue) }
    }

    /// Makes an identifier; the sequence number is clamped to 31 bits.
    public init(at: Timestamp, sequence: Int) {
        self.at = at
        number = Int32(clamping: sequence)
    }

    /// Parses `1795176191151220.0`; nil for any other text.
    public init?(text: String) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 2, let at = Int64(parts[0]), let number = Int32(parts[1]), number >= 0
        else { return nil }
        self.init(at: Timestamp(microseconds: at), sequence: Int(number))
    }

    /// `1795176191151220.0`.
    public var text: String { "\(at.microseconds).\(sequence)" }

    /// Orders by time, then by sequence number.
    ///
    /// Positions on a tape decide order, not identifiers: REST has whole seconds, so its trades may
    /// stand after others of that second.
    public static func < (left: TradeID, right: TradeID) -> Bool {
        (left.at, left.sequence) < (right.at, right.sequence)
    }
}

/// A trade on the tape.
public struct TapedTrade: Sendable, Hashable {
    /// Its identifier.
    public var id: TradeID
    // Small fields next to the identifier: a trade takes 48 bytes instead of 64.
    /// The side of the taker.
    public var side: Trade.Side
    /// Direction of the price since the trade before; nil if that trade is unknown: at the start of
    /// the tape and after a gap.
    public var tick: PriceDirection?
    /// The price in the quote currency.
    public var price: FixedDecimal
    /// The base quantity.
    public var quantity: FixedDecimal
}

extension TapedTrade {
    init(_ trade: Trade) {
        id = TradeID(at: trade.executedAt, sequence: 0)
        price = trade.price
        quantity = trade.quantity
        side = trade.side
    }

    init(_ row: TradeHistory.Row, at moment: Timestamp, sequence: Int = 0) {
        id = TradeID(at: moment, sequence: sequence)
        price = row.price
        quantity = row.quantity
        side = row.side
    }

    /// The trade as a REST row.
    ///
    /// Trades of the two sources are compared in this form.
    func row(in resolution: TradeHistory.Resolution) -> TradeHistory.Row {
        let at = resolution.start(of: id.at)
        return TradeHistory.Row(at: at, price: price, quantity: quantity, side: side)
    }

    /// The trade of a market.
    func trade(of market: MarketID) -> Trade {
        Trade(market: market, price: price, quantity: quantity, side: side, executedAt: id.at)
    }

    /// Sets the price direction since the trade before, if that one is known.
    mutating func setTick(after earlier: TapedTrade?) {
        guard let earlier else {
            tick = nil
            return
        }
        tick = price == earlier.price ? .flat : (price > earlier.price ? .up : .down)
    }
}

extension Trade {
    /// The trade as a REST row.
    func row(in resolution: TradeHistory.Resolution) -> TradeHistory.Row {
        TapedTrade(self).row(in: resolution)
    }
}
