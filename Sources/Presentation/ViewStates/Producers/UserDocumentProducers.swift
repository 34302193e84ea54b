public import Domain
public import UseCases

/// The makers of the documents of one user.
///
/// Documents of the market have revisions of the process, `<epoch>-u<user>-<counter>`; what is only
/// kept has those of the store, `u<user>-<counter>`, the same for every process on it.
public final class UserDocumentProducers: Sendable {
    /// What whoever asks may do.
    private let scopes: [ProfileViewState.Scope]
    private let personal: UserStatePublisher
    /// Makes `portfolio`.
    public let portfolio: DocumentProducer<Language, PortfolioViewState>
    /// Makes `market-list` with a mark in every row.
    public let marketList: MarketListProducer
    private let snapshot: UserSnapshotProducer

    /// Makes the makers of one user in a process that has no others.
    ///
    /// - Parameters:
    ///   - personal: where what is kept comes from; always of the same user.
    ///   - lists: makes lists, and knows the names of coins.
    ///   - latest: where boards come from.
    ///   - scopes: what whoever asks may do.
    ///   - epoch: the first part of the revisions of market documents, new at each start of the
    ///     process.
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

    /// Makes the makers of one of many users.
    ///
    /// Makers that are made anew for a user begin no revision again, as long as the rows are the
    /// same.
    ///
    /// - Parameters:
    ///   - personal: where what is kept comes from; always of the same user.
    ///   - rows: those of the lists of everybody: ``MarketListProducer/rows``.
    ///   - scopes: what whoever asks may do.
    ///   - epoch: the first part of the revisions of market documents, new at each start of the
    ///     process.
    public init(
        personal: UserStatePublisher,
        rows: SharedMarketRows,
        scopes: [ProfileViewState.Scope],
        epoch: String
    ) {
        self.personal = personal
        self.scopes = scopes
        let latest = rows.latest
        let epoch = "\(epoch)-u\(personal.value.user.number)"
        let names = rows.presenter.names
        let presenter = PortfolioPresenter(names: names)
        let portfolio = { @Sendable (cut: BoardSnapshot, kept: UserState) in
            presenter.present(
                cut,
                kept.record,
                visibility: kept.status.visibility,
                // It has no field whose language a reader chooses.
                language: .korean
            )
        }
        self.portfolio = .init(epoch: epoch, counter: rows.counter) { _ in
            let cut = latest.value
            let kept = personal.value
            return .init(cut: cut, personalSequence: kept.sequence) { portfolio(cut, kept) }
        }
        marketList = MarketListProducer(rows: rows, personal: personal, epoch: epoch)
        snapshot = UserSnapshotProducer(
            .init(
                marketList: marketList,
                marketDetail: MarketDetailPresenter(names: names),
                assets: AssetsPresenter(names: names),
                portfolio: portfolio
            ),
            latest: latest,
            personal: personal,
            epoch: epoch,
            counter: rows.counter
        )
    }

    /// Follows the document that a query asks for: its revisions are those of ``bytes(_:)``.
    ///
    /// - Returns: nil for what is only kept, and tells nothing of the market.
    public func follow(_ query: UserDocumentQuery) -> PinnedDocument? {
        switch query {
        case .marketList(let query): marketList.follow(query)
        case .portfolio(let language): portfolio.follow(language)
        case .snapshot(let query): snapshot.follow(query)
        case .settings, .favorites, .holdings, .cash, .me: nil
        }
    }

    /// The document that a query asks for as JSON; encoded once for each revision.
    public func bytes(_ query: UserDocumentQuery) -> (bytes: [UInt8], revision: String) {
        let cut = personal.value
        let record = cut.record
        let isRead = cut.status.visibility == .shown
        return switch query {
        case .marketList(let query): marketList.bytes(query)
        case .portfolio(let language): portfolio.bytes(language)
        case .snapshot(let query): snapshot.bytes(query)
        case .settings:
            stored(record.settings, of: cut.user, isRead: true) { SettingsViewState($0) }
        case .favorites:
            stored(record.favorites, of: cut.user, isRead: isRead) {
                FavoritesViewState(isRead ? $0 : nil)
            }
        case .holdings:
            stored(record.holdings, of: cut.user, isRead: isRead) {
                HoldingsViewState(isRead ? $0 : nil)
            }
        case .cash:
            stored(record.cash, of: cut.user, isRead: isRead) {
                CashViewState(isRead ? $0 : nil)
            }
        case .me:
            stored(record.profile, of: cut.user, isRead: isRead) {
                ProfileViewState($0, scopes: scopes)
            }
        }
    }

    private func stored<Value, State: DocumentState>(
        _ kept: Revised<Value>,
        of user: UserID,
        isRead: Bool,
        _ makeState: (Value) -> State
    ) -> (bytes: [UInt8], revision: String) {
        let document = StoredDocument(
            user: user.number,
            counter: isRead ? kept.revision : nil,
            state: makeState(kept.value)
        )
        return (document.json, document.revision)
    }
}
