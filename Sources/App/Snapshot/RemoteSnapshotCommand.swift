import DataSourceContracts
import Domain
import ViewStates
import PresentationHTTP

/// `hoga snapshot --server`: one document as JSON, as the service gives it.
struct RemoteSnapshotCommand: Sendable {
    let server: RemoteServer
    let document: String
    /// Parameters by their names in the HTTP contract.
    let parameters: [(name: String, value: String)]

    /// Prints the document.
    ///
    /// - Throws: ``ProgramError``: `usage` for a document that there is none of and for what the
    ///   service does not take; else why it does not answer.
    func run() async throws(ProgramError) {
        let target = try target()
        let error: ProgramError? = await Lifecycle.run(services: [server.run]) {
            do throws(RemoteFailure) {
                let response = try await server.service.send(server.service.request(target))
                do throws(ProgramError) {
                    try Console.write(response.body + [UInt8(ascii: "\n")])
                    return nil
                } catch {
                    return error
                }
            } catch {
                return error.code == .refused
                    ? ProgramError(.usage, "\(document): \(error.detail)") : server.error(error)
            }
        }
        if let error { throw error }
    }

    private func target() throws(ProgramError) -> RemoteTarget {
        var rest = parameters.map { RemoteParameter($0.name, $0.value) }
        // Flags have no order of their own; the same ones ask the same.
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
                "DOCUMENT: there is no such document; allowed: "
                    + SnapshotCommand.documents.joined(separator: ", ")
            )
        }
        return RemoteTarget(path: path, parameters: rest)
    }

    /// The address of the market that the parameters name, which then is none of them.
    private func market(_ rest: inout [RemoteParameter]) throws(ProgramError) -> String {
        guard let place = rest.firstIndex(where: { $0.name == "market" }) else {
            throw ProgramError(
                .usage,
                "\(CommandOption.market.rawValue): is missing; allowed: a market, such as BTC_KRW"
            )
        }
        return "/v1/markets/" + RemoteTarget.escaped(rest.remove(at: place).value)
    }
}
