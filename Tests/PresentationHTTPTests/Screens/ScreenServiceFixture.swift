import Foundation
import HTTPServer
import UseCases
import ViewStates
import TestSupport

@testable import Domain
@testable import PresentationHTTP

/// A service over an unchanging board with one user, behind a socket, and the
/// producers of its documents.
final class ScreenServiceFixture {
    static let token = AccessToken(randomBytes: [UInt8](repeating: 7, count: AccessToken.byteCount))

    let documents: DocumentProducers
    let producers: UserDocumentProducers
    let record: UserRecord
    /// The time of the snapshot.
    let now: Timestamp
    private let handler: ServerFixture

    init(_ scene: BoardBuilder) throws {
        var board = scene.board
        let latest = SnapshotPublisher(board.snapshot())
        now = board.now
        let presenter = MarketListPresenter(names: BoardBuilder.names)
        documents = DocumentProducers(
            marketList: MarketListProducer(presenter: presenter, latest: latest, epoch: "epoch"),
            detail: MarketDetailPresenter(names: BoardBuilder.names),
            latest: latest,
            epoch: "epoch"
        )
        record = Self.record()
        producers = UserDocumentProducers(
            personal: UserStatePublisher(
                UserState(user: UserID(4), record: record, status: .ready, sequence: 1)
            ),
            lists: presenter,
            latest: latest,
            scopes: [.read, .write],
            epoch: "epoch"
        )
        let rules = ServiceConfiguration.sample
        let (interests, assetInterests) = (DetailInterests(), AssetInterests())
        let streams = DocumentStreams(
            documents: documents,
            latest: latest,
            interests: interests,
            assetInterests: assetInterests,
            bounds: .init(topicsMax: rules.topicsMax),
            clock: ContinuousClock(),
            random: { $0.lowerBound }
        )
        let service = SnapshotService(
            documents: documents,
            latest: latest,
            interests: interests,
            assetInterests: assetInterests,
            streams: streams,
            staticDocuments: StaticDocuments(about: Self.about),
            personal: OneUserAPI(producers: producers),
            configuration: rules,
            pipeline: RequestPipeline(
                configuration: rules,
                observers: [],
                uptime: { .zero },
                makeRequestID: { "request" }
            ),
            now: { SampleBoard.start }
        )
        handler = try ServerFixture { service.answer($0) }
    }

    private static func record() -> UserRecord {
        var record = UserRecord(name: "mina")
        record.profile.value.displayName = "미나"
        record.favorites.value = ["XRP_KRW", "BTC_KRW"]
        record.cash.value = "1500000.5"
        record.holdings.value = ["BTC", "ETH", "GONE", "NEW"].compactMap { Asset(symbol: $0) }.map {
            Holding(asset: $0, quantity: "0.05", averagePrice: $0.symbol == "ETH" ? nil : "1200")
        }
        record.settings.value.theme = .highContrast
        return record
    }

    /// The page on the program, as it is inside.
    static func about(_ language: Language) -> AboutDocument {
        AboutDocument(
            revision: "epoch-1",
            asOf: SampleBoard.start,
            source: SourceViewState(.live, .v1),
            state: AboutPresenter(
                version: "1.2.3",
                commit: "abc",
                installation: "package",
                limits: ServiceConfiguration.sample.limits,
                libraryVersions: [:]
            ).present(language)
        )
    }

    /// Asks, with the user's token.
    func ask(_ target: String) throws -> HTTPAnswer {
        try handler.ask("GET", target, fields: ["Authorization": "Bearer " + Self.token.text])
    }

    /// The document at an address.
    func read<Content: Decodable>(_ target: String) throws -> Content {
        try JSONDecoder().decode(Content.self, from: Data(try ask(target).body))
    }
}

/// Not shared between tests.
@available(*, unavailable)
extension ScreenServiceFixture: Sendable {}

/// A user API with one user, whose documents are read only.
private struct OneUserAPI: UserAPI {
    let isReadOnly = false
    let producers: UserDocumentProducers

    func grant(
        of token: AccessToken,
        admit: () throws(Problem) -> Void,
        reply: @escaping @Sendable (Result<TokenGrant, Problem>) -> Void
    ) {
        let grant = TokenGrant(user: UserID(4), name: "mina", scope: .write, expiresAt: nil)
        let isKnown = token.text == ScreenServiceFixture.token.text
        reply(
            isKnown
                ? .success(grant) : .failure(Problem(code: .unauthorized, detail: "unknown token"))
        )
    }

    func answer(
        _ call: RoutedRequest,
        _ grant: TokenGrant,
        reply: @escaping @Sendable (RouteResponse) -> Void
    ) {
        do throws(Problem) {
            guard case .look(let query) = try UserRequest(call, user: grant.user) else {
                throw Problem(code: .forbiddenScope, detail: "read only")
            }
            let (bytes, revision) = producers.bytes(query)
            let document = EncodedDocument(revision: revision, tag: revision) { bytes }
            reply(.document(CacheableDocument(document: document, scope: .user)))
        } catch {
            reply(.problem(error))
        }
    }

    /// Screens need no streams.
    func stream(
        _ query: UserStreamQuery,
        _ call: RoutedRequest,
        _ grant: TokenGrant,
        _ token: AccessToken,
        for reader: StreamReader,
        reply: @escaping @Sendable (Result<UserStream, Problem>) -> Void
    ) {
        reply(.failure(Problem(code: .notFound, detail: "no streams")))
    }
}
