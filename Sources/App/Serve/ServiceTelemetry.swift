import BuildInfo
import DataSourcesPostgreSQL
import DataSourcesBithumb
import Domain
import HTTPServer
import UseCases
import ViewStates
import PresentationHTTP
import Repositories

/// The request counters, access log and metrics of a running service.
struct ServiceTelemetry: Sendable {
    /// Finished requests by route.
    let requests: RequestMetrics
    private let access: RequestLog
    private let choice: AccessLogMode
    private let log: any Log

    /// Wires counters and access log for the chosen requests.
    init(_ choice: AccessLogMode, log: any Log) {
        requests = RequestMetrics()
        access = RequestLog(choice, to: log, now: SystemSources.now)
        self.choice = choice
        self.log = log
    }

    /// The observers of finished requests.
    var observers: [any RequestObserver] {
        switch choice {
        case .errors, .all: [requests, access]
        case .off: [requests]
        }
    }

    /// Logs a summary every ten seconds until the task is cancelled; returns at once without an
    /// access log.
    func run() async {
        switch choice {
        case .errors, .all:
            let summary = RequestSummary(tallies: requests, access: access, log: log)
            await summary.run(clock: ContinuousClock())
        case .off: return
        }
    }

    /// The metrics of `/metrics`, read anew at each request.
    func metrics(
        _ markets: Markets,
        _ session: StoreSession,
        _ streams: DocumentStreams,
        _ unsent: UnsentBytes,
        _ users: UserService?
    ) -> Metrics {
        let log = log
        return Metrics([
            { [ProcessMetrics.build(version: BuildInfo.version, commit: BuildInfo.commit)] },
            { FeedMetrics.families(markets.latest.value.board, now: SystemSources.now()) },
            { [ProcessMetrics.upstream(markets.upstream.entries.map { .init($0) })] },
            { [requests] in RequestCounter.families(requests.tallies) },
            {
                let (status, cache) = (streams.status, markets.documents.cache)
                return ProcessMetrics.streams(status.streams, resets: status.resets)
                    + ProcessMetrics.documents(
                        cached: cache.size.bytes,
                        cachedMax: cache.bytesMax,
                        streamed: status.bytes,
                        streamedMax: streams.bytesMax,
                        topics: status.topics
                    )
            },
            { ProcessMetrics.unsent(unsent.status, bytesMax: unsent.bytesMax) },
            { users.map { ProcessMetrics.users($0.size) } ?? [] },
            { session.metrics(markets, users).families },
            { markets.alertMetrics.families },
            { [ProcessMetrics.log(dropped: log.droppedCount)] },
        ])
    }
}

extension ProcessMetrics.UpstreamCount {
    fileprivate init(_ entry: UpstreamRequestCounts.Entry) {
        self.init(category: entry.category, status: entry.status, count: entry.count)
    }
}

extension Markets {
    /// The metrics of alert rules and webhooks.
    fileprivate var alertMetrics: AlertMetrics {
        var metrics = AlertMetrics()
        if let status = alerts?.status {
            metrics.rules = .init(
                count: status.rules,
                pending: status.pending,
                dropped: status.dropped
            )
        }
        if let status = webhooks?.status {
            metrics.webhooks = .init(
                accepted: status.accepted,
                failed: status.failed,
                deadLetters: status.deadLetters,
                inFlight: status.inFlight,
                waiting: status.waiting
            )
        }
        return metrics
    }
}

extension StoreSession {
    /// The metrics of the store.
    fileprivate func metrics(_ markets: Markets, _ users: UserService?) -> StoreMetrics {
        let readiness = readiness(markets)
        var metrics = StoreMetrics(isUp: place.isNowhere ? nil : readiness.isReady)
        metrics.newsLatencies = users?.newsLatencies
        metrics.isHearingNews = place.database?.session?.isHearing
        let standby = place.database?.store.history?.status
        metrics.isReadingStandby = standby?.isUsed
        metrics.standbyAge = standby?.age
        if let waits = place.database?.waits {
            metrics.pool = .init(
                count: waits.count,
                total: waits.total,
                longestInLastMinute: waits.longestInLastMinute
            )
        }
        if let status = markets.candleWriter?.status {
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
