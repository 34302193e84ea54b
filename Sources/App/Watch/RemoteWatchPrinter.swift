import DataSourceContracts
import DataSourcesRemote
import Domain
import ViewStates
import PresentationTerminal

/// Prints the documents of a server as `hoga watch` prints its own.
struct RemoteWatchPrinter: Sendable {
    /// The time between two requests for a document that is still loading.
    static let pause: Duration = .milliseconds(250)

    let plan: WatchOptions
    let language: Language
    /// The characters to print; nil for Unicode, since a pipe has no locale.
    let characters: TerminalCharacters?
    let server: RemoteServer

    /// Waits for the data and prints it, once or repeatedly.
    ///
    /// - Throws: ``ProgramError``: `usage` for an unknown market or a refused parameter;
    ///   `unavailable` after printing the known data, if the server's exchange did not answer;
    ///   else the failure of the server.
    func run(_ form: WatchOptions.Form) async throws(ProgramError) {
        let page = try await firstPage()
        switch form {
        case .table: try Console.line(page.text(language, characters))
        case .sentences(let interval):
            let first = page.spoken(language, characters)
            guard try Console.line(first.text) else { return }
            if let interval {
                return try await SpokenPageRepeater(
                    interval: interval,
                    language: language,
                    next: { () async throws(ProgramError) in
                        try await nextPage()?.spoken(language, characters)
                    }
                ).run(after: first)
            }
        case .status(let lines):
            try lines.check(page)
            return try await StatusPrinter(
                status: lines,
                language: language,
                next: { () async throws(ProgramError) in try await nextPage() }
            ).run(from: page)
        }
        if let error = page.failure { throw ProgramError(.unavailable, error.message) }
    }

    /// The first complete page, or a partial one after the time limit.
    private func firstPage() async throws(ProgramError) -> PrintedPage {
        let clock = server.environment.clock
        var rest = FirstData.patience
        while true {
            do throws(RemoteFailure) {
                let page = try await page()
                guard page.isLoading, rest > .zero else { return page }
            } catch {
                throw programError(error)
            }
            rest -= Self.pause
            guard (try? await clock.sleep(for: Self.pause)) != nil else {
                throw ProgramError(.unavailable, "interrupted")
            }
        }
    }

    /// The current page; nil, with a line on standard error, while the server is unreachable.
    private func nextPage() async throws(ProgramError) -> PrintedPage? {
        do throws(RemoteFailure) {
            return try await page()
        } catch {
            guard error.isRetryable else { throw programError(error) }
            Console.note("hoga: \(programError(error))")
            return nil
        }
    }

    // MARK: Documents

    private func page() async throws(RemoteFailure) -> PrintedPage {
        switch plan.subject {
        case .list, .favorites:
            var document = try await read(MarketListViewState.self)
            document.state.health = translated(document.state.health)
            return .list(document)
        case .market:
            var document = try await read(MarketDetailViewState.self)
            document.state.header.health = translated(document.state.header.health)
            document.state.orderBook.health = translated(document.state.orderBook.health)
            document.state.trades.health = translated(document.state.trades.health)
            document.state.chart.health = translated(document.state.chart.health)
            return .market(document)
        case .assets:
            var document = try await read(AssetsViewState.self)
            document.state.health = translated(document.state.health)
            return .assets(document)
        case .portfolio:
            var document = try await read(PortfolioViewState.self)
            document.state.health = translated(document.state.health)
            return .portfolio(document)
        }
    }

    private func read<State: DocumentState>(
        _ type: State.Type
    ) async throws(RemoteFailure) -> Document<State> {
        let response = try await server.client.send(server.client.request(target))
        return try RemoteClient.decode(
            Document<State>.self,
            State.schemaName,
            State.schemaVersion,
            from: response.body
        )
    }

    private var target: RemoteTarget {
        let parameters = plan.parameters.map { RemoteParameter($0.name, $0.value) }
        switch plan.subject {
        case .list: return RemoteTarget(path: "/v1/markets", parameters: parameters)
        case .market(let market):
            return RemoteTarget(path: "/v1/markets/" + market.name, parameters: parameters)
        case .assets: return RemoteTarget(path: "/v1/assets", parameters: parameters)
        case .favorites:
            return RemoteTarget(
                path: "/v1/me/markets",
                parameters: [RemoteParameter("tab", "favorites")] + parameters,
                isPersonal: true
            )
        case .portfolio:
            return RemoteTarget(
                path: "/v1/me/portfolio",
                parameters: parameters,
                isPersonal: true
            )
        }
    }

    // MARK: Messages

    private func translated(_ health: HealthViewState) -> HealthViewState {
        var health = health
        health.error = health.error.map { FailureStrings.translated($0, to: language) }
        return health
    }

    private func programError(_ failure: RemoteFailure) -> ProgramError {
        switch (failure.code, plan.subject) {
        case (.missing, .market(let market)):
            ProgramError(.usage, "the exchange has no market \(market.name)")
        case (.refused, _): ProgramError(.usage, failure.detail)
        default: server.error(failure)
        }
    }
}

extension PrintedPage {
    /// Whether a printed part is still loading.
    fileprivate var isLoading: Bool {
        switch self {
        case .list(let document):
            document.state.health.phase == .loading || document.state.lacksChanges
        case .market(let document):
            // Candles are not printed.
            [
                document.state.header.health, document.state.orderBook.health,
                document.state.trades.health,
            ].contains { $0.phase == .loading } || document.state.lacksChanges
        case .assets(let document): document.state.health.phase == .loading
        case .portfolio(let document): document.state.health.phase == .loading
        }
    }

    /// The error of a page without any data.
    fileprivate var failure: ErrorViewState? {
        switch self {
        case .list(let document):
            document.state.rows.isEmpty ? document.state.health.error : nil
        case .market(let document):
            document.state.header.price == nil ? document.state.header.health.error : nil
        case .assets(let document):
            document.state.rows.isEmpty ? document.state.health.error : nil
        case .portfolio(let document):
            document.state.isRead ? nil : document.state.health.error
        }
    }
}
