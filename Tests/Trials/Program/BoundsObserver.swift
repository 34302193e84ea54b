import Domain
import PresentationHTTP
import Repositories
import UseCases

/// Checks that what an instance keeps is within its bounds, whatever happens.
enum BoundsObserver {
    /// For each generation of the API one stream of the list, one of the books, and the probe that
    /// looks whether the generation works.
    private static let streamsMax = 2 * 3
    /// One request for each kind of data at a time, and some markets' details at once.
    private static let requestsMax = 16
    /// Those of readers and rules: a book, trades and two kinds of candles of the watched market,
    /// and the trades of the other markets with rules.
    private static let detailsMax = 4 + AlertDeeds.markets.count - 1
    /// The tasks of an instance that sleep at once, those of requests among them.
    static let sleepersMax = 40

    /// Checks an instance.
    static func look(
        at instance: TrialInstance,
        _ now: Duration,
        into report: inout ProgramReport
    ) {
        func check(_ name: String, _ count: Int, _ max: Int) {
            report.check(name, count, atMost: max, at: now)
        }
        check("connections", instance.network.streamCount, streamsMax)
        check("requests in flight", instance.network.requestCount, requestsMax)
        check("details", instance.interests.details.wanted.count, detailsMax)
        let streams = instance.streams.status
        check("topics", streams.topics, TrialInstance.topicsMax)
        check("topic bytes", streams.bytes, instance.streams.bytesMax)
        let alerts = instance.evaluation.status
        check("waiting alerts", alerts.pending, AlertEvaluation.pendingMax)
        check("dropped alerts", alerts.dropped, 0)
        check("user bytes", instance.users.size.bytes, instance.users.size.bytesMax)
        check("dropped candles", instance.writer.status.droppedRows, 0)
        let board = instance.latest.value.board
        for market in AlertDeeds.markets {
            let tape = board.tape(of: market)
            check("trades of a tape", tape.count, TradeTape.capacity)
            check("gaps of a tape", tape.gaps.count, TradeTape.gapsMax)
        }
    }
}
