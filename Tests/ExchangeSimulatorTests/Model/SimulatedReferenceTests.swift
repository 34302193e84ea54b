import Domain
import TestSupport
import Testing

@testable import ExchangeSimulator

@Suite("Deposits, withdrawals and warnings follow from the seed and change slowly")
struct SimulatedReferenceTests {
    private static let coins = (0..<1_000).map { "C\($0)" }
    private let ripple: MarketID = "XRP_KRW"

    private func flags(_ seed: UInt64, at time: Timestamp) -> [SimulatedReference.Flags] {
        let reference = SimulatedReference(seed: seed)
        return Self.coins.map { reference.flags(of: $0, at: time) }
    }

    @Test("the same seed and time give the same states, another seed others")
    func determinism() {
        #expect(flags(1, at: .noon()) == flags(1, at: .noon()))
        #expect(flags(1, at: .noon()) != flags(2, at: .noon()))
    }

    @Test(
        "about a tenth of the coins have deposits or withdrawals stopped, some both",
        arguments: [1, 2, 3]
    )
    func shares(seed: UInt64) {
        let flags = flags(seed, at: .noon())
        let mixed = flags.count { $0.isDepositOpen != $0.isWithdrawalOpen }
        let stopped = flags.count { !$0.isDepositOpen && !$0.isWithdrawalOpen }
        #expect((60...140).contains(mixed))
        #expect((20...90).contains(stopped))
    }

    @Test("few coins change within a minute, many within a day")
    func pace() {
        let before = flags(5, at: .noon())
        func changed(after seconds: Int) -> Int {
            zip(before, flags(5, at: .noon(seconds))).count { $0 != $1 }
        }
        #expect(changed(after: 1) < 10)
        #expect(changed(after: 60) < 30)
        #expect(changed(after: 86_400) > 100)
    }

    @Test("warnings end at 06:59:59 in Seoul, on some won markets only")
    func alerts() throws {
        let reference = SimulatedReference(seed: 7)
        let markets = try Self.coins.map { try #require(MarketID(symbol: $0, quote: .krw)) }
        let alerts = markets.map { reference.alerts(of: $0, at: .noon()) }
        #expect((50...160).contains(alerts.count { !$0.isEmpty }))
        let end = SeoulTime.timestamp(year: 2026, month: 11, day: 21, hour: 6)
            .advanced(by: .seconds(3_599))
        for alert in alerts.joined() {
            #expect(alert.endsAt == end)
            #expect(SimulatedReference.alertTypes.contains(alert.type))
            #expect(SimulatedReference.alertSteps.contains(alert.step))
        }
        #expect((20...90).contains(markets.count { reference.isWarned($0, at: .noon()) }))
        let bitcoinMarket = try #require(MarketID(symbol: "C1", quote: .btc))
        #expect(reference.alerts(of: bitcoinMarket, at: .noon()).isEmpty)
    }

    @Test("values set by hand override the seed for deposits, withdrawals or both")
    func flagsByHand() {
        var reference = SimulatedReference(seed: 7)
        reference.set(deposit: true, withdrawal: true, of: "XRP", at: .noon())
        reference.set(deposit: false, withdrawal: nil, of: "XRP", at: .noon())
        let expected = SimulatedReference.Flags(isDepositOpen: false, isWithdrawalOpen: true)
        #expect(reference.flags(of: "XRP", at: .noon()) == expected)
        #expect(reference.flags(of: "XRP", at: .noon(864_000)) == expected)
    }

    @Test("a warning set by hand ends in time, and a market has at most eight")
    func alertsByHand() {
        var reference = SimulatedReference(seed: 7)
        reference.endAlerts(of: ripple)
        #expect(reference.alerts(of: ripple, at: .noon()).isEmpty)
        for number in 0..<10 {
            let alert = SimulatedReference.Alert(
                type: "T\(number)",
                step: "S",
                endsAt: .noon(number)
            )
            reference.add(alert, to: ripple, at: .noon(-1))
        }
        #expect(
            reference.alerts(of: ripple, at: .noon(-1)).map(\.type) == (2..<10).map { "T\($0)" }
        )
        #expect(reference.alerts(of: ripple, at: .noon(8)).map(\.type) == ["T9"])
        reference.setWarned(true, ripple)
        #expect(reference.isWarned(ripple, at: .noon()))
    }

    @Test("a renamed coin keeps values set by hand")
    func renaming() {
        var reference = SimulatedReference(seed: 7)
        let alert = SimulatedReference.Alert(type: "T", step: "S", endsAt: .noon(9))
        reference.set(deposit: false, withdrawal: true, of: "XRP", at: .noon())
        reference.endAlerts(of: ripple)
        reference.add(alert, to: ripple, at: .noon())
        reference.setWarned(true, ripple)
        reference.rename(ripple, to: "NEW_KRW")
        #expect(!reference.flags(of: "NEW", at: .noon()).isDepositOpen)
        #expect(reference.alerts(of: "NEW_KRW", at: .noon()) == [alert])
        #expect(reference.isWarned("NEW_KRW", at: .noon()))
    }
}
