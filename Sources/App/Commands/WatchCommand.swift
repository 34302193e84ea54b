import Domain
import Presentation
import PresentationTerminal

/// `hoga watch`: the list in the terminal, or once as plain text on a pipe.
struct WatchCommand: Sendable {
    /// How long the exchange may take to answer before the simulator stands in, if that was asked.
    static let reachLimit: Duration = .seconds(5)

    /// How long the first picture waits for a file.
    static let storeLimit: Duration = .seconds(1)
    /// How long it waits for a database, which may hang.
    static let databaseLimit: Duration = .milliseconds(250)

    let program: Program
    /// Whether the simulator may stand in for an exchange that cannot be reached.
    let isSimulatorAllowed: Bool

    func run() async throws(ProgramError) {
        let keeping = try program.keeping()
        try await keeping.using { () async throws(ProgramError) in
            // A screen is there at once, whatever the store does.
            if !program.isTerminal { try await keeping.check() }
            try await run(keeping)
        }
    }

    private func run(_ keeping: Keeping) async throws(ProgramError) {
        let configuration = program.configuration
        let exchange = await keeping.expecting(
            try ExchangeEndpoint.make(
                await choice(),
                configuration,
                standardSpeed: program.isTerminal ? .times(1) : .maximum
            )
        )
        let markets = try Markets(
            exchange,
            configuration: configuration,
            log: program.log,
            store: keeping.place.market,
            sharing: keeping.place.sharing(as: nil),
            onStoreFailure: keeping.commands.report
        )
        let services: [@Sendable () async -> Void] = [exchange.run, markets.run, keeping.run]
        let error: ProgramError? = await Lifecycle.run(services: services) {
            defer { keeping.hurry() }
            do throws(ProgramError) {
                if program.isTerminal {
                    try await Lifecycle.run(
                        beside: keeping.check,
                        job: { () async throws(ProgramError) in try await show(markets, keeping) }
                    )
                } else {
                    try await printOnce(markets, exchange)
                }
                return nil
            } catch {
                return error
            }
        }
        if let loss = await keeping.end(markets) { Console.note("hoga: \(loss)") }
        let feed = markets.latest.value.board.feed
        program.log.write(
            .info,
            "ended frames=\(feed.framesReceived) skipped=\(feed.entriesSkipped) "
                + "reconnects=\(feed.reconnects)"
        )
        if let error { throw error }
    }

    private func choice() async throws(ProgramError) -> ExchangeChoice {
        let configuration = program.configuration
        guard isSimulatorAllowed, configuration.exchange == .bithumb else {
            return configuration.exchange
        }
        let exchange = try ExchangeEndpoint.make(
            .bithumb,
            configuration,
            standardSpeed: .automatic
        )
        let isReachable = try await Markets.isReachable(
            exchange,
            configuration: configuration,
            within: Self.reachLimit
        )
        if isReachable { return .bithumb }
        Console.note(
            "The exchange at \(exchange.restURL) cannot be reached; going on with the simulator."
        )
        return .simulated
    }

    private func show(_ markets: Markets, _ keeping: Keeping) async throws(ProgramError) {
        let given = program.configuration.givenSettings
        let language = await kept(keeping).patched(by: given).language
        do throws(TerminalError) {
            let session = try TerminalSession(
                model: LiveScreenModel(
                    markets: markets,
                    keeping: keeping,
                    language: language
                ),
                state: ScreenState(given: given, offeredName: Self.offeredName(language)),
                input: InputChoices(
                    keys: program.configuration.keys,
                    usesMouse: program.configuration.usesMouse
                ),
                language: language,
                environment: program.environment
            )
            markets.latest.onChange { session.wake() }
            keeping.latest.onChange { session.wake() }
            let outcome = try await session.run()
            for note in outcome.notes { Console.note("hoga: \(Self.words(note))") }
        } catch {
            throw ProgramError(.unavailable, "the terminal cannot be used: \(error)")
        }
    }

    /// What is kept of how the user wants to see the market; a store that is slow to open is not
    /// waited for long, and the screen takes the rest over when it is open.
    private func kept(_ keeping: Keeping) async -> UserSettings {
        let clock = ContinuousClock()
        let limit = keeping.place.isShared ? Self.databaseLimit : Self.storeLimit
        let deadline = clock.now.advanced(by: limit)
        while keeping.latest.value.status.isUnread, clock.now < deadline, !Task.isCancelled {
            try? await clock.sleep(for: .milliseconds(5))
        }
        return keeping.latest.value.record.settings.value
    }

    /// The name of a user who gives none at the first start.
    private static func offeredName(_ language: Language) -> String {
        switch language {
        case .korean: "나"
        case .english: "Me"
        }
    }

    private static func words(_ note: TerminalNote) -> String {
        switch note {
        case .localeReplaced:
            "the locale has no UTF-8, so C.UTF-8 was taken; set LC_ALL=C.UTF-8 to be rid of this"
        }
    }

    private func printOnce(
        _ markets: Markets,
        _ exchange: ExchangeEndpoint
    ) async throws(ProgramError) {
        let hasList = await OneShot.waitForList(markets, exchange)
        var query = MarketListQuery()
        query.period = program.configuration.period
        query.language = program.configuration.language
        query.wordLanguage = query.language
        let document = markets.cutter.document(query)
        try Console.line(
            PlainTextList.text(of: document, language: program.configuration.language)
        )
        guard hasList else {
            throw ProgramError(
                .unavailable,
                document.state.health.error?.message ?? "the exchange did not answer"
            )
        }
    }
}
