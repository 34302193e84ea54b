import Domain
import UseCases
import ViewStates
import PresentationHTTP
import Repositories

extension Command {
    static let snapshot = Command(
        "snapshot",
        "Print one document as JSON, without a server",
        operands: [
            CommandOperand(
                "DOCUMENT",
                SnapshotCommand.documents.joined(separator: ", "),
                .words(SnapshotCommand.documents),
                example: SnapshotCommand.documents[0]
            )
        ],
        options: [
            .market, .documents, .tab, .quote, .sort, .direction, .period, .search, .markets,
            .offset, .limit, .depth, .group, .interval, .count, .since, .before, .at, .language,
            .state,
        ],
        settings: Setting.source + Setting.storing + [.server, .token],
        log: .file,
        action: .run { invocation, program throws(ProgramError) in
            let document = invocation.required(0)
            if let server = try RemoteServer(program, invocation.options) {
                return try await RemoteSnapshotCommand(
                    server: server,
                    document: document,
                    parameters: invocation.parameters
                ).run()
            }
            try await SnapshotCommand(
                program: program,
                document: document,
                parameters: invocation.parameters
            ).run()
        }
    )
}

/// `hoga snapshot`: one document as JSON, the same bytes that the service sends.
struct SnapshotCommand: Sendable {
    /// The names of the documents.
    static let documents =
        DocumentQuery.names + UserDocumentQuery.names + [AboutViewState.schemaName]

    let program: Program
    let document: String
    /// Parameters by their names in the HTTP contract.
    let parameters: [(name: String, value: String)]

    /// Waits for the data and prints the document.
    ///
    /// - Throws: ``ProgramError``: `usage` for an unknown document, parameter or market;
    ///   `unavailable` if the exchange did not answer, after printing the known data, and if the
    ///   store cannot be read.
    func run() async throws(ProgramError) {
        guard Self.documents.contains(document) else {
            throw ProgramError(
                .usage,
                "unknown DOCUMENT '\(document)'; use one of "
                    + Self.documents.joined(separator: ", ")
            )
        }
        if document == AboutViewState.schemaName {
            let language = try read { () throws(ParameterError) in
                try Language(documentParameters: parameters)
            }
            let epoch = SystemSources.epoch()
            return try write(
                About.document(program.configuration, language, epoch: epoch).json
            )
        }
        let personal = try read { () throws(ParameterError) in
            try UserDocumentQuery(document: document, parameters: parameters)
        }
        if let personal {
            try await writePersonal(personal)
        } else {
            try await writePublic(
                try read { () throws(ParameterError) in
                    try DocumentQuery(document: document, parameters: parameters)
                }
            )
        }
    }

    private func writePublic(_ query: DocumentQuery) async throws(ProgramError) {
        let session = try program.anonymousStoreSession()
        try await session.using { () async throws(ProgramError) in
            try await writePublic(query, session)
        }
    }

    private func writePublic(
        _ query: DocumentQuery,
        _ session: StoreSession
    ) async throws(ProgramError) {
        let exchange = try await exchange(session)
        let markets = try Markets(
            exchange,
            configuration: program.configuration,
            log: program.log,
            store: session.place.market,
            sharing: session.place.sharing(as: nil)
        )
        let services: [@Sendable () async -> Void] = [exchange.run, markets.run, session.run]
        let lease = markets.interests.enter(query.interests)
        let periodLease = FirstData.followChanges(of: query.partsWithChanges, markets)
        let assetLease = query.includesTransfers ? markets.assetInterests.enter() : nil
        let hasList = await Lifecycle.run(services: services) {
            let hasList = await FirstData.waitForList(markets, exchange)
            if hasList { await FirstData.waitForDetails(query.interests, markets) }
            if hasList { await FirstData.waitForChanges(of: query.partsWithChanges, markets) }
            if hasList, query.includesTransfers { await FirstData.waitForTransfers(markets) }
            session.hurry()
            return hasList
        }
        lease?.release()
        assetLease?.release()
        periodLease?.release()
        await session.end(markets)
        do throws(ParameterError) {
            try query.check(markets.latest.value.board)
        } catch {
            // An unknown market is not an invalid flag.
            throw ProgramError(.usage, "\(error)")
        }
        try write(markets.documents.bytes(query).bytes)
        try Self.check(hasList)
    }

