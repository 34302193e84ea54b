public import Domain
import UseCases

/// Presents a user's holdings at current prices.
public struct PortfolioPresenter: Sendable {
    /// Coin names until the board has its own.
    public let names: CoinNames

    /// Makes a presenter.
    public init(names: CoinNames) {
        self.names = names
    }

    /// Presents a snapshot of the board and of the user's data.
    ///
    /// Price directions follow the user's change period. While the user's data are not loaded, rows
    /// and amounts are empty and the health says why.
    public func present(
        _ snapshot: BoardSnapshot,
        _ personal: UserRecord,
        visibility: Visibility = .shown,
        language: Language
    ) -> PortfolioViewState {
        if let health = HealthPresenter.unread(visibility, language: language) {
            return PortfolioViewState(
                health: health,
                user: .init(name: personal.profile.value.name, displayName: nil),
                cash: .init(amount: nil, amountText: nil, sharePercent: nil),
                rows: [],
                totals: .init(),
                unvalued: []
            )
        }
        let board = snapshot.board
        let names = board.names(else: names)
        let valuation = PortfolioValuation(
            personal.holdings.value,
            cash: personal.cash.value,
            on: board
        )
        let period = personal.settings.value.changePeriod
        let rows = valuation.lines.map { line in
            (line: line, name: names.sortKey(line.holding.asset.symbol, language))
        }.sorted { left, right in
            // Highest value first; equal values by name.
            if left.line.value != right.line.value { return left.line.isWorthMore(right.line) }
            return left.name == right.name
                ? left.line.holding.asset < right.line.holding.asset : left.name < right.name
        }
        return PortfolioViewState(
            health: HealthPresenter.present(
                board.feed,
                hasMarkets: !board.markets.isEmpty,
                now: snapshot.capturedAt,
                language: language
            ),
            user: .init(
                name: personal.profile.value.name,
                displayName: personal.profile.value.displayName
            ),
            cash: .init(
                amount: valuation.cash,
                amountText: valuation.cash.map(NumberText.won),
                sharePercent: valuation.cashSharePercent
            ),
            rows: rows.map { row($0.line, snapshot, names, period) },
            totals: Self.totals(valuation.totals),
            unvalued: valuation.unvalued.map(\.symbol)
        )
    }

    private func row(
        _ line: PortfolioValuation.Line,
        _ snapshot: BoardSnapshot,
        _ names: CoinNames,
        _ period: ChangePeriod
    ) -> PortfolioViewState.Row {
        let asset = line.holding.asset
        var row = PortfolioViewState.Row(
            asset: asset.symbol,
            name: names.viewState(asset.symbol),
            quantity: line.holding.quantity
        )
        row.averagePrice = line.holding.averagePrice
        row.price = line.price
        row.valuedThrough = line.market?.name
        row.value = line.value
        row.valueText = line.value.map(NumberText.won)
        row.cost = line.cost
        row.profit = line.profit
        row.profitText = line.profit.map(NumberText.wonChange)
        row.profitRatePercent = line.profitRatePercent
        row.sharePercent = line.sharePercent
        let transfers = snapshot.board.assets(at: snapshot.capturedAt).transfers(
            of: asset,
            at: snapshot.capturedAt
        )
        row.deposit = transfers.deposit
        row.withdrawal = transfers.withdrawal
        // A suspended market has no price direction.
        row.priceDirection = line.market.flatMap { snapshot.board.market($0) }.flatMap {
            $0.isTrading
                ? DirectionViewState(
                    snapshot.board.change(of: $0, over: period, now: snapshot.capturedAt)
                )
                : nil
        }
        return row
    }

    private static func totals(
        _ totals: PortfolioValuation.Totals
    ) -> PortfolioViewState.Totals {
        var view = PortfolioViewState.Totals()
        view.value = totals.value
        view.valueText = totals.value.map(NumberText.won)
        view.cost = totals.cost
        view.profit = totals.profit
        view.profitRatePercent = totals.profitRatePercent
        return view
    }
}

extension PortfolioValuation.Line {
    /// Whether this line sorts before another; unknown values sort last.
    fileprivate func isWorthMore(_ other: PortfolioValuation.Line) -> Bool {
        guard let value else { return false }
        return other.value.map { value > $0 } ?? true
    }
}
