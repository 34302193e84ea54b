import Domain
import UseCases
import ViewStates
import PresentationTerminal

extension Command {
    static let watch = Command(
        "watch",
        "Show live markets in the terminal; on a pipe, print them once as text",
        operands: [
            CommandOperand(
                "MARKET|PAGE",
                "what to open or print: a market, e.g. BTC_KRW or btc, or "
                    + WatchSubject.names.joined(separator: ", "),
                .text("MARKET|PAGE", or: WatchSubject.names),
                isOptional: true
            )
        ],
        options: [.orSimulated, .once, .plain, .every, .compact] + CommandOption.printing,
        settings: Setting.source + Setting.storing + [.server, .token] + Setting.watching,
        log: .file,
        action: .run { invocation, program throws(ProgramError) in
            let configuration = program.configuration
            let server = try RemoteServer(program, invocation.options)
            let plan = try WatchOptions(
                invocation,
                configuration,
                isTerminal: program.isTerminal
            )
            if let server {
                return try await RemoteWatchCommand(
                    program: program,
                    server: server,
                    plan: plan
                ).run()
            }
            try await WatchCommand(
                program: program,
                isSimulatorAllowed: invocation.has(.orSimulated),
                plan: plan
            ).run()
        }
    )
}

/// `hoga watch`: screens in the terminal, or the same data as text.
struct WatchCommand: Sendable {
    /// The time limit of the exchange's first answer, after which `--or-simulated` takes effect.
    static let reachLimit: Duration = .seconds(5)

    /// The time limit of the first frame's wait for a SQLite file.
    static let storeLimit: Duration = .seconds(1)
    /// The time limit of the first frame's wait for a database, which may hang.
    static let databaseLimit: Duration = .milliseconds(250)

    let program: Program
    /// Whether the simulator may replace an unreachable exchange.
    let isSimulatorAllowed: Bool
    /// The screens or the printed data.
    let plan: WatchOptions

    func run() async throws(ProgramError) {
        let session = try program.storeSession()
        try await session.using { () async throws(ProgramError) in
            // Screens appear at once; the store is checked beside them.
            if plan.form != nil { try await session.check() }
            try await run(session)
        }
    }

    private func run(_ session: StoreSession) async throws(ProgramError) {
        let configuration = program.configuration
        let exchange = await session.expecting(
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
            store: session.place.market,
            sharing: session.place.sharing(as: nil),
            alerts: try AlertStore(ofFile: session.place, program.configuration),
            onStoreFailure: session.user.report
        )
        if let alerts = markets.alerts { session.follow(alerts) }
        let alertRunner =
            plan.form == nil ? program.alertCommandRunner(for: session.user.state) : nil
        let services: [@Sendable () async -> Void] =
            [
                exchange.run, markets.run, session.run,
                { await HeapTrimmer().run(clock: ContinuousClock()) },
            ] + (alertRunner.map { [$0.run] } ?? [])
        let error = await Lifecycle.outcome(services: services) { () async throws(ProgramError) in
            defer { session.hurry() }
            if let form = plan.form {
                await Self.waitUntilRead(session)
                try await WatchPrinter(
                    plan: plan,
                    language: program.configuration.printedLanguage,
                    characters: program.configuration.terminal.characters,
                    markets: markets,
                    session: session
                ).run(form, exchange)
            } else {
                try await Lifecycle.run(
                    beside: session.check,
                    job: { () async throws(ProgramError) in
                        try await show(markets, session, alertRunner)
                    }
                )
            }
        }
        if let loss = await session.end(markets) { Console.note("hoga: \(loss)") }
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
            "hoga: the exchange at \(exchange.restURL) is unreachable; using the simulator"
        )
        return .simulated
    }

    private func show(
        _ markets: Markets,
        _ session: StoreSession,
        _ alertRunner: AlertCommandRunner?
    ) async throws(ProgramError) {
        await Self.waitUntilRead(session)
        try await program.showScreens(
            of: LiveScreenModel(
                markets: markets,
                session: session,
                files: program.screenFiles,
                alertRunner: alertRunner
            ),
            at: plan.opening
        ) { wake in
            markets.latest.onChange(wake)
            session.user.state.onChange(wake)
        }
    }

    /// Waits for the user's record within a limit; the screen shows it later if it takes longer.
    private static func waitUntilRead(_ session: StoreSession) async {
        let limit = session.place.isShared ? databaseLimit : storeLimit
        await session.user.state.first(within: limit, clock: ContinuousClock()) {
            !$0.status.isUnread
        }
    }
}
