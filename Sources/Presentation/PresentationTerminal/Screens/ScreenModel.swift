public import Domain
public import ViewStates

/// The newest data for the screens, presented.
///
/// Synchronous and fast, because the terminal thread calls it between two frames.
public protocol ScreenModel: Sendable {
    /// Grows whenever market data or the user's data changes.
    var sequence: UInt64 { get }

    /// The local wall clock.
    var now: Timestamp { get }

    /// The user's data as last read.
    var personal: UserState { get }

    /// All markets that match the state's tab and search, in its sort order, from the newest data;
    /// names are sorted in the language.
    func order(for state: MarketListScreenState, language: Language) -> [MarketID]

    /// The document of the rows in the state's window, from the newest data.
    func document(for state: MarketListScreenState, language: Language) -> MarketListDocument

    /// The facts of markets on the screen that only wide lists show; changes are in them within a
    /// second.
    ///
    /// Called once per frame for a wide list.
    ///
    /// - Returns: nil if the source of the data has none of them.
    func wideRows(of markets: [MarketID], _ query: WideRowQuery) -> WideRows?

    /// The document for a query, from the newest data; blocks without data say so.
    ///
    /// Called once per frame for the open market, and once more for its days while they are shown.
    func detail(_ query: MarketDetailQuery) -> MarketDetailDocument

    /// Deposits and withdrawals, from the newest data: all coins that match the query.
    func assets(_ query: AssetsQuery) -> AssetsDocument

    /// The user's holdings at the newest prices.
    func portfolio(language: Language) -> PortfolioDocument

    /// The coins that the user holds and that cannot be traded: their market is suspended, or the
    /// exchange lists it no longer.
    var haltedHoldings: Set<Asset> { get }

    /// The coins that can be added to what the user holds.
    var coins: KnownCoins { get }

    /// Whether the user's record has alerts that rules fire.
    var hasAlerts: Bool { get }

    /// What the text of a rule refers to.
    var alertContext: AlertRuleContext { get }

    /// Why the user's command for alerts failed last; nil if it did not.
    var alertCommandFailure: AlertCommandFailure? { get }

    /// Version, notices and licenses of the program.
    func about(language: Language) -> AboutViewState

    /// The market of a coin: in won, else in bitcoin; nil if it has none.
    func market(of asset: Asset) -> MarketID?

    /// Replaces the data that the screen needs.
    ///
    /// Returns immediately.
    func hold(_ interests: ScreenInterests)

    /// Submits a change of the user's data.
    ///
    /// Returns immediately; the result appears in ``personal``.
    func perform(_ change: UserChange)

    /// Writes a text into a file that does not exist yet; blocks until the disk has it. The name is
    /// absolute, or relative to the working folder.
    func save(_ text: String, as name: String) -> FileOutcome

    /// Reloads lists and the user's data; returns immediately.
    func reload()
}

/// What became of a file.
public enum FileOutcome: Sendable, Hashable {
    /// Written, with its absolute path.
    case written(path: String)
    /// Not written: a file of this path exists.
    case exists(path: String)
    /// Not written; the system's error number, and its text in English.
    case failed(path: String, number: Int32, text: String)
    /// Not written: no open chart has prices. Models never return it.
    case noChart
}

/// The data that a screen needs.
public struct ScreenInterests: Sendable, Hashable {
    /// Facets of single markets.
    public var details: Set<DetailInterest>
    /// Whether deposit and withdrawal states are needed.
    public var assetStates: Bool

    /// Creates interests; by default only lists are needed.
    public init(details: Set<DetailInterest> = [], assetStates: Bool = false) {
        self.details = details
        self.assetStates = assetStates
    }
}
