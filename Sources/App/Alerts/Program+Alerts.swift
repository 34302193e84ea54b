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
        // The caller keeps both; the user keeps this listener.
        user.onChange { [weak runner, weak user] in
            if let runner, let user { runner.apply(user.value) }
        }
        return runner
    }
}
