import Domain
import Synchronization

extension SimulatedFeed {
    // MARK: REST

    /// The body of `assetsstatus/ALL`: every coin of a listed market, suspended or not.
    var allAssets: [UInt8] {
        let time = clock.now()
        return state.withLock { state in
            var seen: Set<String> = []
            var coins: [(symbol: String, flags: SimulatedReference.Flags)] = []
            for market in state.exchange.markets where market.standing != .delisted {
                guard seen.insert(market.id.symbol).inserted else { continue }
                let symbol = market.id.symbol
                coins.append((symbol, state.reference.flags(of: symbol, at: time)))
            }
            var writer = ReferenceResponseWriter()
            return writer.assets(coins)
        }
    }

    /// The body of `assetsstatus` of one coin; nil if none of its markets is listed.
    func asset(_ symbol: String) -> [UInt8]? {
        let time = clock.now()
        return state.withLock { state in
            guard Self.isListed(symbol, state) else { return nil }
            var writer = ReferenceResponseWriter()
            return writer.asset(state.reference.flags(of: symbol, at: time))
        }
    }

    /// The body of `market/all`.
    func marketNames(withWarnings: Bool) -> [UInt8] {
        let time = clock.now()
        return state.withLock { state in
            let markets = state.exchange.markets.filter { $0.standing != .delisted }
                .map { market in
                    (
                        id: market.id, name: name(of: market.nameSymbol),
                        isWarned: state.reference.isWarned(market.id, at: time)
                    )
                }
            var writer = ReferenceResponseWriter()
            return writer.names(markets, withWarnings: withWarnings)
        }
    }

    /// The body of `market/virtual_asset_warning`.
    var marketAlerts: [UInt8] {
        let time = clock.now()
        return state.withLock { state in
            var rows: [(id: MarketID, alert: SimulatedReference.Alert)] = []
            for market in state.exchange.markets where market.standing != .delisted {
                rows += state.reference.alerts(of: market.id, at: time).map { (market.id, $0) }
            }
            var writer = ReferenceResponseWriter()
            return writer.alerts(rows)
        }
    }

    private func name(of symbol: String) -> CoinNames.Entry {
        names[symbol]
            ?? CoinNames.Entry(symbol: symbol, korean: symbol + " 코인", english: symbol + " Coin")
    }

    private static func isListed(_ symbol: String, _ state: State) -> Bool {
        Quote.allCases.contains { quote in
            state.listings.places[symbol + "_" + quote.rawValue] != nil
        }
    }

    // MARK: Control

    /// Changes the reference data of a coin or market; returns false if it is not listed.
    func apply(_ change: ReferenceChange) -> Bool {
        let time = clock.now()
        return state.withLock { state in
            switch change {
            case .asset(let asset, let deposit, let withdrawal):
                guard Self.isListed(asset.symbol, state) else { return false }
                state.reference.set(
                    deposit: deposit,
                    withdrawal: withdrawal,
                    of: asset.symbol,
                    at: time
                )
            case .warning(let id, let isOn):
                guard state.listings.places[id.name] != nil else { return false }
                state.reference.setWarned(isOn, id)
            case .alert(let id, let type, let step, let duration):
                guard state.listings.places[id.name] != nil else { return false }
                let alert = SimulatedReference.Alert(
                    type: type,
                    step: step,
                    endsAt: time.advanced(by: duration)
                )
                state.reference.add(alert, to: id, at: time)
            case .noAlerts(let id):
                guard state.listings.places[id.name] != nil else { return false }
                state.reference.endAlerts(of: id)
            }
            return true
        }
    }
}

/// A change of the reference data of a coin or market.
enum ReferenceChange: Sendable, Equatable {
    /// Sets deposits and withdrawals; nil leaves a value unchanged.
    case asset(Asset, deposit: Bool?, withdrawal: Bool?)
    /// 유의: sets or removes an investment warning.
    case warning(MarketID, isOn: Bool)
    /// 경보: adds a warning for a limited time.
    case alert(MarketID, type: String, step: String, lasting: Duration)
    /// Ends all 경보 of a market.
    case noAlerts(MarketID)
}
