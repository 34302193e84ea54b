import Domain
import UseCases
import ViewStates
import Repositories

extension Command {
    static let exportCandles = export(
        "export candles",
        "Export stored and exchange candles of a market as CSV or JSON",
        operands: [.market],
        options: [.interval, .from, .to]
    )
    static let exportTrades = export(
        "export trades",
        "Export the newest trades of a market as CSV or JSON, at most 500",
        operands: [.market]
    )
    static let exportFavorites = Command(
        "export favorites",
        "Export your favorites as CSV or JSON",
        options: CommandOption.exporting,
        settings: [.store, .databaseURL, .token],
        action: exportAction
    )

    private static func export(
        _ name: String,
        _ summary: String,
        operands: [CommandOperand],
        options: [CommandOption] = []
    ) -> Command {
        Command(
            name,
            summary,
            operands: operands,
            options: options + CommandOption.exporting,
            settings: Setting.source + Setting.storing,
            log: .file,
            action: exportAction
        )
    }

    private static let exportAction = Action.run { invocation, program throws(ProgramError) in
        try await ExportCommand(program: program, plan: try ExportOptions(invocation)).run()
    }
}

/// `hoga export`: candles, trades and favorites as a file or on standard output.
struct ExportCommand: Sendable {
    let program: Program
    let plan: ExportOptions

    /// A complete export.
    private struct Content {
        var bytes: [UInt8]
        var rows: Int
        /// Time spans without data.
        var gaps: [GapViewState] = []
    }

    /// Reads the data and writes it completely or not at all.
    ///
    /// - Throws: ``ProgramError``: `usage` for an unknown market or an existing file;
    ///   `unavailable` if exchange or store do not answer, the file cannot be written, or a signal
    ///   arrives first.
    func run() async throws(ProgramError) {
        let output = output
        try output.check()
        // From here on a signal cancels the export, which removes the partial file.
        let termination = Termination()
        try await Lifecycle.run(
            beside: { () async throws(ProgramError) in
                await termination.wait()
                if !Task.isCancelled { throw ExportOutput.interruption }
            },
            job: { () async throws(ProgramError) in try await export(to: output) }
        )
    }

    private var output: ExportOutput {
        ExportOutput(
            path: plan.path,
            isReplacing: plan.isReplacing,
            isPrivate: plan.subject == .favorites,
            hasForce: true
        )
    }

    private func export(to output: ExportOutput) async throws(ProgramError) {
        let progress = ProgressLine(
            "hoga export",
            phase: "connecting",
            isQuiet: plan.isQuiet,
            program
        )
        switch plan.subject {
        case .favorites:
            try await StoreAccess(program).using { access throws(ProgramError) in
                try await access.checkOwner()
                try write(try await favorites(access), to: output, progress)
            }
        case .candles(let market, let interval, let from, let to):
            let facet = DetailFacet.candles(interval)
            try await following(market, facet, progress) { markets throws(ProgramError) in
                try await candles(market, interval, from, to, markets, progress)
            } then: { content throws(ProgramError) in
                try write(content, to: output, progress)
            }
        case .trades(let market):
            try await following(market, .trades, progress) { markets in
                trades(market, markets)
            } then: { content throws(ProgramError) in
                try write(content, to: output, progress)
            }
        }
    }

    private func write(
        _ content: Content,
        to output: ExportOutput,
        _ progress: ProgressLine
    ) throws(ProgramError) {
        guard !Task.isCancelled else { throw ExportOutput.interruption }
        try output.write(content.bytes, rows: content.rows, progress: progress)
        guard let first = content.gaps.first, let last = content.gaps.last else { return }
        Console.note(
            "hoga: \(content.gaps.count) gaps in the data, "
                + "\(TimeText.iso(first.from)) to \(TimeText.iso(last.to))"
        )
    }

    // MARK: Content

    private func favorites(_ access: StoreAccess) async throws(ProgramError) -> Content {
        let user = try await access.whose().user
        let kept = try await access.record().favorites
        let bytes =
            switch plan.format {
            case .csv: Array(FavoritesFile.text(kept.value, lineEnd: "\r\n").utf8)
            case .json:
                Self.line(
                    StoredDocument(
                        user: user.number,
                        counter: kept.revision,
                        state: FavoritesViewState(kept.value)
                    ).json
                )
            }
        return Content(bytes: bytes, rows: kept.value.count)
    }

