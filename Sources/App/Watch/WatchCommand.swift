import Domain
import UseCases
import ViewStates
import PresentationTerminal

/// `hoga watch`: screens in the terminal, or what they would show as text.
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
    /// Whether screens are opened, or what is printed.
    let plan: WatchOptions

    func run() async throws(ProgramError) {
        let keeping = try program.keeping()
        try await keeping.using { () async throws(ProgramError) in
            // A screen is there at once, whatever the store does.
            if plan.form != nil { try await keeping.check() }
            try await run(keeping)
        }
    }

    private func run(_ keeping: StoreSession) async throws(ProgramError) {
        let configuration = program.configuration
        let exchange = await keeping.expecting(
            try ExchangeEndpoint.make(
                await choice(),
                configuration,
                standardSpeed: plan.form == nil ? .times(1) : .maximum
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
                if let form = plan.form {
                    await Self.waitUntilRead(keeping)
                    try await WatchPrinter(
                        plan: plan,
                        language: program.configuration.printedLanguage,
                        characters: program.configuration.terminal.characters,
                        markets: markets,
                        keeping: keeping
                    ).run(form, exchange)
                } else {
                    try await Lifecycle.run(
                        beside: keeping.check,
                        job: { () async throws(ProgramError) in try await show(markets, keeping) }
                    )
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

    private func show(_ markets: Markets, _ keeping: StoreSession) async throws(ProgramError) {
        await Self.waitUntilRead(keeping)
        try await program.showScreens(
            of: LiveScreenModel(markets: markets, keeping: keeping)
        ) { wake in
            markets.latest.onChange(wake)
            keeping.latest.onChange(wake)
        }
    }

    /// Waits for what is kept; a store that is slow to open is not waited for long, and the screen
    /// takes the rest over when it is open.
    private static func waitUntilRead(_ keeping: StoreSession) async {
        let clock = ContinuousClock()
        let limit = keeping.place.isShared ? databaseLimit : storeLimit
        let deadline = clock.now.advanced(by: limit)
        while keeping.latest.value.status.isUnread, clock.now < deadline, !Task.isCancelled {
            try? await clock.sleep(for: .milliseconds(5))
        }
    }
}
