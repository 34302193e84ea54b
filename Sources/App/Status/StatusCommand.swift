import Domain
import PresentationTerminal
import ViewStates

extension Command {
    static let status = Command(
        "status",
        "Print one line a market for tmux, waybar or a shell prompt",
        operands: [
            CommandOperand(
                "MARKET...",
                "markets: " + MarketArgument.examples,
                example: "BTC ETH",
                isRepeated: true
            )
        ],
        options: [.lineFormat, .follow],
        settings: Setting.source + Setting.storing + [.server, .token, .period, .language],
        log: .file,
        action: .run { invocation, program throws(ProgramError) in
            let plan = try WatchOptions(status: invocation, program.configuration)
            if let server = try RemoteServer(program, invocation.options) {
                return try await RemoteWatchCommand(
                    program: program,
                    server: server,
                    plan: plan
                ).run()
            }
            try await WatchCommand(program: program, isSimulatorAllowed: false, plan: plan).run()
        }
    )
}

/// The lines of `hoga status`.
struct StatusLines: Sendable, Equatable {
    /// The time between two looks at the data with `--follow`.
    static let interval: Duration = .seconds(1)

    /// The markets, in the order of the command line.
    let markets: [MarketID]
    /// The form of a line.
    let format: StatusFormat
    /// Whether changes follow.
    let isFollowing: Bool

    /// Reads the command line.
    ///
    /// - Throws: ``ProgramError`` `usage` for a market or field that does not exist.
    init(_ invocation: CommandInvocation) throws(ProgramError) {
        var markets: [MarketID] = []
        for text in invocation.operands {
            let market = try MarketArgument.market(text, of: "MARKET")
            if !markets.contains(market) { markets.append(market) }
        }
        self.markets = markets
        isFollowing = invocation.has(.follow)
        do throws(StatusFormat.Mistake) {
            format = try StatusFormat(
                invocation.options[.lineFormat] ?? StatusFormat.standardText
            )
        } catch {
            throw Self.error(error)
        }
    }

    /// The lines of a document; empty for anything but a list.
    func lines(of page: PrintedPage, _ language: Language) -> [String] {
        guard case .list(let document) = page else { return [] }
        return format.lines(of: markets, in: document, language: language)
    }

    /// Refuses markets that a complete list lacks.
    ///
    /// - Throws: ``ProgramError`` `usage`.
    func check(_ page: PrintedPage) throws(ProgramError) {
        guard case .list(let document) = page, document.state.health.phase == .ready,
            let name = document.state.missing.first
        else { return }
        throw ProgramError(.usage, "the exchange has no market \(name)")
    }

    /// Reports data that are not fresh.
    ///
    /// - Throws: ``ProgramError`` `unavailable`.
    func checkFreshness(_ page: PrintedPage) throws(ProgramError) {
        guard case .list(let document) = page,
            !StatusFormat.isFresh(markets, in: document)
        else { return }
        throw ProgramError(
            .unavailable,
            document.state.health.error?.message ?? "prices are missing or not fresh"
        )
    }

    private static func error(_ mistake: StatusFormat.Mistake) -> ProgramError {
        let flag = CommandOption.lineFormat.flag
        switch mistake {
        case .brace:
            return ProgramError(.usage, "\(flag): unmatched brace; write {{ or }} for a brace")
        case .unknownField(let name):
            let names = StatusFormat.Field.allCases.map(\.rawValue).joined(separator: ", ")
            return ProgramError(
                .usage,
                "\(flag): unknown field '\(SecretFiles.shown(name))'; fields: \(names)"
            )
        }
    }
}
