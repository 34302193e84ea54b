import Domain
import ViewStates

extension Command {
    static let doctor = Command(
        "doctor",
        "Check exchange, store and system, and suggest fixes",
        options: [.json],
        settings: Setting.source + Setting.storing + [.token],
        action: .run { invocation, program throws(ProgramError) in
            try await DoctorCommand(program: program, isJSON: invocation.has(.json)).run()
        }
    )
}

/// `hoga doctor`: checks everything that hoga needs and suggests fixes.
struct DoctorCommand: Sendable {
    let program: Program
    /// Whether the report is JSON.
    let isJSON: Bool

    /// Prints the report.
    ///
    /// - Throws: ``ProgramError`` `unavailable` after printing, if a check failed.
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

    /// Runs all checks concurrently.
    func report() async -> DoctorReport {
        let (exchange, services) = await exchangeChecks()
        let (store, storeServices) = storeChecks()
        return await Lifecycle.run(services: services + storeServices) {
            await DoctorReport.make(
                of: exchange + store + secretChecks()
                    + SystemChecks.checks(environment: program.environment),
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
            // A replay has neither live addresses nor a clock to check.
            if endpoint.kind == .replay {
                return ([DoctorCheck("exchange") { .ok("readable recording") }], [])
            }
            let checks = try ExchangeChecks(endpoint, program.configuration)
            return (checks.checks, [endpoint.run, checks.run])
        } catch {
            return ([Self.failed("exchange", error)], [])
        }
    }

    private func storeChecks() -> ([DoctorCheck], [@Sendable () async -> Void]) {
        do throws(ProgramError) {
            let store = try program.store()
            return (store.doctorChecks(token: program.configuration.token), [{ await store.run() }])
        } catch {
            return ([Self.failed("store", error)], [])
        }
    }

    /// The check of files with secrets; none if no secret comes from a file.
    private func secretChecks() -> [DoctorCheck] {
        let environment = program.environment
        let file = try? ConfigurationFile(ConfigurationFile.content(environment))
        let paths = SecretFiles.paths(program.configuration.entries, file, environment)
        guard !paths.isEmpty else { return [] }
        return [DoctorCheck("secret files") { SystemChecks.secretFiles(paths.sorted()) }]
    }

    private static func failed(_ name: String, _ error: ProgramError) -> DoctorCheck {
        DoctorCheck(name) {
            .fail("\(error)", "change the setting; 'hoga config show' prints its origin")
        }
    }
}
