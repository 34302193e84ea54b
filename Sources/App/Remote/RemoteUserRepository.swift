import Concurrency
import DataSourceContracts
import DataSourcesRemote
import Domain
import ViewStates
import Synchronization

/// The record of a server's user, read with ETags and changed over HTTP.
///
/// Each poll reads one of the documents in turn, alerts every other time, so changes elsewhere
/// appear within a few seconds.
final class RemoteUserRepository: UserRepository {
    /// The record and the state of polling.
    private struct State {
        var parts = RemoteUserRecord()
        var next = 0
        /// The number of changes seen.
        var changes: Int64 = 0
        var backoff = Backoff(.hogaServer)
        /// The end of the wait after a failure, and the failure.
        var wait: (until: Duration, failure: StoreFailure)?
    }

    /// The parts in the order of polls: alerts are read every other time.
    private static let pollOrder = RemoteUserRecord.Part.allCases
        .filter { $0 != .alerts }
        .flatMap { [$0, .alerts] }
    /// The maximum attempts of a new order of favorites while it also changes elsewhere.
    private static let attemptsMax = 4

    private let client: RemoteClient
    private let environment: RemoteEnvironment
    private let state = Mutex(State())

    /// Makes a repository; it sends nothing by itself.
    init(_ client: RemoteClient, _ environment: RemoteEnvironment) {
        self.client = client
        self.environment = environment
    }

    func record(of user: UserID) async throws(StoreFailure) -> UserRecord {
        try checkWait()
        for part in RemoteUserRecord.Part.allCases { try await read(part) }
        return state.withLock { $0.parts.record }
    }

    func changeCount(of user: UserID) async throws(StoreFailure) -> Int64 {
        try checkWait()
        let part = state.withLock { state in
            defer { state.next = (state.next + 1) % Self.pollOrder.count }
            return Self.pollOrder[state.next]
        }
        try await read(part)
        return state.withLock { $0.changes }
    }

    func checkWriting(of user: UserID) async throws(StoreFailure) {
        if state.withLock({ !$0.parts.isRead(.profile) }) { try await read(.profile) }
        guard state.withLock({ $0.parts.scopes.contains(.write) }) else {
            throw StoreFailure(.forbidden, "the token is read-only")
        }
    }

    func journal(
        of user: UserID,
        newest count: Int
    ) async throws(StoreFailure) -> [JournalEntry] {
        throw StoreFailure(.refused, "a server does not publish its journal")
    }

    /// Whether the server has alerts, as far as it was asked.
    var hasAlerts: Bool { state.withLock { $0.parts.hasAlerts } }

    func alertLog(
        of user: UserID,
        before number: Int64?,
        count: Int
    ) async throws(StoreFailure) -> [LoggedAlert] {
        if state.withLock({ !$0.parts.isRead(.alerts) }) { try await read(.alerts) }
        let (owner, hasAlerts) = state.withLock { (UserID($0.parts.user), $0.parts.hasAlerts) }
        guard hasAlerts else { return [] }
        let before = number.map { [RemoteParameter("before", String($0))] } ?? []
        let target = RemoteTarget(
            path: "/v1/me/alerts/log",
            parameters: before + [RemoteParameter("limit", String(count))],
            isPersonal: true
        )
        do throws(RemoteFailure) {
            let response = try await client.send(client.request(target))
            let document = try RemoteClient.decode(
                StoredDocument<AlertLogViewState>.self,
                AlertLogViewState.schemaName,
                AlertLogViewState.schemaVersion,
                from: response.body
            )
            return document.state.rows.compactMap { LoggedAlert($0, owner: owner) }
        } catch {
            throw Self.failure(error)
        }
    }

    func perform(
        _ change: UserChange,
        of user: UserID
    ) async throws(StoreFailure) -> UserRecord {
        for part in RemoteUserRecord.Part.allCases where state.withLock({ !$0.parts.isRead(part) })
        {
            try await read(part)
        }
        switch change {
        case .moveFavorite(let market, let place): try await move(market, to: place)
        case .addAlert, .replaceAlert, .removeAlert, .markAlertsSeen:
            guard state.withLock({ $0.parts.hasAlerts }) else { throw Self.noAlerts }
            try await send(change)
        case .addFavorite, .removeFavorite, .replaceFavorites, .changeSettings, .putHolding,
            .removeHolding, .putCash, .putDisplayName:
            try await send(change)
        }
        return state.withLock { $0.parts.record }
    }
}

