import Concurrency
import DataSourceContracts
import Domain
import ViewStates
import Synchronization

/// What a service keeps for the user of a token: read with ETags, changed by the contract's
/// methods.
///
/// Nobody is asked for everything each second: one of the five parts is, in turn, so that what
/// others change is seen within a few seconds; all of them after a change of anything.
final class RemoteUserRepository: UserRepository {
    /// The part that is asked for next, and what is known of each.
    private struct State {
        var parts = RemoteUserRecord()
        var next = 0
        /// Grows with everything that is found to be another.
        var changes: Int64 = 0
        var backoff = Backoff(.service)
        /// Until when the service is not asked again, and why.
        var rest: (until: Duration, failure: StoreFailure)?
    }

    /// How often a change of the whole order of favourites is tried when others change it too.
    private static let attemptsMax = 4

    private let service: RemoteClient
    private let sources: RemoteEnvironment
    private let state = Mutex(State())

    /// Makes what is kept by a service; nothing is asked yet.
    init(_ service: RemoteClient, _ sources: RemoteEnvironment) {
        self.service = service
        self.sources = sources
    }

    func record(of user: UserID) async throws(StoreFailure) -> UserRecord {
        try rested()
        for part in RemoteUserRecord.Part.allCases { try await look(at: part) }
        return state.withLock { $0.parts.record }
    }

    func changeCount(of user: UserID) async throws(StoreFailure) -> Int64 {
        try rested()
        let part = state.withLock { state in
            let parts = RemoteUserRecord.Part.allCases
            defer { state.next = (state.next + 1) % parts.count }
            return parts[state.next]
        }
        try await look(at: part)
        return state.withLock { $0.changes }
    }

    func checkWriting(of user: UserID) async throws(StoreFailure) {
        if state.withLock({ !$0.parts.isRead(.profile) }) { try await look(at: .profile) }
        guard state.withLock({ $0.parts.scopes.contains(.write) }) else {
            throw StoreFailure(.forbidden, "the token opens reading alone")
        }
    }

    func journal(
        of user: UserID,
        newest count: Int
    ) async throws(StoreFailure) -> [JournalEntry] {
        throw StoreFailure(.refused, "a service does not tell its journal")
    }

    func perform(
        _ change: UserChange,
        of user: UserID
    ) async throws(StoreFailure) -> UserRecord {
        for part in RemoteUserRecord.Part.allCases where state.withLock({ !$0.parts.isRead(part) })
        {
            try await look(at: part)
        }
        switch change {
        case .moveFavorite(let market, let place): try await move(market, to: place)
        case .addFavorite, .removeFavorite, .replaceFavorites, .changeSettings, .putHolding,
            .removeHolding, .putCash, .putDisplayName:
            try await send(change)
        }
        return state.withLock { $0.parts.record }
    }
}

extension RemoteUserRepository {
    /// Moves a favourite: the contract knows whole orders alone, so another change in between has
    /// it read and tried again.
    private func move(_ market: MarketID, to place: Int) async throws(StoreFailure) {
        var attempt = 1
        while true {
            let favorites = state.withLock { $0.parts.record.favorites }
            var order = favorites.value
            guard let from = order.firstIndex(of: market) else { return }
            order.remove(at: from)
            order.insert(market, at: min(max(place, 0), order.count))
            guard order != favorites.value else { return }
            do throws(StoreFailure) {
                return try await send(.replaceFavorites(order, expecting: favorites.revision))
            } catch {
                guard error.code == .conflict, attempt < Self.attemptsMax else { throw error }
                attempt += 1
                try await look(at: .favorites)
            }
        }
    }

    /// Sends a change; that there is nothing to remove is no failure.
    private func send(_ change: UserChange) async throws(StoreFailure) {
        let user = state.withLock { $0.parts.user }
        let sent: UserChangeRequest
        do throws(RemoteFailure) {
            sent = try UserChangeRequest(change, user: user)
        } catch {
            throw Self.failure(error)
        }
        let request = service.request(
            RemoteTarget(path: sent.path, isPersonal: true),
            sent.method,
            fields: sent.condition.map { [("If-Match", $0)] } ?? [],
            body: sent.body
        )
        let part = RemoteUserRecord.Part(of: change)
        do throws(RemoteFailure) {
            let response = try await service.send(request)
            noteAnswer()
            // Where the answer is the whole part, nobody has to be asked for it.
            if response.status == 200 {
                return take(try RemoteUserRecord.Reading(part, response.body), response)
            }
        } catch {
            guard error.code == .missing, case .removeHolding = change else {
                throw Self.failure(error)
            }
        }
        let before = state.withLock { $0.changes }
        try await look(at: part)
        state.withLock { state in
            // The change was made; an instance that has yet to hear of it is believed later.
            if state.changes == before, state.parts.apply(change) { state.changes += 1 }
        }
    }

    private func take(_ reading: RemoteUserRecord.Reading, _ response: HTTPResponse) {
        state.withLock { state in
            if state.parts.take(reading, tag: response.headers["etag"]) { state.changes += 1 }
        }
    }

    /// Reads a part if it has changed.
    private func look(at part: RemoteUserRecord.Part) async throws(StoreFailure) {
        let tag = state.withLock { $0.parts.tag(of: part) }
        let request = service.request(
            RemoteTarget(path: part.path, isPersonal: true),
            fields: tag.map { [("If-None-Match", $0)] } ?? []
        )
        do throws(RemoteFailure) {
            let response = try await service.send(request)
            guard response.status != 304 else { return noteAnswer() }
            let read = try RemoteUserRecord.Reading(part, response.body)
            noteAnswer()
            take(read, response)
        } catch {
            let failure = Self.failure(error)
            rest(after: error, failure)
            throw failure
        }
    }

    /// Fails with what was found last while the service is to be left alone.
    private func rested() throws(StoreFailure) {
        let now = sources.uptime()
        let failure = state.withLock { state in
            state.rest.flatMap { $0.until > now ? $0.failure : nil }
        }
        if let failure { throw failure }
    }

    private func noteAnswer() {
        state.withLock { state in
            state.backoff.succeeded()
            state.rest = nil
        }
    }

    private func rest(after failure: RemoteFailure, _ words: StoreFailure) {
        let now = sources.uptime()
        let random = sources.random()
        state.withLock { state in
            let pause = state.backoff.failed(
                at: now,
                random: random,
                pause: failure.retryAfter ?? .zero
            )
            state.rest = (now + pause, words)
        }
    }

    /// A failure in the words of stores, which forms and screens know.
    private static func failure(_ failure: RemoteFailure) -> StoreFailure {
        switch failure.code {
        case .unreachable, .proxy, .untrusted, .timedOut, .disconnected, .leaving, .silent,
            .notHoga, .storeAway, .failed:
            StoreFailure(.unavailable, "the server: \(failure.detail)")
        case .otherVersion: StoreFailure(.incompatible, failure.detail)
        case .unauthorized: StoreFailure(.unauthorized, failure.detail)
        case .forbidden: StoreFailure(.forbidden, failure.detail)
        case .rateLimited: StoreFailure(.busy, failure.detail)
        case .changed: StoreFailure.conflict(in: "what is kept")
        case .missing, .refused: StoreFailure(.refused, failure.detail)
        }
    }
}
