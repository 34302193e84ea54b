import UseCases
import Domain
import TestSupport
import Testing

@testable import App

/// The polling clock of the instances stands still, so a change can only arrive by the tested way.
@Suite(
    "Changes between instances on one database",
    .enabled(if: TestDatabase.isAvailable),
    .tags(.threads),
    .ownThread,
    .timeLimit(.minutes(4))
)
struct TwoInstancesTests {
    private static let changes: [UserChange] = {
        var patch = SettingsPatch()
        patch.theme = .dark
        let holding = Holding(
            asset: Asset(of: "BTC_KRW"),
            quantity: "0.5",
            averagePrice: "7"
        )
        return [
            .addFavorite("BTC_KRW"), .changeSettings(patch, expecting: nil), .putHolding(holding),
            .putCash("5"), .putDisplayName("이름"), .moveFavorite("BTC_KRW", to: 0),
            .removeHolding(holding.asset), .removeFavorite("BTC_KRW"),
        ]
    }()

    @Test(
        "a change arrives through LISTEN alone and through polling alone",
        arguments: [
            true, false,
        ]
    )
    func news(listens: Bool) async throws {
        try await Deployment.run { deployment in
            let token = try await deployment.added("kim")
            let clock = ManualClock()
            try await deployment.instance(of: token, listens: listens, clock: clock) { first in
                try await deployment.instance(
                    of: token,
                    listens: listens,
                    clock: clock
                ) { second in
                    try #require(try await first.shows { $0.status == .ready }, "the first reads")
                    try #require(try await second.shows { $0.status == .ready }, "the second reads")
                    for change in Self.changes {
                        let made = try await first.user.perform(change).record
                        try #require(try await second.shows { $0.record == made }, "\(change)")
                    }
                    let made = try await second.user.perform(.putCash("9")).record
                    try #require(try await first.shows { $0.record == made }, "and the other way")
                }
            }
        }
    }

    @Test("a token revoked while an instance runs hides its data")
    func revocation() async throws {
        try await Deployment.run { deployment in
            let token = try await deployment.added("kim")
            try await deployment.instance(
                of: token,
                listens: true,
                clock: ContinuousClock()
            ) { instance in
                _ = try await instance.user.perform(.putCash("5"))
                #expect(try await deployment.owner("user", "token", "revoke", "1").status == 0)
                let isShown = try await instance.shows { state in
                    guard case .failing(let failure) = state.status else { return false }
                    return failure.code == .unauthorized && state.record.cash.value == nil
                }
                try #require(isShown, "the screen reports it")
                await #expect(throws: StoreFailure.self) {
                    try await instance.user.perform(.putCash("6"))
                }
            }
            let kept = try await deployment.database.execute("SELECT amount FROM hoga.cash")
            #expect(kept == "5")
        }
    }

    @Test("changes made while a connection is broken appear after it reconnects")
    func interruption() async throws {
        try await Deployment.run { deployment in
            let token = try await deployment.added("kim")
            try await deployment.instance(
                of: token,
                listens: true,
                clock: ManualClock()
            ) { instance in
                let isRead = try await instance.shows { $0.status == .ready }
                try #require(isRead, "it reads")
                for round in 1...3 {
                    try await deployment.database.endConnections()
                    let change = try await deployment.user(token, "cash", "\(round)")
                    #expect(change.status == 0, "\(change.errors)")
                    let amount = FixedDecimal(Int64(round))
                    let isShown = try await instance.shows { $0.record.cash.value == amount }
                    try #require(isShown, "change \(round)")
                }
            }
        }
    }
}
