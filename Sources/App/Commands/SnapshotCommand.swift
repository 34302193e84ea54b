import Presentation
import PresentationHTTP

/// `hoga snapshot`: one document as JSON, the same bytes that the service would give.
struct SnapshotCommand: Sendable {
    let program: Program
    let document: String
    /// Parameters by their names in the HTTP contract.
    let parameters: [(name: String, value: String)]

    func run() async throws(ProgramError) {
        guard document == "market-list" else {
            throw ProgramError(.usage, "DOCUMENT must be market-list")
        }
        let query: DocumentQuery
        do throws(ParameterError) {
            query = try DocumentQuery(document: document, parameters: parameters)
        } catch {
            throw ProgramError(.usage, "--\(error)")
        }
        let exchange = try ExchangeEndpoint.make(
            program.configuration.exchange,
            program.configuration,
            standardSpeed: .maximum
        )
        let markets = try Markets(
            exchange,
            configuration: program.configuration,
            log: program.log
        )
        let services: [@Sendable () async -> Void] = [exchange.run, markets.run]
        let hasList = await Lifecycle.run(services: services) {
            await OneShot.waitForList(markets, exchange)
        }
        try Console.write(markets.documents.bytes(query).bytes + [UInt8(ascii: "\n")])
        guard hasList else {
            throw ProgramError(.unavailable, "the exchange did not answer; the document says why")
        }
    }
}
