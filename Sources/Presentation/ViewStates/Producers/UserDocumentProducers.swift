public import Domain
public import UseCases

/// The producers of one user's documents.
///
/// Documents of the market have revisions of the process, `<epoch>-u<user>-<counter>`. Stored
/// documents have revisions of the store, `u<user>-<counter>`, the same on every instance.
public final class UserDocumentProducers: Sendable {
    /// The reader's permissions.
    private let scopes: [ProfileViewState.Scope]
    private let personal: UserStatePublisher
    private let latest: SnapshotPublisher
    /// Produces `portfolio`.
    public let portfolio: DocumentProducer<Language, PortfolioViewState>
    /// Produces `alerts` for streams; the stored document has the revision of the store.
    let alerts: DocumentProducer<Language, AlertsViewState>
    /// Produces `market-list` with the user's mark in every row.
    public let marketList: MarketListProducer
    private let snapshot: UserSnapshotProducer

    /// Makes producers for a process with one user.
    ///
    /// - Parameters:
    ///   - personal: publishes the user's state.
    ///   - lists: presents lists; its coin names are shared.
    ///   - latest: publishes the snapshots of the board.
    ///   - scopes: what the reader may do.
    ///   - epoch: the first part of the revisions of market documents, new at each start.
    public convenience init(
        personal: UserStatePublisher,
        lists: MarketListPresenter,
        latest: SnapshotPublisher,
        scopes: [ProfileViewState.Scope],
        epoch: String
    ) {
        self.init(
            personal: personal,
            rows: SharedMarketRows(presenter: lists, latest: latest),
            scopes: scopes,
            epoch: epoch
        )
    }

    /// Makes producers for one of many users.
    ///
    /// New producers for the same user never repeat a revision while the rows are the same.
    ///
    /// - Parameters:
    ///   - personal: publishes the user's state.
    ///   - rows: the rows and the cache of the public lists: ``MarketListProducer/rows``.
    ///   - scopes: what the reader may do.
    ///   - epoch: the first part of the revisions of market documents, new at each start.
    public init(
        personal: UserStatePublisher,
        rows: SharedMarketRows,
        scopes: [ProfileViewState.Scope],
        epoch: String
    ) {
        self.personal = personal
        self.scopes = scopes
        let latest = rows.latest
        self.latest = latest
        let epoch = "\(epoch)-u\(personal.value.user.number)"
        let names = rows.presenter.names
        let presenter = PortfolioPresenter(names: names)
        let portfolio = { @Sendable (snapshot: BoardSnapshot, user: UserState) in
            presenter.present(
                snapshot,
                user.record,
                visibility: user.status.visibility,
                // No field of a portfolio depends on the language.
                language: .korean
            )
        }
        let number = rows.cache.nextProducer()
        self.portfolio = .init(
            cache: rows.cache,
            epoch: epoch,
            cacheKey: { .user(producer: number, .portfolio($0)) },
            read: { _ in
                let (snapshot, user) = (latest.value, personal.value)
                return .init(snapshot: snapshot, userSequence: user.sequence) {
                    portfolio(snapshot, user)
                }
            }
        )
        let alertsPresenter = AlertsPresenter()
        let alerts = { @Sendable (snapshot: BoardSnapshot, user: UserState, language: Language) in
            alertsPresenter.present(
                user.status.visibility == .shown ? user.record.alerts.value : nil,
                at: snapshot.board.exchangeTime(at: snapshot.capturedAt),
                language
            )
        }
        self.alerts = .init(
            cache: rows.cache,
            epoch: epoch,
            cacheKey: { .user(producer: number, .alerts($0)) },
            read: { language in
                let (snapshot, user) = (latest.value, personal.value)
                return .init(snapshot: snapshot, userSequence: user.sequence) {
                    alerts(snapshot, user, language)
                }
            }
        )
        marketList = MarketListProducer(rows: rows, personal: personal, epoch: epoch)
        snapshot = UserSnapshotProducer(
            .init(
                marketList: marketList,
                marketDetail: MarketDetailPresenter(names: names),
                assets: AssetsPresenter(names: names),
                portfolio: portfolio,
                alerts: alerts
            ),
            latest: latest,
            personal: personal,
            cache: rows.cache,
            epoch: epoch
        )
    }

    /// The document of a query, kept in the cache until the result is released.
    ///
    /// - Returns: nil for a document that is not streamed.
    public func follow(_ query: UserDocumentQuery) -> PinnedDocument? {
        switch query {
        case .marketList(let query): marketList.follow(query)
        case .portfolio(let language): portfolio.follow(language)
        case .alerts(let language): alerts.follow(language)
        case .snapshot(let query): snapshot.follow(query)
        case .settings, .favorites, .holdings, .cash, .me: nil
        }
    }

    /// The encoded document of a query.
    ///
    /// - Returns: nil for a stored document, whose fields depend on the token.
    public func encoded(_ query: UserDocumentQuery) -> EncodedDocument? {
        switch query {
        case .marketList(let query): marketList.encoded(query).document
        case .portfolio(let language): portfolio.encoded(language).document
        case .snapshot(let query): snapshot.encoded(query)
        case .alerts, .settings, .favorites, .holdings, .cash, .me: nil
        }
    }

    /// The document of a query as JSON, and its revision.
    public func bytes(_ query: UserDocumentQuery) -> (bytes: [UInt8], revision: String) {
        if let document = encoded(query) { return (document.json, document.revision) }
        let user = personal.value
        let record = user.record
        let isRead = user.status.visibility == .shown
        return switch query {
        case .alerts(let language):
            stored(record.alerts, of: user.user, isRead: isRead) {
                AlertsViewState(isRead ? $0 : nil, at: exchangeTime, language)
            }
        case .settings:
            stored(record.settings, of: user.user, isRead: true) { SettingsViewState($0) }
        case .favorites:
            stored(record.favorites, of: user.user, isRead: isRead) {
                FavoritesViewState(isRead ? $0 : nil)
            }
        case .holdings:
            stored(record.holdings, of: user.user, isRead: isRead) {
                HoldingsViewState(isRead ? $0 : nil)
            }
        case .cash:
            stored(record.cash, of: user.user, isRead: isRead) {
                CashViewState(isRead ? $0 : nil)
            }
        case .me:
            stored(record.profile, of: user.user, isRead: isRead) {
                ProfileViewState($0, scopes: scopes)
            }
        case .marketList, .portfolio, .snapshot:
            preconditionFailure("market documents are encoded by their producers")
        }
    }

    /// Exchange time of the newest snapshot.
    private var exchangeTime: Timestamp {
        let snapshot = latest.value
        return snapshot.board.exchangeTime(at: snapshot.capturedAt)
    }

    private func stored<Value, State: DocumentState>(
        _ value: Revised<Value>,
        of user: UserID,
        isRead: Bool,
        _ makeState: (Value) -> State
    ) -> (bytes: [UInt8], revision: String) {
        let document = StoredDocument(
            user: user.number,
            counter: isRead ? value.revision : nil,
            state: makeState(value.value)
        )
        return (document.json, document.revision)
    }
}