    private func trades(_ market: MarketID, _ markets: Markets) -> Content {
        var query = MarketDetailQuery(market: market)
        query.tradeLimit = TradeTape.capacity
        let snapshot = markets.latest.value
        let block = MarketDetailPresenter(names: markets.presenter.names).trades(snapshot, query)
        let state = MarketBlockViewState(market: market.name, block: block)
        let bytes =
            switch plan.format {
            case .csv: state.csv
            case .json: Self.line(document(state, snapshot, markets).json)
            }
        return Content(bytes: bytes, rows: block.rows.count, gaps: block.gaps)
    }

    private func candles(
        _ market: MarketID,
        _ interval: CandleInterval,
        _ from: Timestamp?,
        _ to: Timestamp?,
        _ markets: Markets,
        _ progress: ProgressLine
    ) async throws(ProgramError) -> Content {
        let snapshot = markets.latest.value
        guard var series = snapshot.board.details[market]?.candles[interval] else {
            throw ProgramError(.unavailable, "the exchange sent no candles; try again")
        }
        progress.begin("reading the store")
        // The feed reads only what a screen shows; an export needs all stored candles.
        let stored = await markets.archive?.candles(
            of: market,
            interval,
            notAfter: snapshot.board.exchangeTime(at: snapshot.capturedAt),
            newest: CandleSeries.candlesMax
        )
        if let stored { series.apply(stored, tape: snapshot.board.tape(of: market)) }
        let state = MarketDetailPresenter(names: markets.presenter.names)
            .candleExport(series, snapshot, of: market, from: from, to: to)
        progress.begin("encoding", of: state.candles.count)
        let bytes =
            switch plan.format {
            case .csv: state.csv
            case .json: Self.line(document(state, snapshot, markets).json)
            }
        return Content(
            bytes: bytes,
            rows: state.candles.count,
            gaps: state.gaps.filter { $0.reason == .missing }
        )
    }

    private func document<State: DocumentState>(
        _ state: State,
        _ snapshot: BoardSnapshot,
        _ markets: Markets
    ) -> Document<State> {
        Document(
            revision: "\(markets.epoch)-\(snapshot.sequence)",
            asOf: snapshot.capturedAt,
            source: SourceViewState(snapshot.board.feed),
            state: state
        )
    }

    private static func line(_ json: [UInt8]) -> [UInt8] { json + [UInt8(ascii: "\n")] }

    // MARK: The exchange

    /// Follows the exchange until it has sent a part of a market, then makes and writes the export.
    private func following(
        _ market: MarketID,
        _ facet: DetailFacet,
        _ progress: ProgressLine,
        _ make: @escaping @Sendable (Markets) async throws(ProgramError) -> Content,
        then write: @escaping @Sendable (Content) throws(ProgramError) -> Void
    ) async throws(ProgramError) {
        let session = try program.anonymousStoreSession()
        try await session.using { () async throws(ProgramError) in
            let exchange = await session.expecting(
                try ExchangeEndpoint.make(
                    program.configuration.exchange,
                    program.configuration,
                    standardSpeed: .maximum
                )
            )
            let markets = try Markets(
                exchange,
                configuration: program.configuration,
                log: program.log,
                store: session.place.market,
                sharing: session.place.sharing(as: nil)
            )
            let interest = DetailInterest(market: market, facet: facet)
            let lease = markets.interests.enter([interest])
            let services: [@Sendable () async -> Void] = [
                exchange.run, markets.run, session.run, progress.run,
            ]
            let failure = await Lifecycle.outcome(services: services) {
                () async throws(ProgramError) in
                defer { session.hurry() }
                try await Self.wait(for: interest, markets, exchange, progress)
                try write(try await make(markets))
            }
            lease?.release()
            await session.end(markets)
            if let failure { throw failure }
        }
    }

    private static func wait(
        for interest: DetailInterest,
        _ markets: Markets,
        _ exchange: ExchangeEndpoint,
        _ progress: ProgressLine
    ) async throws(ProgramError) {
        guard await FirstData.waitForList(markets, exchange) else {
            throw ProgramError(
                .unavailable,
                "the exchange did not answer, nothing was written; run 'hoga doctor'"
            )
        }
        progress.begin("reading the exchange")
        let market = interest.market
        guard markets.latest.value.board.market(market) != nil else {
            throw ProgramError(.usage, "the exchange has no market \(market.name)")
        }
        await FirstData.waitForDetails([interest], markets)
        guard !Task.isCancelled else { throw ExportOutput.interruption }
        let detail = markets.latest.value.board.details[market]
        guard detail?.facets.contains(interest.facet) ?? false,
            detail?.failures[interest.facet] == nil
        else {
            throw ProgramError(
                .unavailable,
                "the exchange sent no data of \(market.name), nothing was written; try again"
            )
        }
    }
}
