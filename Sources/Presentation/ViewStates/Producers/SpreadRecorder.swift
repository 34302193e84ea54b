public import Domain
import Synchronization

/// Records the spreads of open markets' books until the program exits.
public final class SpreadRecorder: Sendable {
    private let histories = Mutex(SpreadHistories())

    /// Makes a recorder without a spread.
    public init() {}

    /// Records the spread of a presented book, and presents its last hour.
    ///
    /// Only a fresh book counts, and only one whose sides do not cross.
    ///
    /// - Parameters:
    ///   - book: the book on the screen.
    ///   - market: its market.
    ///   - time: of the exchange.
    /// - Returns: nil while nothing is known of the hour.
    public func record(
        _ book: OrderBookViewState,
        of market: MarketID,
        at time: Timestamp
    ) -> SpreadHourViewState? {
        let isCounted = book.health.phase == .ready && !book.crossed
        let spread = isCounted ? book.spreadBasisPoints : nil
        let hour = histories.withLock { $0.observe(spread, of: market, at: time) }
        return hour.map { SpreadHourViewState($0, spread: spread) }
    }
}
