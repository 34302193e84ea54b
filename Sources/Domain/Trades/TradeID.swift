/// What names a trade: exchange time in microseconds, and which one it is of that microsecond.
///
/// Trades that REST told have whole seconds. A name once given stays, whatever is learnt later.
public struct TradeID: Sendable, Hashable, Comparable {
    /// Exchange time.
    public var at: Timestamp
    /// Half a word, because some hundreds of thousands are held; a tape has hundreds of twins at
    /// the most.
    private var number: Int32

    /// The number of the twin at that microsecond, from 0, in the order of arrival.
    public var twin: Int {
        get { Int(number) }
        set { number = Int32(clamping: newValue) }
    }

    /// Makes a name; the number is cut to 31 bits.
    public init(at: Timestamp, twin: Int) {
        self.at = at
        number = Int32(clamping: twin)
    }

    /// Reads `1795176191151220.0`; nil if the text is no such name.
    public init?(text: String) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 2, let at = Int64(parts[0]), let number = Int32(parts[1]), number >= 0
        else { return nil }
        self.init(at: Timestamp(microseconds: at), twin: Int(number))
    }

    /// `1795176191151220.0`.
    public var text: String { "\(at.microseconds).\(twin)" }

    /// Order in time, then of arrival.
    ///
    /// On a tape the place decides, not the name: REST tells only the second, so a trade it told
    /// may stand behind others of that second.
    public static func < (left: TradeID, right: TradeID) -> Bool {
        (left.at, left.twin) < (right.at, right.twin)
    }
}

/// A trade on the tape.
public struct TapedTrade: Sendable, Hashable {
    /// Its name.
    public var id: TradeID
    // The small ones next to the name: a trade takes 48 bytes then, and 64 otherwise.
    /// The side of the taker.
    public var side: Trade.Side
    /// Where the price went against the trade before; nil where that one is not known: at the
    /// beginning of the tape and behind a gap.
    public var tick: PriceDirection?
    /// The price in the quote currency.
    public var price: FixedDecimal
    /// The base quantity.
    public var quantity: FixedDecimal
}

extension TapedTrade {
    init(_ trade: Trade) {
        id = TradeID(at: trade.executedAt, twin: 0)
        price = trade.price
        quantity = trade.quantity
        side = trade.side
    }

    init(_ row: TradeHistory.Row, at moment: Timestamp, twin: Int = 0) {
        id = TradeID(at: moment, twin: twin)
        price = row.price
        quantity = row.quantity
        side = row.side
    }

    /// The trade as REST would tell it: by this, trades of the two sources are compared.
    var row: TradeHistory.Row {
        TradeHistory.Row(second: id.at.second, price: price, quantity: quantity, side: side)
    }

    /// Notes where the price went since the trade before, if that one is known.
    mutating func setTick(after earlier: TapedTrade?) {
        guard let earlier else {
            tick = nil
            return
        }
        tick = price == earlier.price ? .flat : (price > earlier.price ? .up : .down)
    }
}

extension TradeHistory.Row {
    /// The beginning of its second.
    var at: Timestamp { Timestamp(milliseconds: second * 1_000) }
}
