import DataSourcesRemote
import Domain
import ViewStates

/// The record of a server's user, assembled from its documents.
struct RemoteUserRecord: Sendable {
    /// A part of the record with a document of its own.
    enum Part: Int, Sendable, Hashable, CaseIterable {
        case profile, favorites, settings, holdings, cash, alerts

        /// The part that a change affects.
        init(of change: UserChange) {
            switch change {
            case .addFavorite, .removeFavorite, .moveFavorite, .replaceFavorites: self = .favorites
            case .changeSettings: self = .settings
            case .putHolding, .removeHolding: self = .holdings
            case .putCash: self = .cash
            case .putDisplayName: self = .profile
            case .addAlert, .replaceAlert, .removeAlert, .markAlertsSeen: self = .alerts
            }
        }

        /// The path of the document.
        var path: String {
            switch self {
            case .profile: "/v1/me"
            case .favorites: "/v1/me/favorites"
            case .settings: "/v1/me/settings"
            case .holdings: "/v1/me/holdings"
            case .cash: "/v1/me/cash"
            case .alerts: "/v1/me/alerts"
            }
        }
    }

    /// A decoded part.
    enum Reading: Sendable {
        case profile(Revised<UserProfile>, [ProfileViewState.Scope], user: Int64)
        case favorites(Revised<[MarketID]>)
        case settings(Revised<UserSettings>)
        case holdings(Revised<[Holding]>)
        case cash(Revised<FixedDecimal?>)
        /// Nil from a server of an earlier version, which has no alerts.
        case alerts(Revised<UserAlerts>?)
    }

    /// The record; parts that were not read are empty.
    private(set) var record = UserRecord(name: "")
    /// The scopes of the token.
    private(set) var scopes: [ProfileViewState.Scope] = []
    /// The user's number; 0 until the profile is read.
    private(set) var user: Int64 = 0
    /// Whether the server has alerts.
    private(set) var hasAlerts = true
    private var tags: [Part: String] = [:]
    private var readParts: Set<Part> = []

    /// Whether a part was read.
    func isRead(_ part: Part) -> Bool { readParts.contains(part) }

    /// The ETag of a part; nil if it was not read.
    func tag(of part: Part) -> String? { tags[part] }

    /// Stores a part.
    ///
    /// - Returns: whether the record or the scopes changed.
    mutating func store(_ reading: Reading, tag: String?) -> Bool {
        let (before, scopesBefore) = (record, scopes)
        let part: Part
        switch reading {
        case .profile(let profile, let scopes, let user):
            part = .profile
            record.profile = profile
            self.scopes = scopes
            self.user = user
        case .favorites(let favorites):
            part = .favorites
            record.favorites = favorites
        case .settings(let settings):
            part = .settings
            record.settings = settings
        case .holdings(let holdings):
            part = .holdings
            record.holdings = holdings
        case .cash(let cash):
            part = .cash
            record.cash = cash
        case .alerts(let alerts):
            part = .alerts
            hasAlerts = alerts != nil
            record.alerts = alerts ?? Revised(UserAlerts(), revision: 0)
        }
        tags[part] = tag
        readParts.insert(part)
        return record != before || scopes != scopesBefore
    }

    /// Applies an accepted change that documents do not show yet; the next reading replaces it.
    ///
    /// - Returns: whether the record changed.
    mutating func apply(_ change: UserChange) -> Bool {
        guard let changed = try? record.applying(change), changed != record else { return false }
        record = changed
        tags[Part(of: change)] = nil
        return true
    }
}

