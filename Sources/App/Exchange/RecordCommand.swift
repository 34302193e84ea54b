import Domain
import UseCases

/// `hoga exchange record`: writes down what the exchange sends while hoga follows it.
struct RecordCommand: Sendable {
    let program: Program
    let plan: RecordingOptions

    /// Records until the time is over, the process is told to end, or nothing more can be written.
    ///
    /// - Throws: ``ProgramError``: `usage` for a file that exists; `unavailable` when the files
    ///   take no more, or the exchange sent nothing at all.
    func run() async throws(ProgramError) {
        let (failures, failed) = AsyncStream.makeStream(
            of: Void.self,
            bufferingPolicy: .bufferingNewest(1)
        )
        let files = try RecordingFiles(
            path: plan.path,
            bounds: plan.bounds,
            now: SystemSources.now,
            onFailure: { failed.yield() }
        )
        let exchange = try ExchangeEndpoint.make(
            program.configuration.exchange,
            program.configuration,
            standardSpeed: .times(1)
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
        await Lifecycle.run(services: services) { await waitForEnd(failures) }
        lease?.release()
        assetLease?.release()
        let report = files.report
        program.log.write(.info, "recorded lines=\(report.lines) rotations=\(report.rotations)")
        if let failure = files.failure { throw failure }
        guard report.lines > 0 else {
            throw ProgramError(.unavailable, "the exchange sent nothing: is it in reach?")
        }
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

    private func waitForEnd(_ failures: AsyncStream<Void>) async {
        await withTaskGroup { group in
            group.addTask { await Lifecycle.termination() }
            group.addTask { for await _ in failures { break } }
            if let duration = plan.duration {
                group.addTask { try? await ContinuousClock().sleep(for: duration) }
            }
            await group.next()
            group.cancelAll()
        }
    }
}
