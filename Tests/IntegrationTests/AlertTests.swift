import DataSourcesSQLite
import Domain
import ExchangeSimulator
import Foundation
import Repositories
import TestSupport
import Testing
import UseCases

@testable import App

@Suite("Alerts of running programs", .ownThread, .timeLimit(.minutes(4)))
struct AlertTests {
    /// Rules of which the next few trades of BTC fire some.
    private static func rules(around price: FixedDecimal) -> [AlertRule] {
        CrossedPrices.around(price).map { price in
            AlertRule(
                scope: .market("BTC_KRW"),
                signal: .price,
                test: .crosses(price),
                repetition: .again(pause: .zero, ticks: 0),
                feed: .simulated
            )
        }
    }

    @Test("of two programs on one file one stores each alert, and the other goes on after it")
    func twoPrograms() async throws {
        let folder = NSTemporaryDirectory() + "hoga-alerts-\(UUID().uuidString)"
        try FileManager.default.createDirectory(
            atPath: folder,
            withIntermediateDirectories: true
        )
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let path = folder + "/hoga.sqlite"
        do {
            let users = StoredUserRepository(
                store: SQLiteStore(path: path) { SystemSources.now().microseconds },
                now: SystemSources.now
            )
            let feed = ExchangeSimulator.Feed.markets(won: 4, bitcoin: 1, rate: 200)
            try await ConnectedExchange.run(feed, alerts: path) { first in
                let second = try ConnectedExchange.markets(
                    of: first.simulator,
                    api: "1",
                    alerts: path
                )
                try await Self.beside(second) {
                    let price = try await eventually { () -> FixedDecimal? in
                        let board = second.latest.value.board
                        guard board.feed.connection == .live,
                            first.markets.latest.value.board.feed.connection == .live
                        else { return nil }
                        return board.market("BTC_KRW")?.price
                    }
                    for rule in Self.rules(around: price) {
                        let change = UserChange.addAlert(rule, at: SystemSources.now())
                        _ = try await users.perform(change, of: .local)
                    }
                    let log = try await eventually { () async throws -> [LoggedAlert]? in
                        let log = try await users.record(of: .local).alerts.value.log
                        return log.count > 3 ? log : nil
                    }
                    // On a busy machine a lease may end before it is renewed.
                    try await eventually { () -> Void? in
                        let leading = [first.markets, second].filter {
                            $0.alerts?.status.isLeading ?? false
                        }
                        return leading.count == 1 ? () : nil
                    }
                    // Both find the same alerts, and each is there once.
                    let alerts = log.map(\.alert)
                    #expect(Set(alerts).count == alerts.count)
                    #expect(log.map(\.number) == (1...Int64(log.count)).reversed())
                }
                await second.flush()
                // The second one has ended.
                let before = try await users.record(of: .local).alerts.value.log.first?.number
                try await eventually { () async throws -> Void? in
                    let log = try await users.record(of: .local).alerts.value.log
                    return log.first?.number ?? 0 > before ?? 0 ? () : nil
                }
            }
        }
    }

    private static func beside(
        _ markets: Markets,
        _ job: @escaping @Sendable () async throws -> Void
    ) async throws {
        let outcome = await Lifecycle.run(services: [{ @Sendable in await markets.run() }]) {
            () async -> Swift.Result<Void, any Error> in
            do { return .success(try await job()) } catch { return .failure(error) }
        }
        try outcome.get()
    }

    @Test(
        "an alert of a service is in the log of each instance once",
        .enabled(if: TestDatabase.isAvailable)
    )
    func services() async throws {
        try await Deployment.run { deployment in
            let kim = try await deployment.added("kim")
            let lee = try await deployment.added("lee")
            let url = deployment.database.appURL
            try await onBlockingThread {
                let first = try ServiceInstance(
                    ["HOGA_DATABASE_URL": url, "HOGA_DATABASE_SESSION_URL": url]
                )
                let second = try ServiceInstance(["HOGA_DATABASE_URL": url])
                let price = try first.bitcoinPrice(as: kim)
                try second.addCrossingRules(around: price, as: kim)
                let path = "/v1/me/alerts/log"
                let log = try first.answer(to: path, as: kim) { Self.rows($0) > 2 }
                #expect(try Self.rows(first.ask("GET", path, as: lee)) == 0)
                let ids = log.text.matches(of: #/"id":"(\d+)"/#).map { String($0.1) }
                #expect(Set(ids).count == ids.count)
                _ = try second.answer(to: path, as: kim) { Self.rows($0) >= ids.count }
            }
        }
    }

    private static func rows(_ answer: ServiceInstance.Answer) -> Int {
        answer.text.matches(of: #/"alert":/#).count
    }
}
