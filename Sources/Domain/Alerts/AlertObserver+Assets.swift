/// Evaluates what is known of coins besides their markets' trades: deposits, withdrawals, warnings
/// and what users hold of them.
extension AlertObserver {
    /// Evaluates deposits, withdrawals and warnings.
    mutating func observeReference(
        _ board: MarketBoard,
        now: Timestamp,
        _ fired: inout [FiredAlert]
    ) {
        guard board.feed.kind == feed else { return }
        let assets = board.assets(at: now)
        let isFresh = assets.isFresh(at: now)
        let marks = board.reference.marks
        let all = watched.shared.isEmpty ? [] : board.markets.map(\.id)
        for market in Set(watched.markets).union(all) {
            for signal in watched.signals(of: market) {
                switch signal {
                case .deposit, .withdrawal:
                    guard isFresh, let readAt = assets.readAt,
                        let asset = Asset(symbol: market.symbol), let state = assets[asset],
                        let isOpen = signal == .deposit
                            ? state.isDepositOpen : state.isWithdrawalOpen
                    else { continue }
                    observe(signal, market, isOpen ? .one : .zero, at: readAt, &fired)
                case .caution:
                    guard let marks else { continue }
                    let isOn = marks.warned.contains(market)
                    observe(signal, market, isOn ? .one : .zero, at: marks.readAt, &fired)
                case .exchangeAlert:
                    guard let marks else { continue }
                    // An alert may end between two readings.
                    let ends = (marks.alerts[market] ?? []).compactMap(\.endsAt).filter {
                        $0 <= now
                    }
                    let at = max(marks.readAt, ends.max() ?? marks.readAt)
                    let isOn = !marks.alerts(of: market, at: now).isEmpty
                    observe(signal, market, isOn ? .one : .zero, at: at, &fired)
                case .price, .change, .turnover, .spread, .strength, .listed, .trading, .value,
                    .profitRate:
                    break
                }
            }
        }
    }

    /// Evaluates the values and returns of holdings.
    mutating func observeHoldings(
        _ board: MarketBoard,
        now: Timestamp,
        _ fired: inout [FiredAlert]
    ) {
        guard !watched.personal.isEmpty else { return }
        let at = board.exchangeTime(at: now)
        var valuations: [UserID: PortfolioValuation] = [:]
        for key in watched.personal {
            guard let id = key.subject.owner, let owner = owners[id] else { continue }
            let valuation =
                valuations[id]
                ?? PortfolioValuation(owner.holdings, cash: owner.cash, on: board)
            valuations[id] = valuation
            guard let value = valuation.value(of: key) else { continue }
            apply(.observed(AlertObservation(key.signal, of: key.subject, value, at: at)), &fired)
        }
    }
}

extension PortfolioValuation {
    /// The value of a signal; nil if it is unknown.
    ///
    /// A portfolio with a holding that has no price has no value.
    fileprivate func value(of key: AlertGaugeKey) -> FixedDecimal? {
        guard let market = key.subject.market else {
            guard unvalued.isEmpty else { return nil }
            return key.signal == .value ? totals.value : totals.profitRatePercent
        }
        return lines.first { $0.holding.asset.symbol == market.symbol }?.profitRatePercent
    }
}
