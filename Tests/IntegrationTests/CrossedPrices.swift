import Domain
import Testing

/// Prices that the next trades of a won market cross, whichever way they go.
///
/// A single price may never be crossed again: the simulator's prices are random walks.
enum CrossedPrices: Sendable {
    /// The number of price steps between two neighbors.
    private static let distance = 20
    /// The number of prices above a price; as many are below it.
    private static let count = 15

    /// Prices up to 300 steps from a price, with that price itself.
    static func around(_ price: FixedDecimal) -> [FixedDecimal] {
        let step = TickTable.step(for: price, quote: .krw).units * Int128(distance)
        return (-count...count).map { FixedDecimal(units: price.units + Int128($0) * step) }
    }
}

extension ServiceInstance {
    /// The price of BTC, once there is one.
    func bitcoinPrice(as token: String) throws -> FixedDecimal {
        let pattern = #/"price":"([0-9.]+)"/#
        let answer = try answer(to: "/v1/markets/BTC_KRW", as: token) {
            $0.text.contains(pattern)
        }
        let match = try #require(answer.text.firstMatch(of: pattern))
        return try FixedDecimal(parsing: String(match.1))
    }

    /// Adds a rule for each of the prices of BTC around the present one.
    func addCrossingRules(around price: FixedDecimal, as token: String) throws {
        for price in CrossedPrices.around(price) {
            let body = #"{"rule":"BTC <> \#(price) again 0s"}"#
            let answer = try ask("POST", "/v1/me/alerts", as: token, body: body)
            #expect(answer.status == 201, "\(answer.text)")
        }
    }
}
