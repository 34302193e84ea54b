public import ViewStates
public import Domain

extension DocumentQuery {
    /// Why a board has no answer, though the question is well put.
    ///
    /// - Throws: ``ParameterError`` naming the market, price step or trade that there is none of.
    public func check(_ board: MarketBoard) throws(ParameterError) {
        if let problem = refusal(in: board) { throw ParameterError(problem) }
    }

    /// The answer instead of a document; nil if there is one.
    func refusal(in board: MarketBoard) -> Problem? {
        guard let query = detail else { return nil }
        if isUnknown(in: board) {
            return Problem(
                code: .notFound,
                detail: "the exchange has no market \(query.market.name)"
            )
        }
        return groupRefusal(query, board) ?? cursorRefusal(query, board)
    }

    /// A price step that is none of the market's; before a price is known any may be.
    private func groupRefusal(_ query: MarketDetailQuery, _ board: MarketBoard) -> Problem? {
        guard let group = query.group else { return nil }
        let steps = board.priceSteps(of: query.market)
        guard !steps.isEmpty, !steps.contains(group) else { return nil }
        return .invalidParameter(
            prefix + "group",
            "\(group.canonicalText) is no price step of \(query.market.name) at its price",
            allowed: steps.map(\.canonicalText)
        )
    }

    /// A trade that is not on the tape, or no longer.
    private func cursorRefusal(_ query: MarketDetailQuery, _ board: MarketBoard) -> Problem? {
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
                + " ask without since and before"
        )
    }

    /// What stands before the names of a market's parameters.
    private var prefix: String {
        switch self {
        case .snapshot: MarketDetailViewState.schemaName + "."
        case .marketList, .marketDetail, .orderBook, .trades, .candles, .assets: ""
        }
    }
}
