/// 보유자산: the value of a user's holdings and cash in won, at the prices of a board.
///
/// A coin is valued by its won market. A coin without one is valued by its bitcoin market and the
/// price of bitcoin. Each product is rounded once, half-even, to 18 fraction digits.
public struct PortfolioValuation: Sendable, Hashable {
    /// A holding and its value.
    public struct Line: Sendable, Hashable {
        /// The holding.
        public let holding: Holding
        /// The market whose price values the coin; nil without a price.
        public internal(set) var market: MarketID?
        /// The price of one coin in won.
        public internal(set) var price: FixedDecimal?
        /// 평가금액: quantity times price; nil without a price or on overflow.
        public internal(set) var value: FixedDecimal?
        /// 매수금액: quantity times average price; nil if that is unknown.
        public internal(set) var cost: FixedDecimal?
        /// 평가손익: value minus cost.
        public internal(set) var profit: FixedDecimal?
        /// 수익률: profit in percent of cost, two decimals, rounded half away from zero; nil for a
        /// cost of zero.
        public internal(set) var profitRatePercent: FixedDecimal?
        /// 보유비중: the share of the total in percent, two decimals; nil without a value.
        public internal(set) var sharePercent: FixedDecimal?

        init(_ holding: Holding) { self.holding = holding }
    }

    /// The totals.
    public struct Totals: Sendable, Hashable {
        /// The value of all valued coins and the cash; nil if no holding has a value, or on
        /// overflow.
        public internal(set) var value: FixedDecimal?
        /// The cost of the coins whose cost and value are known; nil without any.
        public internal(set) var cost: FixedDecimal?
        /// The profit of those coins.
        public internal(set) var profit: FixedDecimal?
        /// Their profit in percent of their cost, two decimals; nil for a cost of zero.
        public internal(set) var profitRatePercent: FixedDecimal?
    }

    /// The coins by value, descending, then by code.
    ///
    /// Coins without a value come last.
    public private(set) var lines: [Line]
    /// The cash; nil until the user sets it.
    public let cash: FixedDecimal?
    /// The cash's share of the total in percent, two decimals; nil while the cash is unknown.
    ///
    /// All shares sum to exactly 100.00. If the total is zero, all shares are zero.
    public private(set) var cashSharePercent: FixedDecimal?
    /// The totals.
    public private(set) var totals = Totals()

    /// Values holdings and cash.
    ///
    /// - Parameters:
    ///   - holdings: the holdings, each coin once.
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
        computeShares()
        computeTotals()
    }

    /// The coins without a value, sorted by code.
    public var unvalued: [Asset] {
        lines.filter { $0.value == nil }.map(\.holding.asset).sorted()
    }

    private mutating func computeShares() {
        // Remainders go to larger values first, then by code, then to the cash.
        let valued = lines.prefix { $0.value != nil }.indices
        let parts = valued.map { Self.part(lines[$0].value) } + [Self.part(cash)]
        let shares = PercentShares.shares(of: parts).map(FixedDecimal.init(hundredths:))
        for (index, share) in zip(valued, shares) { lines[index].sharePercent = share }
        cashSharePercent = cash == nil ? nil : shares.last
    }

    private static func part(_ value: FixedDecimal?) -> UInt128 {
        value.map { $0.sign > 0 ? $0.units.magnitude : 0 } ?? 0
    }

    private mutating func computeTotals() {
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
    /// The market that values a coin, and the price of one coin in won.
    ///
    /// A suspended or delisted market values by its last known price, also one from the store. So
    /// every process computes the same value.
    ///
    /// - Returns: nil if the coin has no market or its market no price.
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
    /// Whether a held coin cannot be traded: its market (won first) is suspended, or the list of
    /// markets is complete and has none of the coin.
    public func isHalted(_ asset: Asset) -> Bool {
        let markets = Quote.allCases.lazy
            .compactMap { MarketID(symbol: asset.symbol, quote: $0) }
            .compactMap { self.market($0) }
        if let market = markets.first(where: { !isUnlistedStored($0) }) { return !market.isTrading }
        return Quote.allCases.allSatisfy { hasListed($0) }
    }
}

extension FixedDecimal {
    /// Makes a number of hundredths.
    fileprivate init(hundredths: Int) {
        self.init(units: Int128(hundredths) * Self.unitsPerOne / 100)
    }

    /// The product, rounded half-even once; nil on overflow.
    fileprivate func product(_ other: FixedDecimal) -> FixedDecimal? {
        try? multiplied(by: other, rounding: .halfEven)
    }

    /// The exact sum; nil on overflow.
    fileprivate static func sum(of values: [FixedDecimal]) -> FixedDecimal? {
        var sum = FixedDecimal.zero
        for value in values {
            guard let next = try? sum + value else { return nil }
            sum = next
        }
        return sum
    }

    /// This part in percent of a whole, two decimals, rounded half away from zero; nil for a whole
    /// of zero or on overflow.
    fileprivate func percent(of whole: FixedDecimal) -> FixedDecimal? {
        guard !whole.isZero, let hundredths = try? wholeHundredthsOfPercent(of: whole) else {
            return nil
        }
        let step = Self.unitsPerOne / 100
        let (units, overflow) = hundredths.multipliedReportingOverflow(by: step)
        return overflow ? nil : FixedDecimal(units: units)
    }
}
