import Concurrency
import DataSourceContracts
import Domain
import UseCases

extension Command {
    static let exchangeRecord = Command(
        "exchange record",
        "Record the exchange's messages for replays",
        operands: [CommandOperand("PATH", "a new file, name.jsonl", .path())],
        options: [.details, .duration, .fileBytes, .files],
        settings: Setting.source,
        action: .run { invocation, program throws(ProgramError) in
            try await RecordCommand(
                program: program,
                plan: try RecordingOptions(
                    path: invocation.required(0),
                    options: invocation.options
                )
            ).run()
        }
    )
}

/// `hoga exchange record`: records the messages of the exchange.
struct RecordCommand: Sendable {
    let program: Program
    let plan: RecordingOptions

    /// Records until the time is up, a signal arrives, or a write fails.
    ///
    /// - Throws: ``ProgramError``: `usage` for an existing file; `unavailable` if a write fails or
    ///   the exchange sent nothing.
    func run() async throws(ProgramError) {
        let exchange = try recordedExchange()
        let hasFailed = AsyncEvent()
        let files = try RecordingFiles(
            path: plan.path,
            bounds: plan.bounds,
            now: SystemSources.now,
            onFailure: { hasFailed.signal() }
        )
        let markets = try Markets(
            exchange,
            configuration: program.configuration,
            log: program.log,
            recorder: files
        )
        program.log.write(.info, "recording \(exchange.restURL) into \(plan.path)")
        let lease = markets.interests.enter(interests)
        let assetLease = markets.assetInterests.enter()
        let services: [@Sendable () async -> Void] = [exchange.run, markets.run]
        await Lifecycle.run(services: services) { await waitForEnd(or: hasFailed) }
        lease?.release()
        assetLease?.release()
        let report = files.report
        program.log.write(.info, "recorded lines=\(report.lines) rotations=\(report.rotations)")
        if let failure = files.failure { throw failure }
        guard report.lines > 0 else {
            throw ProgramError(.unavailable, "the exchange sent nothing; run 'hoga doctor'")
        }
    }

    /// The exchange over API 1.x, which a replay serves.
    private func recordedExchange() throws(ProgramError) -> ExchangeEndpoint {
        let configuration = program.configuration
        guard configuration.api.contains(.v1) else {
            throw ProgramError(
                .usage,
                "a recording holds API 1.x; leave out \(Setting.api.flag)"
            )
        }
        var exchange = try ExchangeEndpoint.make(
            configuration.exchange,
            configuration,
            standardSpeed: .times(1)
        )
        exchange.api = [.v1]
        return exchange
    }

    private var interests: Set<DetailInterest> {
        var interests: Set<DetailInterest> = []
        for market in plan.details {
            for facet in [.book, .trades, .candles(.minute1), .candles(.day1)] as [DetailFacet] {
                interests.insert(DetailInterest(market: market, facet: facet))
            }
        }
        return interests
    }

    private func waitForEnd(or hasFailed: AsyncEvent) async {
        await withTaskGroup { group in
            group.addTask { await Lifecycle.termination() }
            group.addTask { _ = await hasFailed.wait() }
            if let duration = plan.duration {
                group.addTask { try? await ContinuousClock().sleep(for: duration) }
            }
            await group.next()
            group.cancelAll()
        }
    }
}
