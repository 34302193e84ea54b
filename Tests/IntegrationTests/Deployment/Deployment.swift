import Domain
import Foundation
import TestSupport
import Testing
import UseCases

@testable import App

/// A database migrated by its owner, and hoga as the users of a deployment start it.
struct Deployment: Sendable {
    let database: TestDatabase

    /// Runs a job with a database of its own.
    static func run(_ job: (Deployment) async throws -> Void) async throws {
        try await TestDatabase.with { database in
            let deployment = Deployment(database: database)
            let outcome = try await deployment.owner("migrate", "up")
            try #require(outcome.status == 0, "\(outcome.errors)")
            try await job(deployment)
        }
    }

    /// Runs hoga as the operator of the deployment.
    func owner(_ arguments: String...) async throws -> HogaProcess.Outcome {
        try await hoga(arguments, ["HOGA_DATABASE_URL": database.ownerURL])
    }

    /// Runs hoga as a user, with a token or without.
    func user(_ token: String?, _ arguments: String...) async throws -> HogaProcess.Outcome {
        var environment = ["HOGA_DATABASE_URL": database.appURL]
        environment["HOGA_TOKEN"] = token
        return try await hoga(arguments, environment)
    }

    /// Runs hoga to its end with these variables.
    func hoga(
        _ arguments: [String],
        _ environment: [String: String]
    ) async throws -> HogaProcess.Outcome {
        try await onBlockingThread { try HogaProcess.run(arguments, environment: environment) }
    }

    /// Adds a user.
    ///
    /// - Returns: the text of a token of that user.
    func added(_ name: String) async throws -> String {
        let outcome = try await owner("user", "add", name)
        try #require(outcome.status == 0, "\(outcome.errors)")
        return try await token(of: name)
    }

    /// Creates a token; flags follow the name.
    func token(of name: String, _ flags: String...) async throws -> String {
        let outcome = try await hoga(
            ["user", "token", "new", name] + flags,
            ["HOGA_DATABASE_URL": database.ownerURL]
        )
        try #require(outcome.status == 0, "\(outcome.errors)")
        return outcome.output.trimmingCharacters(in: .newlines)
    }

    /// An instance of hoga inside this process, which runs as long as the job.
    ///
    /// - Parameters:
    ///   - token: the user's token.
    ///   - listens: whether it has a session for LISTEN.
    ///   - clock: measures the interval between polls for changes.
    ///   - url: another URL of the database.
    ///   - job: the work beside it.
    /// - Throws: what the job throws.
    func instance(
        of token: String,
        listens: Bool,
        clock: any Clock<Duration>,
        url: String? = nil,
        _ job: @escaping @Sendable (StoreSession) async throws -> Void
    ) async throws {
        let url = url ?? database.appURL
        let choice = DatabaseChoice(
            url: url,
            sessionURL: listens ? url : nil,
            connectionsMax: 2
        )
        let access: AccessToken = try #require(AccessToken(token))
        let session = try StoreSession(
            place: try DatabaseStore(choice),
            token: access,
            log: SilentLog(),
            clock: clock
        )
        let failure = JobFailure()
        try await session.using { () async throws(ProgramError) in
            await Lifecycle.run(services: [session.run]) {
                do { try await job(session) } catch { await failure.take(error) }
            }
        }
        if let error = await failure.error { throw error }
    }
}

/// Why a job failed.
private actor JobFailure {
    private(set) var error: (any Error)?

    func take(_ error: any Error) { self.error = error }
}

extension StoreSession {
    /// Waits until the published state meets a condition; records the last one otherwise.
    ///
    /// - Returns: true.
    /// - Throws: `CancellationError` when the test is cancelled.
    func shows(
        _ isMet: @escaping @Sendable (UserState) -> Bool
    ) async throws -> Bool {
        do {
            return try await eventually { isMet(user.state.value) ? true : nil }
        } catch {
            Issue.record("the state never became as expected, but stayed \(user.state.value)")
            throw error
        }
    }
}
