import Foundation
import ViewStates
import PresentationHTTP
import Synchronization
import TestSupport

@testable import Domain
import UseCases

/// The snapshot service over a sample board and an in-memory user store, behind a real server.
final class ServedUsers: Sendable {
    /// What the service has for webhooks.
    enum Webhooks: Sendable {
        /// All of it.
        case complete
        /// A store, but no key for secrets.
        case withoutKey
        /// Nothing.
        case none
    }

    let store = InMemoryUsers()
    let webhooks = InMemoryWebhooks()
    /// The reported failures of the store.
    let failures = RecordedFailures()
    /// The results of changes that reached the store.
    let changes = RecordedFailures()
    let rules: ServiceConfiguration
    /// Numbers the tokens that users make.
    private let made = MadeTokens()
    private let sample: Mutex<SampleBoard>
    private let latest: SnapshotPublisher
    private let streams: DocumentStreams
    private let personal: UserService
    private let service: SnapshotService

    /// Runs a blocking job beside the service, with a number of users who each have a token.
    static func with(
        users: Int = 2,
        rules: ServiceConfiguration = .sample,
        webhooks: Webhooks = .complete,
        _ job: @escaping @Sendable (ServedUsers) throws -> Void
    ) async throws {
        let served = ServedUsers(rules, webhooks)
        for number in 1...Int64(users) {
            served.store.addUser(UserID(number), name: "user\(number)")
            served.addToken(Int(number), of: number)
        }
        try await withThrowingTaskGroup(of: Void.self) { group in
            // On a thread of its own, because other tests block the shared ones.
            group.addTask(executorPreference: ThreadExecutor()) { await served.personal.run() }
            group.addTask(executorPreference: ThreadExecutor()) { await served.streams.run() }
            defer { group.cancelAll() }
            try await onBlockingThread { try job(served) }
        }
    }

    private init(_ rules: ServiceConfiguration, _ hooks: Webhooks) {
        self.rules = rules
        var board = SampleBoard.live()
        latest = SnapshotPublisher(board.snapshot())
        sample = Mutex(board)
        let presenter = MarketListPresenter(names: CoinNames([:]))
        let documents = DocumentProducers(
            marketList: MarketListProducer(presenter: presenter, latest: latest, epoch: "epoch"),
            detail: MarketDetailPresenter(names: presenter.names),
            latest: latest,
            epoch: "epoch"
        )
        let interests = DetailInterests()
        let assetInterests = AssetInterests()
        streams = DocumentStreams(
            documents: documents,
            latest: latest,
            interests: interests,
            assetInterests: assetInterests,
            bounds: .init(topicsMax: rules.topicsMax),
            clock: ContinuousClock(),
            random: { $0.lowerBound }
        )
        personal = UserService(
            UserService.Parts(
                tokens: store,
                ownTokens: store,
                webhooks: Self.access(to: webhooks, hooks),
                users: store,
                notifications: store,
                hash: { Self.hash($0) },
                makeToken: { [made] in Self.token(made.next()) },
                rows: documents.marketList.rows,
                streams: streams,
                assetInterests: assetInterests,
                epoch: "epoch",
                userBytesMax: rules.userBytesMax,
                onStoreFailure: { [failures] in failures.record($0) },
                onChange: { [changes] in changes.record($0) },
                now: { SampleBoard.start }
            ),
            clock: ContinuousClock()
        )
        service = SnapshotService(
            documents: documents,
            latest: latest,
            interests: interests,
            assetInterests: assetInterests,
            streams: streams,
            personal: personal,
            about: MarketServiceFixture.about,
            configuration: rules,
            observers: [],
            now: { SampleBoard.start },
            uptime: { .zero },
            makeRequestID: RequestIDSequence().next
        )
    }

    /// The access to webhooks; addresses are allowed on hosts under `example`.
    private static func access(to store: InMemoryWebhooks, _ hooks: Webhooks) -> WebhookAccess? {
        let made = MadeTokens()
        let makeSecret = { @Sendable (user: UserID) in
            let number = made.next()
            return (secret(number), Array("sealed \(number) of \(user.number)".utf8))
        }
        let refusal = { @Sendable (url: String) in
            url.hasPrefix("https://") && url.contains(".example/")
                ? nil : "not an address under .example; choose another one"
        }
        return switch hooks {
        case .complete:
            WebhookAccess(repository: store, makeSecret: makeSecret, refusal: refusal)
        case .withoutKey: WebhookAccess(repository: store, makeSecret: nil, refusal: refusal)
        case .none: nil
        }
    }

    /// The secret of a webhook that the service makes with a number from 501.
    static func secret(_ number: Int) -> String {
        "whsec_" + Data("secret \(number)".utf8).base64EncodedString()
    }

