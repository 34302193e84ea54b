import Domain
import Synchronization
import TestSupport

@testable import UseCases

/// The user service and the token verifier over an in-memory store, driven step by step.
struct UserStateBench {
    let tasks = SteppedTasks()
    let store = InMemoryUsers()
    let tokens: TokenVerifier
    let users: UserStateService
    /// Users of whom the store has lost changes.
    let losses = Inbox<UserID>()
    private let jobs = AsyncStream<@Sendable () async -> Void>.makeStream(
        bufferingPolicy: .bufferingNewest(10_000)
    )

    /// Makes a bench with `count` users, each with a token of the same number.
    init(
        users count: Int = 2,
        polls: Bool = false,
        bytesMax: Int = UserStateService.standardBytesMax
    ) {
        tokens = TokenVerifier(
            repository: store,
            clock: tasks.clock,
            now: { Timestamp(microseconds: 1) }
        )
        users = UserStateService(
            repository: store,
            notifications: polls
                ? nil : VerifiedNotifications(verifier: tokens, notifications: store),
            polls: polls,
            outlet: .requests,
            bytesMax: bytesMax,
            clock: tasks.clock,
            onLoss: { [losses] in losses.put($0) }
        )
        for number in 1...count {
            store.addUser(UserID(Int64(number)), name: "user\(number)")
            store.addToken(TokenHash(number: number), of: UserID(Int64(number)))
        }
    }

    /// Runs everything while a test drives.
    func drive(_ drive: () throws -> Void) async throws {
        let (tokens, users, jobs) = (tokens, users, jobs.stream)
        try await tasks.running(
            {
                await withTaskGroup(of: Void.self) { group in
                    group.addTask { await tokens.run() }
                    group.addTask { await users.run() }
                    for await job in jobs { group.addTask { await job() } }
                    group.cancelAll()
                }
            },
            drive: drive
        )
    }

    /// Passes time in which the store says each second that it told everything.
    func passWithNews(seconds: Int) {
        for _ in 0..<seconds {
            tasks.advance(by: .seconds(1))
            store.notify(.current(age: .zero))
        }
    }

    /// Starts a call and runs it until it waits.
    func ask<Value: Sendable>(
        _ question: @escaping @Sendable () async throws(StoreFailure) -> Value
    ) -> Answer<Value> {
        let answer = Answer<Value>()
        jobs.continuation.yield {
            do throws(StoreFailure) {
                answer.state.withLock { $0 = .none }
                let value = try await question()
                answer.state.withLock { $0 = .success(value) }
            } catch {
                answer.state.withLock { $0 = .failure(error) }
            }
        }
        tasks.settle()
        return answer
    }

    func grant(_ number: Int) -> Answer<TokenGrant> {
        let tokens = tokens
        return ask { () async throws(StoreFailure) in
            try await tokens.grant(of: TokenHash(number: number))
        }
    }

    func state(_ number: Int64) -> Answer<UserStatePublisher> {
        let users = users
        return ask { () async throws(StoreFailure) in try await users.state(of: UserID(number)) }
    }

    func change(_ change: UserChange, of number: Int64) -> Answer<UserRecord> {
        let users = users
        return ask { () async throws(StoreFailure) in
            try await users.perform(change, of: UserID(number)).record
        }
    }
}

/// The result of a call.
final class Answer<Value: Sendable>: Sendable {
    let state = Mutex<Result<Value, StoreFailure>?>(nil)

    /// The value; nil until the call succeeds.
    var value: Value? {
        state.withLock { if case .success(let value) = $0 { value } else { nil } }
    }

    /// The failure; nil until the call fails.
    var failure: StoreFailure.Code? {
        state.withLock { if case .failure(let failure) = $0 { failure.code } else { nil } }
    }
}
