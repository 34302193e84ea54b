import DataSourceContracts
import DataSourcesBithumb
import TestSupport
import Testing

/// A call of a reference source.
enum ReferenceCall: CaseIterable, Sendable, CustomTestStringConvertible {
    case assets, names, alerts

    var testDescription: String { path }

    var path: String {
        switch self {
        case .assets: "/public/assetsstatus/ALL"
        case .names: "/v1/market/all?isDetails=true"
        case .alerts: "/v1/market/virtual_asset_warning"
        }
    }

    var place: String {
        switch self {
        case .assets: "assetsstatus/ALL"
        case .names: "market/all"
        case .alerts: "market/virtual_asset_warning"
        }
    }

    var body: String {
        switch self {
        case .assets: #"{"status":"0000","data":{"A":{"deposit_status":1}}}"#
        case .names: #"[{"market":"KRW-A","korean_name":"가"}]"#
        case .alerts: #"[{"market":"KRW-A","warning_type":"B"}]"#
        }
    }

    /// Makes the call.
    ///
    /// - Returns: how many entries came.
    func make(_ client: BithumbClient) async throws(DataSourceError) -> Int {
        switch self {
        case .assets:
            try await BithumbAssetStatusSource(client: client).assetStatuses().assets.count
        case .names: try await BithumbReferenceSource(client: client).markets().markets.count
        case .alerts: try await BithumbReferenceSource(client: client).alerts().alerts.count
        }
    }
}

@Suite("Reference sources send requests for names, warnings and asset states")
struct BithumbReferenceSourceTests {
    private let clock = ManualClock()

    private func client(
        _ server: InMemoryHTTPServer,
        _ rateLimiter: RequestRateLimiter? = nil
    ) -> BithumbClient {
        BithumbClient(
            transport: server,
            baseURL: "http://127.0.0.1:8090/",
            rateLimiter: rateLimiter ?? RequestRateLimiter(clock: clock),
            timeout: .seconds(3)
        )
    }

    private func failure(of call: ReferenceCall, _ client: BithumbClient) async -> DataSourceError?
    {
        do {
            _ = try await call.make(client)
            return nil
        } catch {
            return error
        }
    }

    @Test("each request has its own path on the same host", arguments: ReferenceCall.allCases)
    func addresses(call: ReferenceCall) async throws {
        let server = InMemoryHTTPServer(body: call.body)
        #expect(try await call.make(client(server)) == 1)
        #expect(server.requests.map(\.url) == ["http://127.0.0.1:8090" + call.path])
        #expect(server.requests.map(\.timeout) == [.seconds(3)])
    }

    @Test(
        "a rate refusal pauses the category of other requests",
        arguments: ReferenceCall.allCases
    )
    func rest(call: ReferenceCall) async throws {
        let refusal = #"{"status":"5600","message":"Please try again"}"#
        for (status, body) in [(429, ""), (200, refusal)] {
            let server = InMemoryHTTPServer(status: status, body: body)
            let rateLimiter = RequestRateLimiter(clock: clock)
            let client = client(server, rateLimiter)
            #expect(await failure(of: call, client)?.code != nil)
            let second = await failure(of: call, client)
            #expect(second?.code == .rateLimited(retryAfter: .seconds(60)))
            #expect(server.requests.count == 1)
            for other in RequestCategory.allCases where other != .other {
                try await rateLimiter.acquire(other)
            }
        }
    }

    @Test(
        "an error of API 2.x has its name, with any HTTP status",
        arguments: [ReferenceCall.names, .alerts],
        [200, 400, 404]
    )
    func errors(call: ReferenceCall, status: Int) async {
        let body = #"{"error":{"name":"invalid_parameter","message":"no"}}"#
        let server = InMemoryHTTPServer(
            status: status,
            headers: ["x-hoga-feed": "simulated"],
            body: body
        )
        let error = await failure(of: call, client(server))
        #expect(error?.code == .refused(status: "invalid_parameter", message: "no"))
        #expect(error?.detail == "\(call.place): status invalid_parameter")
        #expect(error?.feedLabel == "simulated")
    }

    @Test("an HTTP error without such a body is httpStatus", arguments: ReferenceCall.allCases)
    func httpErrors(call: ReferenceCall) async {
        let bodies = ["", "<html></html>", "{}", "[]", call.body]
        for status in [400, 404, 414, 500, 503] {
            for body in bodies {
                let server = InMemoryHTTPServer(status: status, body: body)
                let error = await failure(of: call, client(server))
                #expect(error?.code == .httpStatus(status))
                #expect(error?.detail == "\(call.place): HTTP status \(status)")
            }
        }
    }

    @Test(
        "HTML, a truncated body and a body over the limit are malformed",
        arguments: ReferenceCall.allCases
    )
    func malformed(call: ReferenceCall) async {
        let bodies = [
            "<html></html>", String(call.body.dropLast()),
            String(repeating: " ", count: 8 << 20 + 1),
        ]
        for body in bodies {
            let server = InMemoryHTTPServer(body: body)
            let error = await failure(of: call, client(server))
            #expect(error?.code == .malformed)
            #expect(error?.detail.hasPrefix("\(call.place): ") == true)
        }
    }
}