extension RemoteUserRepository {
    /// Moves a favorite by replacing the whole order; a conflict re-reads it and retries.
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
                try await read(.favorites)
            }
        }
    }

    /// Sends a change.
    ///
    /// Removing an unknown holding or alert succeeds.
    private func send(_ change: UserChange) async throws(StoreFailure) {
        let user = state.withLock { $0.parts.user }
        let sent: UserChangeRequest
        do throws(RemoteFailure) {
            sent = try UserChangeRequest(change, user: user)
        } catch {
            throw Self.failure(error)
        }
        let request = client.request(
            RemoteTarget(path: sent.path, isPersonal: true),
            sent.method,
            fields: sent.condition.map { [("If-Match", $0)] } ?? [],
            body: sent.body
        )
        let part = RemoteUserRecord.Part(of: change)
        do throws(RemoteFailure) {
            let response = try await client.send(request)
            noteAnswer()
            // The answer is the whole part already, but for one rule.
            if response.status == 200, part != .alerts {
                return store(try RemoteUserRecord.Reading(part, response.body), response)
            }
        } catch {
            guard error.code == .missing, change.isRemoval else { throw Self.failure(error) }
        }
        let before = state.withLock { $0.changes }
        try await read(part)
        state.withLock { state in
            // An instance that has not seen the change yet answers with the old part.
            if state.changes == before, state.parts.apply(change) { state.changes += 1 }
        }
    }

    private func store(_ reading: RemoteUserRecord.Reading, _ response: HTTPResponse) {
        state.withLock { state in
            if state.parts.store(reading, tag: response.headers["etag"]) { state.changes += 1 }
        }
    }

    /// Reads a part if it changed.
    private func read(_ part: RemoteUserRecord.Part) async throws(StoreFailure) {
        let tag = state.withLock { $0.parts.tag(of: part) }
        let request = client.request(
            RemoteTarget(path: part.path, isPersonal: true),
            fields: tag.map { [("If-None-Match", $0)] } ?? []
        )
        do throws(RemoteFailure) {
            let response = try await client.send(request)
            guard response.status != 304 else { return noteAnswer() }
            let reading = try RemoteUserRecord.Reading(part, response.body)
            noteAnswer()
            store(reading, response)
        } catch {
            if error.code == .missing, part == .alerts {
                noteAnswer()
                return state.withLock { state in
                    if state.parts.store(.alerts(nil), tag: nil) { state.changes += 1 }
                }
            }
            let failure = Self.failure(error)
            wait(after: error, failure)
            throw failure
        }
    }

    /// The server is of a version without alerts.
    private static let noAlerts = StoreFailure(
        .refused,
        "alerts: the server is an earlier version of hoga. Update the server"
    )

    /// Throws the last failure while a wait lasts.
    private func checkWait() throws(StoreFailure) {
        let now = environment.uptime()
        let failure = state.withLock { state in
            state.wait.flatMap { $0.until > now ? $0.failure : nil }
        }
        if let failure { throw failure }
    }

    private func noteAnswer() {
        state.withLock { state in
            state.backoff.succeeded()
            state.wait = nil
        }
    }

    private func wait(after failure: RemoteFailure, _ storeFailure: StoreFailure) {
        let now = environment.uptime()
        let random = environment.random()
        state.withLock { state in
            let pause = state.backoff.failed(
                at: now,
                random: random,
                pause: failure.retryAfter ?? .zero
            )
            state.wait = (now + pause, storeFailure)
        }
    }

    /// The failure as a store failure, which screens present.
    private static func failure(_ failure: RemoteFailure) -> StoreFailure {
        switch failure.code {
        case .unreachable, .proxy, .untrusted, .timedOut, .disconnected, .leaving, .silent,
            .notHoga, .storeAway, .failed:
            StoreFailure(.unavailable, "the server: \(failure.detail)")
        case .otherVersion: StoreFailure(.incompatible, failure.detail)
        case .unauthorized: StoreFailure(.unauthorized, failure.detail)
        case .forbidden: StoreFailure(.forbidden, failure.detail)
        case .rateLimited: StoreFailure(.busy, failure.detail)
        case .changed: StoreFailure.conflict(in: "user data")
        case .missing, .refused: StoreFailure(.refused, failure.detail)
        }
    }
}

extension UserChange {
    /// Whether the change removes something that may be gone already.
    fileprivate var isRemoval: Bool {
        switch self {
        case .removeHolding, .removeAlert: true
        case .addFavorite, .removeFavorite, .moveFavorite, .replaceFavorites, .changeSettings,
            .putHolding, .putCash, .putDisplayName, .addAlert, .replaceAlert, .markAlertsSeen:
            false
        }
    }
}
