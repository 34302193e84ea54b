import Domain
import UseCases
import ViewStates
import Synchronization

/// The documents of one user, ready to send.
///
/// Bound: ``encodedMax`` market documents are kept encoded; when full, the one that was asked for
/// longest ago is made again the next time.
final class UserDocuments: Sendable {
    /// Distinct questions whose bytes are kept.
    static let encodedMax = 8
    /// How caches are to keep what is personal.
    static let cacheControl = "private, no-cache"

    private struct Kept {
        var revision: String
        var document: EncodedDocument
        var usedAt: UInt64
    }

    private struct State {
        var kept: [UserDocumentQuery: Kept] = [:]
        var uses: UInt64 = 0
    }

    /// Makes the documents that tell of markets.
    let cutters: UserDocumentProducers
    private let latest: UserStatePublisher
    private let state = Mutex(State())

    /// Makes documents of what is published of a user.
    init(_ latest: UserStatePublisher, cutters: UserDocumentProducers) {
        self.latest = latest
        self.cutters = cutters
    }

    /// The answer to a question, from the newest cuts.
    func document(_ query: UserDocumentQuery, scopes: [ProfileViewState.Scope]) -> EncodedDocument {
        guard query.includesMarketData else {
            let cut = latest.value
            return Self.stored(query, cut.record, of: cut.user, scopes: scopes)
        }
        let (bytes, revision) = cutters.bytes(query)
        return state.withLock { state in
            state.uses += 1
            if let kept = state.kept[query], kept.revision == revision {
                state.kept[query]?.usedAt = state.uses
                return kept.document
            }
            let document = EncodedDocument(
                bytes: bytes,
                tag: revision,
                cacheControl: Self.cacheControl,
                isCompressible: true
            )
            state.kept[query] = Kept(
                revision: revision,
                document: document,
                usedAt: state.uses
            )
            if state.kept.count > Self.encodedMax,
                let oldest = state.kept.min(by: { $0.value.usedAt < $1.value.usedAt })
            {
                state.kept[oldest.key] = nil
            }
            return document
        }
    }

    /// A document of what is only kept: the same on every instance.
    ///
    /// - Precondition: the question is not of markets.
    static func stored(
        _ query: UserDocumentQuery,
        _ record: UserRecord,
        of user: UserID,
        scopes: [ProfileViewState.Scope]
    ) -> EncodedDocument {
        switch query {
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
                ProfileViewState(record.profile.value, scopes: scopes)
            )
        case .marketList, .portfolio, .snapshot:
            preconditionFailure("What tells of markets is made of a cut of them.")
        }
    }

    private static func encoded<State: DocumentState>(
        _ user: UserID,
        _ counter: Int64,
        _ state: State
    ) -> EncodedDocument {
        let document = StoredDocument(user: user.number, counter: counter, state: state)
        return EncodedDocument(
            bytes: document.json,
            tag: document.revision,
            cacheControl: cacheControl,
            isCompressible: false
        )
    }
}

extension TokenScope {
    /// In the words of the document `me`.
    var scopes: [ProfileViewState.Scope] { allowsChanges ? [.read, .write] : [.read] }
}
