/// 보유자산: what a user's holdings and cash are worth at the prices of a board, in won.
///
/// A coin is valued through its won market; through its bitcoin market and the price of bitcoin
/// only where it has no won market. Each product is rounded once, half-even, to 18 fraction digits.
public struct PortfolioValuation: Sendable, Hashable {
    /// One coin that is held.
    public struct Line: Sendable, Hashable {
        /// What is held.
        public let holding: Holding
        /// The market whose price values the coin; nil where it cannot be valued.
        public internal(set) var market: MarketID?
        /// The price of one coin in won.
        public internal(set) var price: FixedDecimal?
        /// 평가금액: quantity times price; nil where there is no price, or the product lies beyond
        /// all numbers.
        public internal(set) var value: FixedDecimal?
        /// Quantity times average price; nil where that is not known.
        public internal(set) var cost: FixedDecimal?
        /// 평가손익: value minus cost.
        public internal(set) var profit: FixedDecimal?
        /// 수익률: profit in per cent of cost, two decimals, a half away from zero; nil where the
        /// cost is zero.
        public internal(set) var profitRatePercent: FixedDecimal?
        /// 보유비중: the share of the whole in per cent, two decimals; nil without a value.
        public internal(set) var sharePercent: FixedDecimal?

        init(_ holding: Holding) { self.holding = holding }
    }

    /// Everything together.
    public struct Totals: Sendable, Hashable {
        /// What can be valued, and the cash; nil where something is held and nothing of it known,
        /// and where the sum lies beyond all numbers.
        public internal(set) var value: FixedDecimal?
        /// What was paid for the coins whose cost and value are known; nil without any.
        public internal(set) var cost: FixedDecimal?
        /// The profit of those coins.
        public internal(set) var profit: FixedDecimal?
        /// Their profit in per cent of their cost, two decimals; nil where that is zero.
        public internal(set) var profitRatePercent: FixedDecimal?
    }

    /// The coins, the most valuable first, equal ones alphabetical; those without a value last.
    public private(set) var lines: [Line]
    /// The cash; nil until the user said how much it is.
    public let cash: FixedDecimal?
    /// The cash's share of the whole in per cent, two decimals; nil while the cash is unknown.
    ///
    /// All shares sum to exactly 100.00, unless everything is worth nothing: then all are zero.
    public private(set) var cashSharePercent: FixedDecimal?
    /// Everything together.
    public private(set) var totals = Totals()

    /// Values what is held.
    ///
    /// - Parameters:
    ///   - holdings: the coins, each once.
    ///   - cash: in won, zero or more; nil if unknown.
    ///   - board: the prices.
    public init(_ holdings: [Holding], cash: FixedDecimal?, on board: MarketBoard) {
        self.cash = cash
        lines = holdings.map { Line($0, on: board) }
        lines.sort { left, right in
            switch (left.value, right.value) {
            case (let leftValue?, let rightValue?) where leftValue != rightValue:
                leftValue > rightValue
            case (.some, .none): true
            case (.none, .some): false
            default: left.holding.asset < right.holding.asset
            }
        }
        takeShares()
        takeTotals()
    }

    /// The coins that cannot be valued, alphabetical.
    public var unvalued: [Asset] {
        lines.filter { $0.value == nil }.map(\.holding.asset).sorted()
    }

    private mutating func takeShares() {
        // The order of precedence: larger values, then the alphabet, as sorted; the cash last.
        let valued = lines.prefix { $0.value != nil }.indices
        let parts = valued.map { Self.part(lines[$0].value) } + [Self.part(cash)]
        let shares = PercentShares.shares(of: parts).map(FixedDecimal.init(hundredths:))
        for (index, share) in zip(valued, shares) { lines[index].sharePercent = share }
        cashSharePercent = cash == nil ? nil : shares.last
    }

    private static func part(_ value: FixedDecimal?) -> UInt128 {
        value.map { $0.sign > 0 ? $0.units.magnitude : 0 } ?? 0
    }

