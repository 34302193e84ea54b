import Domain
import UseCases

extension Program {
    /// Runs the configured command for the alerts of a user; nil if none is configured.
    ///
    /// The runner takes each new state from now on; the caller runs its `run()`.
    func alertCommandRunner(for user: UserStatePublisher) -> AlertCommandRunner? {
        guard let command = configuration.alertCommand else { return nil }
        let given = configuration.givenSettings.language
        let runner = AlertCommandRunner(command, environment: environment, log: log) {
            given ?? user.value.record.settings.value.language
        }
        runner.apply(user.value)
        user.onChange { runner.apply(user.value) }
        return runner
    }
}