    private func writePersonal(_ query: UserDocumentQuery) async throws(ProgramError) {
        let access = try StoreAccess(program)
        try await access.using { access throws(ProgramError) in
            try await writePersonal(query, access)
        }
    }

    private func writePersonal(
        _ query: UserDocumentQuery,
        _ access: StoreAccess
    ) async throws(ProgramError) {
        try await access.checkOwner()
        let whose = try await access.whose()
        let record = try await access.record()
        let personal = UserStatePublisher(
            UserState(user: whose.user, record: record, status: .ready, sequence: 1)
        )
        guard query.includesMarketData else {
            // Stored data needs no exchange.
            let snapshot = BoardSnapshot(
                board: MarketBoard(kind: .live),
                sequence: 0,
                capturedAt: SystemSources.now()
            )
            let producers = producers(personal, SnapshotPublisher(snapshot), whose.scopes)
            return try write(producers.bytes(query).bytes)
        }
        let session = try program.storeSession(in: access.place)
        let exchange = try await exchange(session)
        let markets = try Markets(
            exchange,
            configuration: program.configuration,
            log: program.log,
            store: session.place.market,
            sharing: session.place.sharing(as: nil)
        )
        let services: [@Sendable () async -> Void] = [exchange.run, markets.run]
        let periodLease = FirstData.followChanges(of: query.partsWithChanges, markets)
        let assetLease = query.includesTransfers ? markets.assetInterests.enter() : nil
        let hasList = await Lifecycle.run(services: services) {
            let hasList = await FirstData.waitForList(markets, exchange)
            if hasList, query.includesTransfers { await FirstData.waitForTransfers(markets) }
            if hasList {
                await FirstData.waitForChanges(
                    of: query.partsWithChanges,
                    favorites: record.favorites.value,
                    markets
                )
            }
            session.hurry()
            return hasList
        }
        assetLease?.release()
        periodLease?.release()
        await session.end(markets)
        try write(producers(personal, markets.latest, whose.scopes).bytes(query).bytes)
        try Self.check(hasList)
    }

    private func exchange(_ session: StoreSession) async throws(ProgramError) -> ExchangeEndpoint {
        await session.expecting(
            try ExchangeEndpoint.make(
                program.configuration.exchange,
                program.configuration,
                standardSpeed: .maximum
            )
        )
    }

    private func producers(
        _ personal: UserStatePublisher,
        _ latest: SnapshotPublisher,
        _ scopes: [TokenScope]
    ) -> UserDocumentProducers {
        UserDocumentProducers(
            personal: personal,
            lists: MarketListPresenter(names: EmbeddedCoinNames().names()),
            latest: latest,
            scopes: scopes.map { scope in
                switch scope {
                case .read: .read
                case .write: .write
                }
            },
            epoch: SystemSources.epoch()
        )
    }

    private func write(_ json: [UInt8]) throws(ProgramError) {
        try Console.write(json + [UInt8(ascii: "\n")])
    }

    private static func check(_ hasList: Bool) throws(ProgramError) {
        guard hasList else {
            throw ProgramError(
                .unavailable,
                "the exchange did not answer; see health.error in the document"
            )
        }
    }

    /// Parses parameters, which are flags here.
    private func read<Value>(
        _ body: () throws(ParameterError) -> Value
    ) throws(ProgramError) -> Value {
        do throws(ParameterError) {
            return try body()
        } catch {
            throw ProgramError(.usage, "--\(error)")
        }
    }
}
