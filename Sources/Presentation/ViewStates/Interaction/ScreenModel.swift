public import Domain

/// What the screens need of the program: the newest data, presented.
///
/// Synchronous and cheap, because a screen calls it from its own thread between two frames.
public protocol ScreenModel: Sendable {
    /// Grows whenever the data changed.
    var sequence: UInt64 { get }

    /// The local wall clock.
    var now: Timestamp { get }

    /// All markets that match the state's tab and search, in its sort order, from the newest data.
    func order(for state: MarketListScreenState) -> [MarketID]

    /// The document of the rows in the state's window, from the newest data.
    func document(for state: MarketListScreenState) -> MarketListDocument

    /// The document that answers a query, from the newest data; while nothing is there yet, one
    /// whose blocks say so.
    ///
    /// Asked for the market that is open, once a picture, and once more for its days while the
    /// list of days is shown.
    func detail(_ query: MarketDetailQuery) -> MarketDetailDocument

    /// Says what the screen looks at from now on, in place of what it said before; empty: no
    /// detail. Returns at once.
    func hold(_ interests: Set<DetailInterest>)

    /// Starts reading everything anew, lists and what is held; returns at once.
    func reload()
}
