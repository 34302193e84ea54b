public import Domain

/// What a list screen needs of the program: the newest data, presented.
///
/// Synchronous and cheap, because a screen calls it from its own thread between two frames.
public protocol MarketListScreenModel: Sendable {
    /// Grows whenever the data changed.
    var sequence: UInt64 { get }

    /// The local wall clock.
    var now: Timestamp { get }

    /// All markets that match the state's tab and search, in its sort order, from the newest data.
    func order(for state: MarketListScreenState) -> [MarketID]

    /// The document of the rows in the state's window, from the newest data.
    func document(for state: MarketListScreenState) -> MarketListDocument

    /// Starts reading everything anew; returns at once.
    func reload()
}