    private mutating func takeTotals() {
        let values = lines.compactMap(\.value) + (cash.map { [$0] } ?? [])
        totals.value = values.isEmpty && !lines.isEmpty ? nil : .sum(of: values)
        let known = lines.filter { $0.cost != nil && $0.value != nil }
        guard !known.isEmpty, let cost = FixedDecimal.sum(of: known.compactMap(\.cost)) else {
            return
        }
        totals.cost = cost
        totals.profit = FixedDecimal.sum(of: known.compactMap(\.value)).flatMap { try? $0 - cost }
        totals.profitRatePercent = totals.profit.flatMap { $0.percent(of: cost) }
    }
}

extension PortfolioValuation.Line {
    fileprivate init(_ holding: Holding, on board: MarketBoard) {
        self.init(holding)
        cost = holding.averagePrice.flatMap { holding.quantity.product($0) }
        guard let (market, price) = board.valuation(of: holding.asset) else { return }
        self.market = market
        self.price = price
        value = holding.quantity.product(price)
        guard let value, let cost else { return }
        profit = try? value - cost
        profitRatePercent = profit.flatMap { $0.percent(of: cost) }
    }
}

extension MarketBoard {
    /// The market that a coin is valued through, and the price of one coin in won.
    ///
    /// A market that is suspended, or not named any more, values by its last known price, whether
    /// this process saw it or the store kept it: every process comes to the same value. Without any
    /// price it is none.
    ///
    /// - Returns: nil where the coin has no market, or its market no price.
    public func valuation(of asset: Asset) -> (market: MarketID, price: FixedDecimal)? {
        func known(_ symbol: String, _ quote: Quote) -> MarketState? {
            MarketID(symbol: symbol, quote: quote).flatMap { market($0) }
        }
        if let market = known(asset.symbol, .krw), market.isTrading || market.price != nil {
            return market.price.map { (market.id, $0) }
        }
        guard let market = known(asset.symbol, .btc), let price = market.price,
            let bitcoin = known("BTC", .krw)?.price, let won = price.product(bitcoin)
        else { return nil }
        return (market.id, won)
    }
}

extension MarketBoard {
    /// Whether a coin that is held cannot be traded: its market, the one in won first, is
    /// suspended, or the exchange has said which markets there are and none is the coin's.
    public func isHalted(_ asset: Asset) -> Bool {
        let markets = Quote.allCases.lazy
            .compactMap { MarketID(symbol: asset.symbol, quote: $0) }
            .compactMap { self.market($0) }
        if let market = markets.first(where: { !isUnlistedStored($0) }) { return !market.isTrading }
        return Quote.allCases.allSatisfy { hasListed($0) }
    }
}

extension FixedDecimal {
    /// A number of hundredths.
    fileprivate init(hundredths: Int) {
        self.init(units: Int128(hundredths) * Self.unitsPerOne / 100)
    }

    /// The product, rounded half-even once; nil beyond all numbers.
    fileprivate func product(_ other: FixedDecimal) -> FixedDecimal? {
        try? multiplied(by: other, rounding: .halfEven)
    }

    /// The exact sum; nil beyond all numbers.
    fileprivate static func sum(of values: [FixedDecimal]) -> FixedDecimal? {
        var sum = FixedDecimal.zero
        for value in values {
            guard let next = try? sum + value else { return nil }
            sum = next
        }
        return sum
    }

    /// This part in per cent of a whole, two decimals, a half away from zero; nil where the whole
    /// is zero, or the rate lies beyond all numbers.
    fileprivate func percent(of whole: FixedDecimal) -> FixedDecimal? {
        guard !whole.isZero, let hundredths = try? wholeHundredthsOfPercent(of: whole) else {
            return nil
        }
        let step = Self.unitsPerOne / 100
        let (units, overflow) = hundredths.multipliedReportingOverflow(by: step)
        return overflow ? nil : FixedDecimal(units: units)
    }
}
