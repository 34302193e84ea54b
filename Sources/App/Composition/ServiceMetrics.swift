import BuildInfo
import DataSourcesWire
import Domain
import Presentation
import PresentationHTTP
import Repositories

/// Joins everything that counts with what `/metrics` shows.
enum ServiceMetrics {
    /// The metrics of a running service.
    ///
    /// - Parameters:
    ///   - markets: the feed, and what was asked of the exchange.
    ///   - keeping: the store.
    ///   - requests: finished requests.
    ///   - streams: how many event streams are open, and how often one began anew.
    ///   - droppedLines: how many log lines were given up.
    static func make(
        _ markets: Markets,
        _ keeping: Keeping,
        requests: RequestTallies,
        streams: @escaping @Sendable () -> (count: Int, resets: UInt64),
        droppedLines: @escaping @Sendable () -> UInt64
    ) -> Metrics {
        Metrics([
            { [ProcessMetrics.build(version: BuildInfo.version, commit: BuildInfo.commit)] },
            { FeedMetrics.families(markets.latest.value.board, now: SystemSources.now()) },
            { [ProcessMetrics.upstream(markets.upstream.entries.map { .init($0) })] },
            { RequestTally.families(requests.tallies) },
            {
                let streams = streams()
                return ProcessMetrics.streams(streams.count, resets: streams.resets)
            },
            { keeping.metrics(markets).families },
            { [ProcessMetrics.log(dropped: droppedLines())] },
        ])
    }
}

extension ProcessMetrics.UpstreamCount {
    fileprivate init(_ entry: UpstreamRequests.Entry) {
        self.init(category: entry.category, status: entry.status, count: entry.count)
    }
}

extension Keeping {
    /// How the store stands, as figures.
    func metrics(_ markets: Markets) -> StoreMetrics {
        let readiness = readiness(markets)
        var metrics = StoreMetrics(isUp: place.isNowhere ? nil : readiness.isReady)
        if case .database(let shared) = place {
            let waits = shared.waits
            metrics.pool = .init(
                count: waits.count,
                total: waits.total,
                longestLately: waits.longestLately
            )
        }
        if let status = markets.leadership?.status {
            metrics.candles = .init(
                isLeading: status.isLeading,
                isLed: status.isLed,
                lag: status.lag,
                bufferedRows: status.bufferedRows
            )
        }
        return metrics
    }
}
