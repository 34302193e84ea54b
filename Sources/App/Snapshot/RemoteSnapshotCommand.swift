import DataSourceContracts
import DataSourcesRemote
import Domain
import ViewStates
import PresentationHTTP

/// `hoga snapshot --server`: one document of another hoga server as JSON.
struct RemoteSnapshotCommand: Sendable {
    let server: RemoteServer
    let document: String
    /// Parameters by their names in the HTTP contract.
    let parameters: [(name: String, value: String)]

    /// Prints the document.
    ///
    /// - Throws: ``ProgramError``: `usage` for an unknown document or a refused parameter; else the
    ///   failure of the server.
    func run() async throws(ProgramError) {
        let target = try target()
        try await Lifecycle.attempt(services: [server.run]) { () async throws(ProgramError) in
            var rest = FirstData.patience
            var body = try await body(of: target)
            while lacksChanges(body), rest > .zero {
                rest -= RemoteWatchPrinter.pause
                guard
                    (try? await server.environment.clock.sleep(for: RemoteWatchPrinter.pause))
                        != nil
                else { break }
                body = try await self.body(of: target)
            }
            try Console.write(body + [UInt8(ascii: "\n")])
        }
    }

    private func body(of target: RemoteTarget) async throws(ProgramError) -> [UInt8] {
        do throws(RemoteFailure) {
            return try await server.client.send(server.client.request(target)).body
        } catch {
            throw error.code == .refused
                ? ProgramError(.usage, "\(document): \(error.detail)") : server.error(error)
        }
    }

    /// Whether the server still reads changes of the document.
    private func lacksChanges(_ body: [UInt8]) -> Bool {
        func state<State: DocumentState>(_ type: State.Type) -> State? {
            try? RemoteClient.decode(
                Document<State>.self,
                State.schemaName,
                State.schemaVersion,
                from: body
            ).state
        }
        return switch document {
        case MarketListViewState.schemaName:
            state(MarketListViewState.self)?.lacksChanges ?? false
        case MarketDetailViewState.schemaName:
            state(MarketDetailViewState.self)?.lacksChanges ?? false
        case SnapshotViewState.schemaName: state(SnapshotViewState.self)?.lacksChanges ?? false
        default: false
        }
    }

    private func target() throws(ProgramError) -> RemoteTarget {
        var rest = parameters.map { RemoteParameter($0.name, $0.value) }
        // Options are a dictionary: sorting makes equal requests equal.
        rest.sort { $0.name < $1.name }
        let path: String
        switch document {
        case MarketListViewState.schemaName:
            let isPersonal = rest.contains(RemoteParameter("tab", "favorites"))
            path = isPersonal ? "/v1/me/markets" : "/v1/markets"
        case MarketDetailViewState.schemaName: path = try market(&rest)
        case "order-book": path = try market(&rest) + "/orderbook"
        case "trades", "candles": path = try market(&rest) + "/" + document
        case AssetsViewState.schemaName, SnapshotViewState.schemaName, AboutViewState.schemaName:
            path = "/v1/" + document
        case ProfileViewState.schemaName: path = "/v1/me"
        case PortfolioViewState.schemaName, SettingsViewState.schemaName,
            FavoritesViewState.schemaName, HoldingsViewState.schemaName,
            CashViewState.schemaName:
            path = "/v1/me/" + document
        default:
            throw ProgramError(
                .usage,
                "unknown DOCUMENT '\(document)'; use one of "
                    + SnapshotCommand.documents.joined(separator: ", ")
            )
        }
        return RemoteTarget(path: path, parameters: rest)
    }

    /// The path of the market; removes the parameter.
    private func market(_ rest: inout [RemoteParameter]) throws(ProgramError) -> String {
        guard let place = rest.firstIndex(where: { $0.name == "market" }) else {
            throw ProgramError(
                .usage,
                "missing \(CommandOption.market.flag), e.g. BTC_KRW"
            )
        }
        return "/v1/markets/" + RemoteTarget.escaped(rest.remove(at: place).value)
    }
}
