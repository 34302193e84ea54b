import Domain
import UseCases

/// Waits for the first list that is worth printing.
enum FirstData {
    /// How long a single document waits for the exchange.
    static let patience: Duration = .seconds(10)
    /// How long it waits for a recording to be read to its end.
    static let replayPatience: Duration = .seconds(600)

    /// How long it waits for an exchange that cannot be reached, where the store has a list.
    static let storedPatience: Duration = .seconds(3)

    /// Waits until the list is complete, or the recording has been played to its end.
    ///
    /// - Returns: whether the exchange told a list; with false the documents tell what failed.
    static func waitForList(_ markets: Markets, _ exchange: ExchangeEndpoint) async -> Bool {
        let isReplay = exchange.kind == .replay
        let isAvailable: @Sendable (BoardSnapshot) -> Bool = { cut in
            let feed = cut.board.feed
            if isReplay, feed.kind == .replay { return feed.connection == .ended }
            return feed.listedQuotes.count == Quote.allCases.count
        }
        if await markets.cut(within: storedPatience, where: isAvailable) != nil { return true }
        let board = markets.latest.value.board
        if board.feed.listingFailure != nil, board.markets.contains(where: \.isStored) {
            return false
        }
        let limit = (isReplay ? replayPatience : patience) - storedPatience
        if await markets.cut(within: limit, where: isAvailable) != nil { return true }
        // What only the store knows is shown, and is no answer of the exchange.
        return markets.latest.value.board.markets.contains { !$0.isStored }
    }

    /// How long a single document waits for the parts of a market.
    static let detailPatience: Duration = .seconds(5)

    /// Waits until every part has been read once, or could not be.
    static func waitForDetails(_ interests: Set<DetailInterest>, _ markets: Markets) async {
        guard !interests.isEmpty else { return }
        _ = await markets.cut(within: detailPatience) { cut in
            let needs = cut.board.detailNeeds.readings
            return interests.allSatisfy { interest in
                guard let detail = cut.board.details[interest.market] else { return false }
                return detail.failures[interest.facet] != nil
                    || detail.facets.contains(interest.facet) && !needs.contains(interest)
            }
        }
    }

    /// Waits until deposits and withdrawals have been read once, or could not be.
    static func waitForTransfers(_ markets: Markets) async {
        _ = await markets.cut(within: detailPatience) { cut in
            let assets = cut.board.reference.assets
            // Of a recording they are never read.
            return assets.readAt != nil || assets.failure != nil || cut.board.feed.kind == .replay
        }
    }
}
