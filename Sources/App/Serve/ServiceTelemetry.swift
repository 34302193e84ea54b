import BuildInfo
import DataSourcesPostgreSQL
import DataSourcesBithumb
import Domain
import UseCases
import ViewStates
import PresentationHTTP
import Repositories

/// What watches over a running service: it counts requests, tells of them in the log, and gathers
/// what `/metrics` shows.
struct ServiceTelemetry: Sendable {
    /// Finished requests by route.
    let requests: RequestMetrics
    private let access: RequestLog
    private let choice: AccessLogMode
    private let log: any Log

    /// Makes a watch that is not running yet.
    ///
    /// - Parameters:
    ///   - choice: which requests are told of in the log.
    ///   - log: takes the lines.
    init(_ choice: AccessLogMode, log: any Log) {
        requests = RequestMetrics()
        access = RequestLog(choice, to: log, now: SystemSources.now)
        self.choice = choice
        self.log = log
    }

    /// Who is to be told of each finished request.
    var observers: [any RequestObserver] {
        switch choice {
        case .errors, .all: [requests, access]
        case .off: [requests]
        }
    }

    /// Tells each ten seconds what was asked, until the task is cancelled; without an access log
    /// nothing.
    func run() async {
        switch choice {
        case .errors, .all:
            let summary = RequestSummary(tallies: requests, access: access, log: log)
            await summary.run(clock: ContinuousClock())
        case .off: return
        }
    }

    /// Everything that `/metrics` shows.
    ///
    /// - Parameters:
    ///   - markets: the feed, and what was asked of the exchange.
    ///   - keeping: the store.
    ///   - streams: the event streams.
    /// - Returns: what is asked anew each time that somebody reads it.
    func metrics(
        _ markets: Markets,
        _ keeping: StoreSession,
        _ streams: DocumentStreams
    ) -> Metrics {
        let log = log
        return Metrics([
            { [ProcessMetrics.build(version: BuildInfo.version, commit: BuildInfo.commit)] },
            { FeedMetrics.families(markets.latest.value.board, now: SystemSources.now()) },
            { [ProcessMetrics.upstream(markets.upstream.entries.map { .init($0) })] },
            { [requests] in RequestCounter.families(requests.tallies) },
            {
                let status = streams.status
                return ProcessMetrics.streams(status.streams, resets: status.resets)
            },
            { keeping.metrics(markets).families },
            { [ProcessMetrics.log(dropped: log.droppedCount)] },
        ])
    }
}

extension ProcessMetrics.UpstreamCount {
    fileprivate init(_ entry: UpstreamRequestCounts.Entry) {
        self.init(category: entry.category, status: entry.status, count: entry.count)
    }
}

extension StoreSession {
    /// How the store stands, as figures.
    fileprivate func metrics(_ markets: Markets) -> StoreMetrics {
        let readiness = readiness(markets)
        var metrics = StoreMetrics(isUp: place.isNowhere ? nil : readiness.isReady)
        if case .database(let shared) = place {
            let waits = shared.waits
            metrics.pool = .init(
                count: waits.count,
                total: waits.total,
                longestInLastMinute: waits.longestInLastMinute
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
