import TestSupport

@testable import Domain

/// Portfolios and prices for properties: huge and tiny amounts, equal ones, coins with and without
/// markets.
struct PortfolioSamples {
    struct Sample {
        var holdings: [Holding]
        var cash: FixedDecimal?
        var board: MarketBoard
        /// The won price of each coin that has one, in units.
        var prices: [Asset: NaiveInteger]
    }

    /// The cases that a run of samples had, so that the property is not vacuous.
    struct Seen {
        var unvalued = false
        var worthless = false
        var several = false
        var beyondNumbers = false
        var throughBitcoin = false

        var isEverything: Bool {
            unvalued && worthless && several && beyondNumbers && throughBitcoin
        }

        mutating func note(_ valuation: PortfolioValuation) {
            unvalued = unvalued || !valuation.unvalued.isEmpty
            let values = valuation.lines.compactMap(\.value)
            worthless = worthless || values.contains(.zero)
            several = several || values.count > 5
            beyondNumbers = beyondNumbers || (!values.isEmpty && valuation.totals.value == nil)
            throughBitcoin = throughBitcoin || valuation.lines.contains { $0.market?.quote == .btc }
        }
    }

    private var numbers: DecimalSamples

    init(seed: UInt64) { numbers = DecimalSamples(seed: seed) }

    mutating func next() -> Sample {
        let count = Int.random(in: 0...12, using: &numbers.generator)
        // Half of the samples hold amounts of one size, so that many shares matter.
        let isOneSize = Bool.random(using: &numbers.generator)
        var sample = Sample(holdings: [], cash: cash(isOneSize), board: .priced([:]), prices: [:])
        let bitcoin = amount(isOneSize)
        var markets: [MarketID: FixedDecimal?] = ["BTC_KRW": bitcoin]
        for number in 0..<count {
            let symbol = "C\(number)"
            let holding = Holding.sample(
                symbol,
                amount(isOneSize),
                Bool.random(using: &numbers.generator) ? amount(isOneSize) : nil
            )
            sample.holdings.append(holding)
            let price = amount(isOneSize)
            switch Int.random(in: 0..<6, using: &numbers.generator) {
            case 0: break
            case 1:
                markets[MarketID(stringLiteral: symbol + "_BTC")] = price
                sample.prices[holding.asset] = NaivePortfolio.product(price.naive, bitcoin.naive)
            case 2:
                markets[MarketID(stringLiteral: symbol + "_KRW")] = .some(nil)
                markets[MarketID(stringLiteral: symbol + "_BTC")] = price
            default:
                markets[MarketID(stringLiteral: symbol + "_KRW")] = price
                markets[MarketID(stringLiteral: symbol + "_BTC")] = amount(isOneSize)
                sample.prices[holding.asset] = price.naive
            }
        }
        sample.holdings.shuffle(using: &numbers.generator)
        sample.board = .priced(markets)
        return sample
    }

    private mutating func cash(_ isOneSize: Bool) -> FixedDecimal? {
        switch Int.random(in: 0..<4, using: &numbers.generator) {
        case 0: nil
        case 1: .zero
        case 2 where !isOneSize: FixedDecimal(units: .max)
        default: amount(isOneSize)
        }
    }

    /// Above zero.
    private mutating func amount(_ isOneSize: Bool) -> FixedDecimal {
        if isOneSize { return FixedDecimal(.random(in: 1...3, using: &numbers.generator)) }
        let units = numbers.next().units
        return FixedDecimal(units: units == 0 || units == .min ? 1 : abs(units))
    }
}

extension Holding {
    static func sample(
        _ symbol: String,
        _ quantity: FixedDecimal,
        _ averagePrice: FixedDecimal?
    ) -> Holding {
        guard let asset = Asset(symbol: symbol) else {
            preconditionFailure("“\(symbol)” is no code of a coin")
        }
        return Holding(asset: asset, quantity: quantity, averagePrice: averagePrice)
    }
}

extension MarketBoard {
    /// A board with these prices, listed in both currencies.
    static func priced(_ prices: [MarketID: FixedDecimal?]) -> MarketBoard {
        var board = MarketBoard(kind: .live)
        for quote in Quote.allCases {
            let entries = prices.filter { $0.key.quote == quote }.map {
                ListingEntry($0.key, price: $0.value)
            }
            board.apply(.listing(Listing(quote, at: .noon(), entries)), at: .noon())
        }
        return board
    }
}