extension RemoteUserRecord.Reading {
    /// Decodes the document of a part.
    ///
    /// - Throws: ``RemoteFailure`` `otherVersion` for an unknown document or value.
    init(_ part: RemoteUserRecord.Part, _ body: [UInt8]) throws(RemoteFailure) {
        switch part {
        case .profile:
            let document = try Self.document(ProfileViewState.self, body)
            let (user, revision) = try Self.revision(document)
            let state = document.state
            let profile = UserProfile(name: state.name, displayName: state.displayName)
            self = .profile(Revised(profile, revision: revision), state.scopes, user: user)
        case .favorites:
            let document = try Self.document(FavoritesViewState.self, body)
            let rows = try Self.rows(document.state.rows)
            var markets: [MarketID] = []
            for row in rows {
                guard let market = MarketID(name: row.market) else { throw Self.unreadable(part) }
                markets.append(market)
            }
            self = .favorites(Revised(markets, revision: try Self.revision(document).counter))
        case .settings:
            let document = try Self.document(SettingsViewState.self, body)
            guard let settings = UserSettings(document.state) else { throw Self.unreadable(part) }
            self = .settings(Revised(settings, revision: try Self.revision(document).counter))
        case .holdings:
            let document = try Self.document(HoldingsViewState.self, body)
            let rows = try Self.rows(document.state.rows)
            var holdings: [Holding] = []
            for row in rows {
                guard let asset = Asset(symbol: row.asset) else { throw Self.unreadable(part) }
                holdings.append(
                    Holding(asset: asset, quantity: row.quantity, averagePrice: row.averagePrice)
                )
            }
            self = .holdings(Revised(holdings, revision: try Self.revision(document).counter))
        case .cash:
            let document = try Self.document(CashViewState.self, body)
            let counter = try Self.revision(document).counter
            self = .cash(Revised(document.state.amount, revision: counter))
        case .alerts:
            let document = try Self.document(AlertsViewState.self, body)
            let (user, counter) = try Self.revision(document)
            self = .alerts(Revised(UserAlerts(document.state, of: user), revision: counter))
        }
    }

    private static func document<State: DocumentState>(
        _ type: State.Type,
        _ body: [UInt8]
    ) throws(RemoteFailure) -> StoredDocument<State> {
        try RemoteClient.decode(
            StoredDocument<State>.self,
            State.schemaName,
            State.schemaVersion,
            from: body
        )
    }

    /// Parses a revision like `u7-12`: the user's number and the number of changes.
    private static func revision<State>(
        _ document: StoredDocument<State>
    ) throws(RemoteFailure) -> (user: Int64, counter: Int64) {
        let parts = document.revision.dropFirst().split(separator: "-")
        guard document.revision.hasPrefix("u"), parts.count == 2, let user = Int64(parts[0]),
            let counter = Int64(parts[1])
        else { throw RemoteFailure(.storeAway, "the server has not read its store yet") }
        return (user, counter)
    }

    private static func rows<Row>(_ rows: [Row]?) throws(RemoteFailure) -> [Row] {
        guard let rows else {
            throw RemoteFailure(.storeAway, "the server has not read its store yet")
        }
        return rows
    }

    private static func unreadable(_ part: RemoteUserRecord.Part) -> RemoteFailure {
        RemoteFailure(
            .otherVersion,
            "\(part.path) has unknown values; use the same version of hoga on both sides"
        )
    }
}

extension UserSettings {
    /// Reads a document; nil for an unknown value.
    init?(_ view: SettingsViewState) {
        guard let sort = MarketSortKey(rawValue: view.sort),
            let sortDirection = SortDirection(rawValue: view.sortDirection),
            let quote = Quote(rawValue: view.quote), let tab = Tab(rawValue: view.tab),
            let changePeriod = ChangePeriod(rawValue: view.changePeriod),
            let interval = CandleInterval(rawValue: view.interval),
            let chartStyle = ChartStyle(rawValue: view.chartStyle),
            let theme = Theme(rawValue: view.theme), let colors = Colors(rawValue: view.colors),
            let language = Language(rawValue: view.lang),
            let marketLayout = MarketLayout(
                rawValue: view.marketLayout ?? MarketLayout.all.rawValue
            )
        else { return nil }
        self.init()
        self.sort = sort
        self.sortDirection = sortDirection
        self.quote = quote
        self.tab = tab
        self.pinFavorites = view.pinFavorites
        self.changePeriod = changePeriod
        self.interval = interval
        self.chartStyle = chartStyle
        averages = view.averages.filter(CandleSeries.averageWindows.contains)
        self.depth = view.depth
        self.theme = theme
        self.colors = colors
        self.language = language
        self.marketLayout = marketLayout
    }
}
