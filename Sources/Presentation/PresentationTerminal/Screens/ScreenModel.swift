public import Domain
public import ViewStates

/// What the screens need of the program: the newest data, presented.
///
/// Synchronous and cheap, because a screen calls it from its own thread between two frames.
public protocol ScreenModel: Sendable {
    /// Grows whenever the data, or what is kept for the user, changed.
    var sequence: UInt64 { get }

    /// The local wall clock.
    var now: Timestamp { get }

    /// What is kept for the user, as last read.
    var personal: UserState { get }

    /// All markets that match the state's tab and search, in its sort order, from the newest data;
    /// names are sorted in the language.
    func order(for state: MarketListScreenState, language: Language) -> [MarketID]

    /// The document of the rows in the state's window, from the newest data.
    func document(for state: MarketListScreenState, language: Language) -> MarketListDocument

    /// The document that answers a query, from the newest data; while nothing is there yet, one
    /// whose blocks say so.
    ///
    /// Asked for the market that is open, once a picture, and once more for its days while the
    /// list of days is shown.
    func detail(_ query: MarketDetailQuery) -> MarketDetailDocument

    /// Deposits and withdrawals, from the newest data: all coins that match the query.
    func assets(_ query: AssetsQuery) -> AssetsDocument

    /// What the user holds, valued by the newest data.
    func portfolio(language: Language) -> PortfolioDocument

    /// The coins that the user holds and that cannot be traded: their market is suspended, or the
    /// exchange lists it no longer.
    var haltedHoldings: Set<Asset> { get }

    /// The coins that can be added to what the user holds.
    var coins: KnownCoins { get }

    /// What this program is and is made of.
    func about(language: Language) -> AboutViewState

    /// The market to open for a coin: the one in won, else the one in bitcoin; nil without any.
    func market(of asset: Asset) -> MarketID?

    /// Says what the screen looks at from now on, in place of what it said before.
    ///
    /// Returns at once.
    func hold(_ interests: ScreenInterests)

    /// Asks for a change of what is kept.
    ///
    /// Returns at once; that it was made, or why it was not, shows up in ``personal``.
    func perform(_ change: UserChange)

    /// Starts reading everything anew, lists and what is held; returns at once.
    func reload()
}

/// What a screen looks at and has to be followed or read for it.
public struct ScreenInterests: Sendable, Hashable {
    /// Facets of single markets.
    public var details: Set<DetailInterest>
    /// Whether the deposit and withdrawal states of coins are looked at.
    public var assetStates: Bool

    /// Makes interests; without any a screen looks at nothing but lists.
    public init(details: Set<DetailInterest> = [], assetStates: Bool = false) {
        self.details = details
        self.assetStates = assetStates
    }
}
