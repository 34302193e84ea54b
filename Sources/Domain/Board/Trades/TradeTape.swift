/// What names a trade: exchange time in microseconds, and which one it is of that microsecond.
///
/// Trades that REST told have whole seconds.
public struct TradeID: Sendable, Hashable, Comparable {
    /// Exchange time.
    public var at: Timestamp
    /// The number of the twin at that microsecond, from 0, in the order of arrival.
    public var twin: Int

    /// Makes a name.
    public init(at: Timestamp, twin: Int) {
        self.at = at
        self.twin = twin
    }

    /// Reads `1795176191151220.0`; nil if the text is no such name.
    public init?(text: String) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 2, let at = Int64(parts[0]), let twin = Int(parts[1]), twin >= 0 else {
            return nil
        }
        self.init(at: Timestamp(microseconds: at), twin: twin)
    }

    /// `1795176191151220.0`.
    public var text: String { "\(at.microseconds).\(twin)" }

    /// Order in time, then of arrival.
    public static func < (left: TradeID, right: TradeID) -> Bool {
        (left.at, left.twin) < (right.at, right.twin)
    }
}

/// A trade on the tape.
public struct TapedTrade: Sendable, Hashable {
    /// Its name.
    public var id: TradeID
    /// The price in the quote currency.
    public var price: FixedDecimal
    /// The base quantity.
    public var quantity: FixedDecimal
    /// The side of the taker.
    public var side: Trade.Side
    /// Where the price went against the trade before; nil for the first one on the tape.
    public var tick: PriceDirection?
}

/// The newest trades of one market, joined from REST and stream.
public struct TradeTape: Sendable, Hashable, RandomAccessCollection {
    /// How many trades are kept; the oldest go when it is full.
    public static let capacity = 500

    private var trades: [TapedTrade] = []
    /// How many trades arrived but could not be taken.
    public private(set) var dropped = 0
    /// Spans of exchange time in which trades may be missing, oldest first.
    public private(set) var gaps: [Range<Timestamp>] = []
    /// Whether past trades were read since the market's tape began or broke off.
    public private(set) var isJoined = false

    /// An empty tape.
    public init() {}

    /// How many trades there are.
    public var count: Int { trades.count }
    /// The age of the newest trade.
    public var startIndex: Int { 0 }
    /// One more than the age of the oldest trade.
    public var endIndex: Int { count }
    /// Since when trades may be missing, if none has come since.
    public private(set) var openGapFrom: Timestamp?
    /// Whether past trades were read and nothing is missing between any two trades.
    public var isComplete: Bool { isJoined && gaps.isEmpty && openGapFrom == nil }

    /// Whether every trade from a moment on is on the tape, as far as they arrived.
    public func isWhole(since moment: Timestamp) -> Bool { false }

    /// The trade that is `age` trades old: 0 is the newest.
    public subscript(age: Int) -> TapedTrade { trades[trades.count - 1 - age] }

    /// How old the trade of that name is: 0 is the newest; nil if it is not on the tape.
    public func age(of id: TradeID) -> Int? {
        trades.lastIndex { $0.id == id }.map { trades.count - 1 - $0 }
    }

    /// Takes a trade of the stream.
    ///
    /// - Returns: whether it is new: false if REST told it before, or it is too old for the tape.
    @discardableResult
    public mutating func append(_ trade: Trade) -> Bool {
        let twin = trades.last?.id.at == trade.executedAt ? (trades.last?.id.twin ?? 0) + 1 : 0
        trades.append(
            TapedTrade(
                id: TradeID(at: trade.executedAt, twin: twin),
                price: trade.price,
                quantity: trade.quantity,
                side: trade.side,
                tick: nil
            )
        )
        if trades.count > Self.capacity { trades.removeFirst() }
        return true
    }

    /// Joins past trades with those of the stream.
    public mutating func join(_ history: TradeHistory) { isJoined = true }

    /// Notes that trades after a moment, or after the newest trade if that is later, may be missing
    /// until the next one that arrives.
    public mutating func noteLoss(at time: Timestamp) {
        isJoined = false
        openGapFrom = time
    }
}
