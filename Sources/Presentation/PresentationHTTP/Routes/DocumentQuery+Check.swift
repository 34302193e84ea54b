public import ViewStates
public import Domain

extension DocumentQuery {
    /// Checks that a board has the market, price step and trade of the query.
    ///
    /// - Throws: ``ParameterError`` naming the one that does not exist.
    public func check(_ board: MarketBoard) throws(ParameterError) {
        if let problem = rejection(in: board) { throw ParameterError(problem) }
    }

    /// The error if the board lacks the market, price step or trade; nil if it has them.
    func rejection(in board: MarketBoard) -> Problem? {
        guard let query = detail else { return nil }
        if isUnknown(in: board) {
            return Problem(
                code: .notFound,
                detail: "the exchange has no market \(query.market.name)"
            )
        }
        return groupRejection(query, board) ?? cursorRejection(query, board)
    }

    /// A price step that the market does not have; all are valid before a price is known.
    private func groupRejection(_ query: MarketDetailQuery, _ board: MarketBoard) -> Problem? {
        guard let group = query.group else { return nil }
        let steps = board.priceSteps(of: query.market)
        guard !steps.isEmpty, !steps.contains(group) else { return nil }
        return .invalidParameter(
            prefix + "group",
            "\(group.canonicalText) is not a price step of \(query.market.name) at its price",
            allowed: steps.map(\.canonicalText)
        )
    }

    /// A trade that is not on the tape any more.
    private func cursorRejection(_ query: MarketDetailQuery, _ board: MarketBoard) -> Problem? {
        let id: TradeID
        switch query.trades {
        case .newest: return nil
        case .since(let since): id = since
        case .before(let before): id = before
        }
        guard board.tape(of: query.market).age(of: id) == nil else { return nil }
        return Problem(
            code: .cursorExpired,
            detail: "the trade \(id.text) is not among the newest of \(query.market.name);"
                + " omit since and before"
        )
    }

    /// The prefix of the market's parameters.
    private var prefix: String {
        switch self {
        case .snapshot: MarketDetailViewState.schemaName + "."
        case .marketList, .marketDetail, .orderBook, .trades, .candles, .assets: ""
        }
    }
}
