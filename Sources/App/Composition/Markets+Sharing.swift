import DataSourceContracts
import DataSourcesBithumb
import Domain
import ViewStates
import Repositories

/// Market data that all instances of a deployment keep in one store.
struct SharedMarketStore: Sendable {
    /// The store.
    let store: any SharedMarketStoreSource
    /// The name by which this process may lead, that no other has; nil for one that only reads.
    let holder: String?

    /// What writes the candles of all markets; nil for a process that only reads.
    func leadership(
        beside live: LiveMarketFeed<ContinuousClock>,
        _ client: BithumbClient,
        _ log: any Log
    ) -> LeaderElection? {
        guard let holder else { return nil }
        return LeaderElection(
            .init(
                store: store,
                holder: holder,
                candles: BithumbCandleSource(client: client),
                identity: live.identity,
                clock: ContinuousClock(),
                now: SystemSources.now,
                exchangeClockLead: { live.exchangeClockLead },
                onEvent: { event in
                    switch event {
                    case .leading(let epoch):
                        log.write(
                            .info,
                            "candles leading",
                            [.word("holder", holder), .number("epoch", epoch)]
                        )
                    case .following: log.write(.info, "candles following")
                    }
                },
                onFailure: { StoreLog.write($0, of: "candles", to: log) }
            )
        )
    }
}

extension ReadinessDocument.Store.Candles {
    /// Presents how a leadership stands.
    init(_ status: LeaderElection.Status) {
        self.init(
            epoch: status.epoch,
            isLed: status.isLed,
            lag: status.lag,
            bufferedRows: status.bufferedRows,
            droppedRows: status.droppedRows,
            healingLeft: status.healingLeft
        )
    }
}
