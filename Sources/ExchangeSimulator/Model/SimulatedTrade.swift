import Domain

/// One trade of one market.
struct SimulatedTrade: Sendable, Equatable {
    /// In units of the market's price grid.
    var price: Int64
    /// In units of 10⁻⁸ coins, above zero.
    var quantity: Int64
    /// Whether the taker bought.
    var isBuy: Bool
    /// Whether the price is above that of the trade before.
    var isUp: Bool
    /// The number of earlier trades in its millisecond.
    var counter: UInt16 = 0
    var at: Timestamp

    /// Number of fraction digits of a quantity.
    static let quantityDigits = 8
    /// Number of fraction digits of a sum of quantities: histories have smaller remainders.
    static let volumeDigits = 10

    /// Unix milliseconds.
    var milliseconds: Int64 { at.microseconds / Self.microsecondsPerMillisecond }

    /// The `sequential_id` of REST.
    var sequentialID: Int64 { milliseconds * Self.idsPerMillisecond + Int64(counter) }

    /// The start of the millisecond of a `sequential_id` of REST.
    static func time(ofID id: Int64) -> Timestamp {
        Timestamp(microseconds: id / idsPerMillisecond * microsecondsPerMillisecond)
    }

    private static let microsecondsPerMillisecond: Int64 = 1_000
    private static let idsPerMillisecond: Int64 = 10_000

    /// Price × quantity, truncated to whole won or to eight digits of a bitcoin.
    func amount(in quote: Quote) -> Int128 {
        let exact = Int128(price) * Int128(quantity)
        return switch quote {
        case .krw: exact / 1_000_000_000_000
        case .btc: exact / 100_000_000
        }
    }

    /// Number of fraction digits of an amount.
    static func amountDigits(in quote: Quote) -> Int {
        switch quote {
        case .krw: 0
        case .btc: 8
        }
    }

    /// The quantity in volume units.
    var volume: Int128 { Int128(quantity) * 100 }
}

extension [SimulatedTrade] {
    /// Counts the trades of each millisecond.
    ///
    /// - Parameter previous: the trade before the first one.
    mutating func count(after previous: SimulatedTrade?) {
        var last = previous
        for index in indices {
            let isSame = last?.milliseconds == self[index].milliseconds
            self[index].counter = isSame ? (last?.counter ?? 0) + 1 : 0
            last = self[index]
        }
    }
}
