import Domain

/// The initial values of a simulated market.
struct MarketSeed: Sendable {
    var id: MarketID
    /// In units of the market's price grid, and on that grid.
    var price: Int64
    /// How often it trades relative to the others; 0 for never.
    var weight: Int
    /// Whether it is suspended from the start.
    var isSuspended: Bool
    /// Whether its history is as old as the exchange.
    var isOldest = false
}

/// Generates the list of markets of a simulated exchange.
enum MarketCatalog: Sendable {
    /// The price of a bitcoin in won, which scales amounts in bitcoin markets.
    static let bitcoinWon: Int64 = 143_210_000

    /// The weight of the busiest market; the one at rank n has an n-th of it.
    private static let weightMax = 1_000_000
    /// Bitcoin markets trade as rarely as won markets from this rank on.
    private static let bitcoinPlace = 250

    /// At most one in this many traded won markets is illiquid, so that small simulations trade
    /// enough.
    private static let illiquidShare = 20
    /// How much more rarely an illiquid market trades than its rank implies.
    private static let illiquidDivisor = 200

    /// Prices of well-known coins, in units of 0.0001 won.
    private static let knownPrices: [String: Int64] = [
        "BTC": bitcoinWon * 10_000, "ETH": 46_510_000_000, "XRP": 34_820_000,
        "USDT": 14_380_000, "SOL": 2_265_000_000, "DOGE": 2_560_000, "ADA": 11_240_000,
        "TRX": 4_150_000, "LINK": 243_200_000, "SUI": 41_230_000, "XLM": 4_530_000,
        "AVAX": 312_000_000, "BCH": 7_985_000_000, "HBAR": 3_190_000, "SHIB": 172,
        "PEPE": 153, "ONDO": 13_280_000, "UNI": 113_600_000, "NEAR": 38_740_000,
        "ETC": 289_500_000, "AAVE": 3_641_000_000, "LTC": 1_426_000_000, "BONK": 284,
        "USDC": 14_370_000, "BNB": 13_820_000_000, "KAIA": 1_650_000, "BTT": 9, "NFT": 6,
        "CSPR": 107_300, "AHT": 30_000, "ENS": 284_100_000, "WLD": 14_820_000,
    ]

    /// Share of the other coins by order of magnitude: their prices cover every band of the tick
    /// table.
    private static let magnitudes: [(thousandths: Int, factorTenths: Int64)] = [
        (30, 1), (90, 10), (150, 100), (220, 1_000), (290, 10_000), (160, 100_000),
        (45, 1_000_000), (15, 10_000_000),
    ]

    /// Generates the markets of a configuration.
    static func seeds(
        of simulation: ExchangeSimulator.Simulation,
        random: inout SeededRandom
    ) -> [MarketSeed] {
        let tradedWon = max(0, simulation.wonMarkets - simulation.quietWonMarkets)
        let tradedBitcoin = max(0, simulation.bitcoinMarkets - simulation.quietBitcoinMarkets)
        var seeds: [MarketSeed] = []
        var wonPrices: [String: Int64] = [:]
        for place in 0..<(simulation.wonMarkets + simulation.suspendedMarkets) {
            let code = code(at: place, of: CoinCodes.won)
            let price = wonPrice(of: code, random: &random)
            wonPrices[code] = price
            guard let id = MarketID(symbol: code, quote: .krw) else { continue }
            seeds.append(
                MarketSeed(
                    id: id,
                    price: price,
                    weight: wonWeight(at: place, traded: tradedWon, of: simulation),
                    isSuspended: place >= simulation.wonMarkets,
                    isOldest: place == 0
                )
            )
        }
        for place in 0..<simulation.bitcoinMarkets {
            let code = code(at: place, of: CoinCodes.bitcoin + CoinCodes.won.dropFirst())
            let won = wonPrices[code] ?? wonPrice(of: code, random: &random)
            guard let id = MarketID(symbol: code, quote: .btc) else { continue }
            let weight = place < tradedBitcoin ? weightMax / (bitcoinPlace + place) : 0
            seeds.append(
                MarketSeed(
                    id: id,
                    price: bitcoinPrice(ofWonUnits: won),
                    weight: weight,
                    isSuspended: false
                )
            )
        }
        return seeds
    }

    private static func wonWeight(
        at place: Int,
        traded: Int,
        of simulation: ExchangeSimulator.Simulation
    ) -> Int {
        guard place < traded else { return 0 }
        let illiquid = min(simulation.illiquidWonMarkets, traded / illiquidShare)
        let weight = weightMax / (place + 1)
        return place < traded - illiquid ? weight : max(1, weight / illiquidDivisor)
    }

    /// A price for a coin that is listed while the exchange runs.
    static func wonPrice(of code: String, random: inout SeededRandom) -> Int64 {
        var draw = random.below(1_000)
        let mantissa = Int64(random.number(in: 1_000...9_999))
        if let known = knownPrices[code] { return known }
        for magnitude in magnitudes {
            if draw < magnitude.thousandths {
                return PriceGrid.krw.price(atMost: mantissa * magnitude.factorTenths / 100)
            }
            draw -= magnitude.thousandths
        }
        return PriceGrid.krw.price(atMost: mantissa)
    }

    static func bitcoinPrice(ofWonUnits won: Int64) -> Int64 {
        let satoshi = Int128(won) * 100_000_000 / Int128(bitcoinWon * 10_000)
        return PriceGrid.btc.price(atMost: Int64(satoshi))
    }

    /// The code at an index; after the end of the list codes are generated.
    private static func code(at place: Int, of codes: [String]) -> String {
        if place < codes.count { return codes[place] }
        return "SIM\(place - codes.count + 1)"
    }
}
