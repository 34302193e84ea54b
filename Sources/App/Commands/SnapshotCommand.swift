import Domain
import Presentation
import PresentationHTTP

/// `hoga snapshot`: one document as JSON, the same bytes that the service would give.
struct SnapshotCommand: Sendable {
    let program: Program
    let document: String
    /// Parameters by their names in the HTTP contract.
    let parameters: [(name: String, value: String)]

    /// Waits for the data, prints the document and ends.
    ///
    /// - Throws: ``ProgramError``: `usage` for a document, parameter or market that there is none
    ///   of; `unavailable` when the exchange did not answer, after printing what is known.
    func run() async throws(ProgramError) {
        let query: DocumentQuery
        do throws(ParameterError) {
            query = try DocumentQuery(document: document, parameters: parameters)
        } catch {
            // A parameter is a flag here; the document is an operand.
            let text = "\(error)"
            throw ProgramError(.usage, text.hasPrefix("DOCUMENT") ? text : "--" + text)
        }
        let keeping = program.keeping()
        let exchange = await keeping.expecting(
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
            store: keeping.store
        )
        let services: [@Sendable () async -> Void] = [exchange.run, markets.run, keeping.run]
        let lease = markets.interests.enter(query.interests)
        let hasList = await Lifecycle.run(services: services) {
            let hasList = await OneShot.waitForList(markets, exchange)
            if hasList { await OneShot.waitForDetails(query.interests, markets) }
            return hasList
        }
        lease?.release()
        await keeping.end(markets)
        do throws(ParameterError) {
            try query.check(markets.latest.value.board)
        } catch {
            throw ProgramError(.usage, "\(error)")
        }
        try Console.write(markets.documents.bytes(query).bytes + [UInt8(ascii: "\n")])
        guard hasList else {
            throw ProgramError(.unavailable, "the exchange did not answer; the document says why")
        }
    }
}