    /// Starts a server for one client.
    func client() throws -> UsersClient {
        try UsersClient(
            ServerFixture { [service] in
                service.answer($0)
            }
        )
    }

    /// Advances the time, changes the board and publishes a snapshot.
    func publish(_ change: (inout SampleBoard) -> Void) {
        let snapshot = sample.withLock { sample in
            sample.wait(.milliseconds(100))
            change(&sample)
            return sample.snapshot()
        }
        latest.publish(snapshot)
    }

    /// Adds the token of a number for a user.
    func addToken(
        _ token: Int,
        of user: Int64,
        scope: TokenScope = .write,
        expiresAt: Timestamp? = nil
    ) {
        let hash = Self.hash(Self.token(token))
        store.addToken(hash, of: UserID(user), scope: scope, expiresAt: expiresAt)
    }

    /// Revokes the token of a number.
    func revoke(_ token: Int) { store.revoke(Self.hash(Self.token(token))) }

    /// The token of a number.
    static func token(_ number: Int) -> AccessToken {
        AccessToken(randomBytes: TokenHash(number: number).bytes)
    }

    /// A hash that is distinct for the tokens of a test, but not cryptographic.
    private static func hash(_ token: AccessToken) -> TokenHash {
        var bytes = [UInt8](repeating: 0, count: TokenHash.byteCount)
        for (place, byte) in token.text.utf8.enumerated() {
            bytes[place % bytes.count] = bytes[place % bytes.count] &* 31 &+ byte
        }
        return TokenHash(bytes)
    }
}

/// Numbers tokens from 501.
private final class MadeTokens: Sendable {
    private let count = Mutex(500)

    func next() -> Int {
        count.withLock { count in
            count += 1
            return count
        }
    }
}

/// One client of the service.
final class UsersClient {
    private let served: ServerFixture
    private let client: TCPClient

    init(_ served: ServerFixture) throws {
        self.served = served
        client = try TCPClient(port: served.port)
    }

    /// Sends a request with the token of a number, or without, and reads the answer.
    func ask(
        _ method: String,
        _ target: String,
        as token: Int?,
        _ fields: KeyValuePairs<String, String> = [:],
        body: String? = nil
    ) throws -> HTTPAnswer {
        try send(method, target, as: token, fields, body: body)
        let header = try client.receiveHeader()
        let answer = HTTPAnswer(header: header, body: [])
        // A HEAD response and a 304 have no body, whatever their Content-Length.
        if method == "HEAD" || answer.status == 304 { return answer }
        let length = answer.fields["content-length"].flatMap { Int($0) } ?? 0
        return HTTPAnswer(header: header, body: try client.receive(count: length))
    }

    /// Sends a request.
    func send(
        _ method: String,
        _ target: String,
        as token: Int?,
        _ fields: KeyValuePairs<String, String> = [:],
        body: String? = nil
    ) throws {
        var text = "\(method) \(target) HTTP/1.1\r\nHost: localhost\r\n"
        if let token { text += "Authorization: Bearer \(ServedUsers.token(token).text)\r\n" }
        for (name, value) in fields { text += "\(name): \(value)\r\n" }
        if let body {
            let hasType = fields.contains { $0.key == "Content-Type" }
            if !hasType { text += "Content-Type: application/json\r\n" }
            text += "Content-Length: \(body.utf8.count)\r\n"
        }
        try client.send(text + "\r\n" + (body ?? ""))
    }

    /// Receives until the text arrives.
    func receive(until text: String) throws -> String {
        var bytes: [UInt8] = []
        while true {
            let part = try client.receive()
            if part.isEmpty { return String(decoding: bytes, as: UTF8.self) }
            bytes += part
            let received = String(decoding: bytes, as: UTF8.self)
            if received.contains(text) { return received }
        }
    }
}

/// One test uses a client at a time.
@available(*, unavailable)
extension UsersClient: Sendable {}

extension HTTPAnswer {
    /// The body as text.
    var text: String { String(decoding: body, as: UTF8.self) }
    /// The `ETag`.
    var tag: String { fields["etag"] ?? "" }
    /// The code of a problem.
    var code: String? {
        guard case .string(let code)? = try? json["code"] else { return nil }
        return code
    }
    /// The parameter that a problem names.
    var parameter: String? {
        guard case .string(let name)? = try? json["parameter"] else { return nil }
        return name
    }
}

/// Collects the reported failures of a store, and what succeeded as nil.
final class RecordedFailures: Sendable {
    private let kept = Mutex<[StoreFailure?]>([])

    var all: [StoreFailure?] { kept.withLock { $0 } }

    func record(_ failure: StoreFailure?) { kept.withLock { $0.append(failure) } }
}
