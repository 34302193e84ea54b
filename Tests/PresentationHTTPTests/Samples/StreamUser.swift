import Synchronization
import TestSupport
import UseCases

@testable import Domain
@testable import ViewStates
@testable import PresentationHTTP

/// A user of the small exchange.
final class StreamUser: Sendable {
    let readings = Mutex(0)
    let producers: UserDocumentProducers
    private let user: UserID
    private let personal: UserStatePublisher

    init(_ number: Int64, _ bench: StreamFixture) {
        user = UserID(number)
        personal = UserStatePublisher(
            UserState(
                user: user,
                record: UserRecord(name: "mina"),
                status: .ready,
                sequence: 1
            )
        )
        producers = UserDocumentProducers(
            personal: personal,
            rows: bench.documents.marketList.rows,
            scopes: [.read],
            epoch: "epoch"
        )
    }

    func query(_ query: UserDocumentQuery) -> UserStreamSource {
        UserStreamSource(user: user, query: query, producers: producers) { [self] in
            readings.withLock { $0 += 1 }
        }
    }

    func keep(_ favorites: [MarketID], cash: FixedDecimal) {
        change { record in
            record.favorites = Revised(favorites, revision: record.favorites.revision + 1)
            record.cash = Revised(cash, revision: record.cash.revision + 1)
        }
    }

    func hold(_ symbol: String, _ quantity: FixedDecimal) {
        let holdings = Asset(symbol: symbol).map {
            [Holding(asset: $0, quantity: quantity, averagePrice: nil)]
        }
        change { record in
            record.holdings = Revised(holdings ?? [], revision: record.holdings.revision + 1)
        }
    }

    /// Perhaps a change of favorites, cash or holdings.
    func changeSomething(_ generator: inout SeededGenerator) {
        let number = FixedDecimal(Int64.random(in: 1...9, using: &generator))
        let markets: [MarketID] = ["BTC_KRW", "XRP_KRW", "ETH_BTC", "GONE_KRW"]
        let count = Int.random(in: 0...markets.count, using: &generator)
        switch Int.random(in: 0..<8, using: &generator) {
        case 0: keep(Array(markets.shuffled(using: &generator).prefix(count)), cash: number)
        case 1: hold(count > 2 ? "XRP" : "BTC", number)
        case 2: changeAlerts { $0.add("BTC > \(number) again 1h") }
        case 3: changeAlerts { fire($0.rules.last?.number, number, in: &$0) }
        case 4: changeAlerts { if !$0.rules.isEmpty { $0.rules.removeFirst() } }
        default: break
        }
    }

    /// Changes rules or log, and the revision as a store does.
    func changeAlerts(_ body: (inout UserAlerts) -> Void) {
        change { record in
            let old = record.alerts.value
            body(&record.alerts.value)
            if record.alerts.value != old { record.alerts.revision += 1 }
        }
    }

    private func fire(_ rule: Int64?, _ value: FixedDecimal, in alerts: inout UserAlerts) {
        if let rule { alerts.fire(rule, of: user, "BTC_KRW", value) }
    }

    private func change(_ body: (inout UserRecord) -> Void) {
        let old = personal.value
        var record = old.record
        body(&record)
        personal.publish(
            UserState(
                user: user,
                record: record,
                status: .ready,
                sequence: old.sequence + 1
            )
        )
    }
}
