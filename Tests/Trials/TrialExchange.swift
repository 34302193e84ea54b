import DataSourceContracts
import Domain
import TestSupport

/// The order book of one market at an exchange: random levels around a price that walks.
///
/// Prices are whole ticks and quantities ten-thousandths, so REST's truncation loses nothing. The
/// sides never cross. Depending on the seed a side holds up to ninety levels, or so few that it is
/// empty at times.
struct TrialExchange {
    /// The market.
    static let symbol = "BTC_KRW"
    /// The levels that the exchange shows on each side.
    static let levelsShown = 30
    /// The first price in ticks; prices stay far from zero.
    private static let firstPrice = 1_000_000

    /// One level, in ticks and ten-thousandths.
    struct Level: Hashable {
        var price: Int
        var quantity: Int
    }

    /// The shown levels of both sides, best first.
    struct Book: Hashable {
        var asks: [Level]
        var bids: [Level]
    }

    private var asks: [Int: Int] = [:]
    private var bids: [Int: Int] = [:]
    private var price = firstPrice
    private let depth: ClosedRange<Int>

    /// Creates an exchange with a filled book.
    init(random: inout SeededGenerator) {
        let depths: [ClosedRange<Int>] = [0...12, 20...40, 45...90]
        depth = depths.randomElement(using: &random) ?? 45...90
        for _ in 0..<depth.upperBound {
            insert(isAsk: true, &random)
            insert(isAsk: false, &random)
        }
    }

    /// The best thirty levels of each side.
    var shown: Book {
        Book(
            asks: asks.sorted { $0.key < $1.key }.prefix(Self.levelsShown).map(Level.init),
            bids: bids.sorted { $0.key > $1.key }.prefix(Self.levelsShown).map(Level.init)
        )
    }

    /// Changes the book once.
    ///
    /// - Returns: the changed levels in the order of a stream frame: asks before bids, removed
    ///   levels before others, no price twice.
    mutating func change(
        at moment: Timestamp,
        random: inout SeededGenerator
    ) -> OrderBookDepthDTO? {
        let before = (asks, bids)
        for _ in 0..<Int.random(in: 1...8, using: &random) {
            switch Int.random(in: 0..<10, using: &random) {
            case 0..<5: insert(isAsk: .random(using: &random), &random)
            case 5..<8: remove(isAsk: .random(using: &random), &random)
            default: walk(&random)
            }
        }
        let changes =
            Self.changes(from: before.0, to: asks, isAsk: true)
            + Self.changes(from: before.1, to: bids, isAsk: false)
        guard !changes.isEmpty else { return nil }
        return OrderBookDepthDTO(
            symbol: Self.symbol,
            atMicroseconds: moment.microseconds,
            changes: changes
        )
    }

    private mutating func insert(isAsk: Bool, _ random: inout SeededGenerator) {
        // Most changes happen near the best prices.
        let span = Bool.random(using: &random) ? 10 : 100
        let distance = Int.random(in: 1...span, using: &random)
        let quantity = Int.random(in: 1...5_000_000, using: &random)
        if isAsk {
            let touch = bids.keys.max() ?? price - 1
            if asks.count < depth.upperBound { asks[touch + distance] = quantity }
        } else {
            let touch = asks.keys.min() ?? price + 1
            if bids.count < depth.upperBound { bids[touch - distance] = quantity }
        }
    }

    private mutating func remove(isAsk: Bool, _ random: inout SeededGenerator) {
        let side = isAsk ? asks : bids
        guard side.count > depth.lowerBound else { return }
        let prices = side.keys.sorted { isAsk ? $0 < $1 : $0 > $1 }
        let reach = Bool.random(using: &random) ? min(5, prices.count) : prices.count
        let gone = prices[Int.random(in: 0..<reach, using: &random)]
        if isAsk { asks[gone] = nil } else { bids[gone] = nil }
    }

    /// Moves the price by a few ticks and trades away the levels in between.
    private mutating func walk(_ random: inout SeededGenerator) {
        price += Int.random(in: -4...4, using: &random)
        asks = asks.filter { $0.key > price }
        bids = bids.filter { $0.key < price }
    }

    private static func changes(
        from before: [Int: Int],
        to after: [Int: Int],
        isAsk: Bool
    ) -> [OrderBookDepthDTO.Change] {
        let gone = before.keys.filter { after[$0] == nil }.sorted().map { ($0, 0) }
        let there = after.filter { before[$0.key] != $0.value }.sorted { $0.key < $1.key }
        return (gone + there.map { ($0.key, $0.value) }).map { price, quantity in
            OrderBookDepthDTO.Change(
                isAsk: isAsk,
                price: WireDecimal(mantissa: Int128(price), scale: 0),
                quantity: WireDecimal(mantissa: Int128(quantity), scale: 4)
            )
        }
    }
}

extension TrialExchange.Level {
    init(_ entry: (key: Int, value: Int)) {
        self.init(price: entry.key, quantity: entry.value)
    }

    /// The level as a DTO.
    var dto: BookLevelDTO {
        BookLevelDTO(
            price: WireDecimal(mantissa: Int128(price), scale: 0),
            quantity: WireDecimal(mantissa: Int128(quantity), scale: 4)
        )
    }

    /// The level as a domain value.
    var level: BookLevel {
        BookLevel(
            price: FixedDecimal(units: Int128(price) * FixedDecimal.unitsPerOne),
            quantity: FixedDecimal(units: Int128(quantity) * (FixedDecimal.unitsPerOne / 10_000))
        )
    }
}

extension TrialExchange.Book {
    /// The book as a DTO; `at` is in microseconds.
    func dto(atMicroseconds at: Int64) -> OrderBookDTO {
        OrderBookDTO(
            symbol: TrialExchange.symbol,
            atMicroseconds: at,
            asks: asks.map(\.dto),
            bids: bids.map(\.dto)
        )
    }

    /// The levels of a side as domain values, best first.
    func levels(_ side: BookSide) -> [BookLevel] {
        (side == .ask ? asks : bids).map(\.level)
    }
}
