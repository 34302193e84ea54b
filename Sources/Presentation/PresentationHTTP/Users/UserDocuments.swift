import Cryptography
import Domain
import JSON
import Synchronization
import UseCases
import ViewStates

/// The documents of one user.
final class UserDocuments: Sendable {
    /// Produces the documents of the market.
    let producers: UserDocumentProducers
    /// The user's state.
    let state: UserStatePublisher

    /// Makes the documents of a user's published state.
    init(_ state: UserStatePublisher, producers: UserDocumentProducers) {
        self.state = state
        self.producers = producers
    }

    /// The document of a query, from the newest snapshot and user state.
    ///
    /// - Parameters:
    ///   - query: the document.
    ///   - scopes: the permissions of the token.
    ///   - now: exchange time.
    /// - Returns: the document.
    func document(
        _ query: UserDocumentQuery,
        scopes: [ProfileViewState.Scope],
        at now: Timestamp
    ) -> CacheableDocument {
        if let document = producers.encoded(query) {
            return CacheableDocument(document: document, scope: .user)
        }
        let present = state.value
        return Self.stored(query, present.record, of: present.user, scopes: scopes, at: now)
    }

    /// A stored document, the same on every instance.
    ///
    /// - Precondition: the document shows no market data.
    static func stored(
        _ query: UserDocumentQuery,
        _ record: UserRecord,
        of user: UserID,
        scopes: [ProfileViewState.Scope],
        at now: Timestamp
    ) -> CacheableDocument {
        switch query {
        case .alerts(let language):
            alerts(user, record.alerts, at: now, language)
        case .settings:
            encoded(user, record.settings.revision, SettingsViewState(record.settings.value))
        case .favorites:
            encoded(user, record.favorites.revision, FavoritesViewState(record.favorites.value))
        case .holdings:
            encoded(user, record.holdings.revision, HoldingsViewState(record.holdings.value))
        case .cash: encoded(user, record.cash.revision, CashViewState(record.cash.value))
        case .me:
            encoded(
                user,
                record.profile.revision,
                ProfileViewState(record.profile.value, scopes: scopes),
                variant: scopes.map { "." + $0.rawValue }.joined()
            )
        case .marketList, .portfolio, .snapshot:
            preconditionFailure("market documents come from their producers")
        }
    }

    /// Expired rules change the document of a revision, so the tag has their number.
    private static func alerts(
        _ user: UserID,
        _ alerts: Revised<UserAlerts>,
        at now: Timestamp,
        _ language: Language
    ) -> CacheableDocument {
        let expiredCount = alerts.value.expiredCount(at: now)
        return encoded(
            user,
            alerts.revision,
            AlertsViewState(alerts.value, at: now, language),
            variant: expiredCount == 0 ? "" : ".\(expiredCount)"
        )
    }

    /// A document whose revision is a digest, because the store counts no changes of it.
    static func digested(
        _ state: some DocumentState,
        of user: UserID,
        scope: CacheableDocument.Scope
    ) -> CacheableDocument {
        var json = JSONWriter(capacity: state.estimatedJSONSize)
        state.write(to: &json)
        let digest = Cryptography.sha256(json.bytes).prefix(8)
            .reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        let document = StoredDocument(user: user.number, digest: digest, state: state)
        return CacheableDocument(
            document: EncodedDocument(revision: document.revision, tag: document.revision) {
                document.json
            },
            scope: scope
        )
    }

    /// A stored document; `variant` tells those of one revision apart that depend on token or time.
    static func encoded<State: DocumentState>(
        _ user: UserID,
        _ counter: Int64,
        _ state: State,
        variant: String = ""
    ) -> CacheableDocument {
        let document = StoredDocument(user: user.number, counter: counter, state: state)
        return CacheableDocument(
            document: EncodedDocument(
                revision: document.revision,
                tag: document.revision + variant
            ) {
                document.json
            },
            scope: .stored
        )
    }
}

/// The documents of the users that a ``UserStateService`` caches.
///
/// Holds no more users than the service: evicted users leave both.
final class CachedUserDocuments: Sendable {
    private let users = Mutex<[UserID: UserDocuments]>([:])

    /// The documents of a user, made with the first request.
    func documents(
        of state: UserStatePublisher,
        _ make: (UserStatePublisher) -> UserDocuments
    ) -> UserDocuments {
        let user = state.value.user
        return users.withLock { users in
            if let documents = users[user], documents.state === state { return documents }
            let documents = make(state)
            users[user] = documents
            return documents
        }
    }

    /// Removes the documents of evicted users.
    func evict(_ evicted: [UserID]) {
        users.withLock { users in
            for user in evicted { users[user] = nil }
        }
    }
}
