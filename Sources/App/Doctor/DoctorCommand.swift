import Domain
import ViewStates

/// `hoga doctor`: looks at everything that hoga needs, and says what to do about what is wrong.
struct DoctorCommand: Sendable {
    let program: Program
    /// Whether the report is JSON.
    let isJSON: Bool

    /// Prints what was found.
    ///
    /// - Throws: ``ProgramError`` `unavailable` after that, when a check failed.
    func run() async throws(ProgramError) {
        let report = await report()
        try Console.line(isJSON ? report.json : report.text)
        let failures = report.failureCount
        guard failures == 0 else {
            throw ProgramError(
                .unavailable,
                failures == 1 ? "1 check failed" : "\(failures) checks failed"
            )
        }
    }

    /// Looks at everything side by side.
    func report() async -> DoctorReport {
        let (exchange, services) = await exchangeChecks()
        let (store, storeServices) = storeChecks()
        return await Lifecycle.run(services: services + storeServices) {
            await DoctorReport.make(
                of: exchange + store + SystemChecks.checks(environment: program.environment),
                clock: ContinuousClock()
            )
        }
    }

    private func exchangeChecks() async -> ([DoctorCheck], [@Sendable () async -> Void]) {
        do throws(ProgramError) {
            let endpoint = try ExchangeEndpoint.make(
                program.configuration.exchange,
                program.configuration,
                standardSpeed: .times(1)
            )
            // A recording answers what it holds, and at no time of ours.
            if endpoint.kind == .replay {
                return ([DoctorCheck("exchange") { .ok("a recording, which can be read") }], [])
            }
            let checks = try ExchangeChecks(endpoint, program.configuration)
            return (checks.checks, [endpoint.run, checks.run])
        } catch {
            return ([Self.failed("exchange", error)], [])
        }
    }

    private func storeChecks() -> ([DoctorCheck], [@Sendable () async -> Void]) {
        do throws(ProgramError) {
            let place = try StorePlace(program)
            let checks = StoreChecks(place: place, token: program.configuration.token).checks
            switch place {
            case .nowhere, .file: return (checks, [])
            case .database(let shared): return (checks, [shared.run])
            }
        } catch {
            return ([Self.failed("store", error)], [])
        }
    }

    private static func failed(_ name: String, _ error: ProgramError) -> DoctorCheck {
        DoctorCheck(name) {
            .fail("\(error)", "change the setting; hoga config show tells where it came from")
        }
    }
}
