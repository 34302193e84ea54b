import DataSourceContracts
import DataSourcesBithumb
import Domain
import ViewStates
import Repositories

/// The store of market data that all instances of a deployment share.
struct SharedMarketStore: Sendable {
    /// The store.
    let store: any SharedMarketStoreSource
    /// The unique name of this process in the leader election; nil for a reader.
    let holder: String?

    /// The writer of candles, with its leader election; nil for a reader.
    func candleWriter(
        beside live: SelectedMarketFeed,
        _ candles: any CandleSource,
        _ log: any Log
    ) -> CandleWriter? {
        guard let holder else { return nil }
        return CandleWriter(
            .init(
                store: store,
                holder: holder,
                candles: candles,
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
    /// Presents the state of the writer.
    init(_ status: CandleWriter.Status) {
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
