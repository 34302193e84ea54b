import Domain
import ExchangeSimulator
import TestSupport
import Testing
import Trials

/// Ten virtual minutes take seconds without optimization: these are shorter, `make seeds` has all.
@Suite("Trials of whole programs")
struct ProgramTrialTests {
    private static let faults = [
        ScheduledFault(at: .seconds(5), lasting: .seconds(8), fault: .halfOpen(.stream2)),
        ScheduledFault(at: .seconds(9), lasting: .zero, fault: .change(instance: 0, number: 1)),
        ScheduledFault(
            at: .seconds(12),
            lasting: .zero,
            fault: .rename("USDT_KRW", to: "USDX_KRW")
        ),
        ScheduledFault(at: .seconds(16), lasting: .seconds(4), fault: .exchange(.api2Off)),
        ScheduledFault(
            at: .seconds(18),
            lasting: .seconds(3),
            fault: .store(.after, instance: nil)
        ),
        ScheduledFault(at: .seconds(20), lasting: .zero, fault: .reset(.stream1)),
    ]

    private func report() -> ProgramReport {
        ProgramTrial(seed: 6, faults: Self.faults, duration: .seconds(40)).run()
    }

    @Test("everything heals, and what happened is counted")
    func healing() {
        let report = report()
        #expect(report.failures == [])
        #expect(report.injected["half-open stream2", default: 0] > 0)
        #expect(report.injected["acknowledged changes"] == 1)
        #expect(report.injected["rename"] == 1)
        #expect(report.checks["fresh price is new", default: 0] > 0)
        #expect(report.checks["patched document equals the whole one", default: 0] > 0)
    }

    @Test("in calm every crossing fires the rules of the users, and nothing else does")
    func alerts() {
        let faults = (0..<12).map { number in
            ScheduledFault(
                at: .seconds(33),
                lasting: .zero,
                fault: .alertRule(instance: 0, number: number)
            )
        }
        let report = ProgramTrial(seed: 5, faults: faults, duration: .seconds(50)).run()
        #expect(report.failures == [])
        #expect(report.injected["alert rule"] == 12)
        #expect(report.checks["alert in time is at its crossing", default: 0] > 0)
        #expect(report.checks["crossing in calm is told", default: 0] > 0)
    }

    @Test("a fault that does not end is a failure, and the one that is left of several")
    func smaller() {
        let faults = [
            ScheduledFault(at: .seconds(3), lasting: .zero, fault: .reset(.stream1)),
            ScheduledFault(at: .seconds(6), lasting: .seconds(99), fault: .maintenance),
            ScheduledFault(at: .seconds(8), lasting: .zero, fault: .reset(.stream2)),
        ]
        let trial = ProgramTrial(seed: 6, faults: faults, duration: .seconds(14))
        let (smaller, report) = trial.smaller()
        #expect(smaller.faults.map(\.fault) == [ProgramFault.maintenance])
        #expect(report.failures.contains { $0.hasPrefix("at the end") })
    }
}
