import DataSourceContracts
import DataSourcesRemote
import Domain
import Synchronization
import TestSupport
import Testing
import ViewStates

@testable import App

@Suite("Alerts of a server's user", .tags(.threads))
struct RemoteAlertsTests {
    private static let owner = UserID(7)

    /// A server with the documents of a record, and a list of the requests that change it.
    private final class Server: Sendable {
        private let record = Mutex(UserRecord(name: "kim"))
        private let hasAlerts: Bool
        private let changes = Mutex<[String]>([])

        init(hasAlerts: Bool = true) { self.hasAlerts = hasAlerts }

        var sent: [String] { changes.withLock { $0 } }

        func change(_ body: (inout UserRecord) -> Void) { record.withLock { body(&$0) } }

        var repository: RemoteUserRepository {
            RemoteUserRepository(
                RemoteClient(
                    url: "http://hoga",
                    token: "token",
                    requests: InMemoryHTTPServer { request throws(TransportError) in
                        self.answer(request)
                    },
                    streams: NoStreams(),
                    now: { 0 }
                ),
                RemoteEnvironment(clock: ContinuousClock(), uptime: { .zero }, random: { 0 })
            )
        }

        private func answer(_ request: HTTPRequest) -> HTTPResponse {
            let path = String(request.url.dropFirst("http://hoga".count))
            let record = record.withLock { $0 }
            if request.method != .get {
                changes.withLock { $0.append("\(request.method.rawValue) \(path) \(request.body)") }
                return HTTPResponse(status: 204, headers: [:], body: [])
            }
            let body: [UInt8]? =
                switch path {
                case "/v1/me":
                    document(record.profile) { ProfileViewState($0, scopes: [.read, .write]) }
                case "/v1/me/favorites": document(record.favorites) { FavoritesViewState($0) }
                case "/v1/me/settings": document(record.settings) { SettingsViewState($0) }
                case "/v1/me/holdings": document(record.holdings) { HoldingsViewState($0) }
                case "/v1/me/cash": document(record.cash) { CashViewState($0) }
                case "/v1/me/alerts" where hasAlerts:
                    document(record.alerts) { AlertsViewState($0, at: .noon(), .korean) }
                case "/v1/me/alerts/log?before=4&limit=2" where hasAlerts:
                    document(record.alerts) { alerts in
                        let page = alerts.log(before: 4, count: 2)
                        return AlertLogViewState(page, of: alerts, .korean)
                    }
                default: nil
                }
            guard let body else {
                let problem = ProblemDocument(
                    type: "/problems/not_found",
                    title: "Not found",
                    status: 404,
                    detail: "unknown path",
                    code: "not_found",
                    parameter: nil,
                    allowed: nil,
                    retryable: false,
                    requestID: "1"
                )
                return HTTPResponse(status: 404, headers: [:], body: problem.json)
            }
            return HTTPResponse(status: 200, headers: [:], body: body)
        }

        private func document<Value, State: DocumentState>(
            _ part: Revised<Value>,
            _ state: (Value) -> State
        ) -> [UInt8] {
            StoredDocument(user: owner.number, counter: part.revision, state: state(part.value))
                .json
        }
    }

    private struct NoStreams: EventStreamTransport {
        func open(
            _ request: HTTPRequest
        ) async throws(TransportError) -> any EventStreamConnection {
            throw TransportError(.cancelled, "no streams")
        }
    }

    @Test("rules and log are read as the server has them")
    func reading() async throws {
        let server = Server()
        let alerts = UserAlerts.sample(of: Self.owner)
        server.change { $0.alerts = Revised(alerts, revision: 12) }
        let repository = server.repository
        let record = try await repository.record(of: .tokenOwner)
        #expect(record.alerts == Revised(alerts, revision: 12))
        let page = try await repository.alertLog(of: .tokenOwner, before: 4, count: 2)
        #expect(page == Array(alerts.log[1...2]))
    }

    @Test("changes are sent, and shown until the server's next document")
    func changing() async throws {
        let server = Server()
        let repository = server.repository
        let rule = try AlertRule.parse("BTC > 150000000 again 10m", feed: .live)
        let record = try await repository.perform(.addAlert(rule, at: .noon()), of: .tokenOwner)
        #expect(record.alerts.value.rules.map(\.rule) == [rule])
        _ = try await repository.perform(.removeAlert(1, expecting: nil), of: .tokenOwner)
        _ = try await repository.perform(.markAlertsSeen(through: 5), of: .tokenOwner)
        #expect(
            server.sent == [
                #"POST /v1/me/alerts {"rule":"BTC_KRW > 150000000 again 10m"}"#,
                "DELETE /v1/me/alerts/1 ", #"PATCH /v1/me/alerts/log {"seenThrough":"5"}"#,
            ]
        )
    }

    @Test("a server without alerts has none, and refuses changes with the remedy")
    func earlierServer() async throws {
        let server = Server(hasAlerts: false)
        let repository = server.repository
        let record = try await repository.record(of: .tokenOwner)
        #expect(record.alerts == Revised(UserAlerts(), revision: 0))
        #expect(try await repository.alertLog(of: .tokenOwner, before: nil, count: 5) == [])
        let rule = try AlertRule.parse("BTC > 1", feed: .live)
        let failure = await #expect(throws: StoreFailure.self) {
            try await repository.perform(.addAlert(rule, at: .noon()), of: .tokenOwner)
        }
        #expect(failure?.code == .refused)
        #expect(failure?.detail.contains("Update the server") == true)
        #expect(server.sent == [])
        // Other parts of the record still change.
        _ = try await repository.perform(.putCash("5"), of: .tokenOwner)
        #expect(server.sent == [#"PUT /v1/me/cash {"amount":"5"}"#])
    }

    @Test("alerts are read every other poll, so that one elsewhere is shown soon")
    func polling() async throws {
        let server = Server()
        let repository = server.repository
        _ = try await repository.record(of: .tokenOwner)
        server.change { $0.alerts = Revised(.sample(of: Self.owner), revision: 12) }
        let counts = [
            try await repository.changeCount(of: .tokenOwner),
            try await repository.changeCount(of: .tokenOwner),
        ]
        #expect(counts[1] > counts[0])
    }

    @Test("rules and alerts of a later version are left out")
    func laterVersion() throws {
        var view = AlertsViewState(.sample(of: Self.owner), at: .noon(), .korean)
        view.rows[0].rule = "BTC_KRW moon > 3"
        view.log[0].rule = "BTC_KRW moon > 3"
        let alerts = UserAlerts(view, of: Self.owner.number)
        #expect(alerts.rules.map(\.number) == [2, 3, 4, 5])
        #expect(alerts.log.map(\.number) == [3, 2, 1])
        #expect(alerts.seenThrough == 2)
    }
}
