import Dispatch
import Domain
import ViewStates
import TestSupport
import Testing

@testable import PresentationHTTP

@Suite("Access control")
struct AccessTests {
    private static let reader = token(1)
    private static let writer = token(2)
    private static let stranger = token(3)

    private static func token(_ byte: UInt8) -> AccessToken {
        AccessToken(randomBytes: Array(repeating: byte, count: AccessToken.byteCount))
    }

    /// A user API that knows two tokens and replies on another thread.
    private struct TwoTokenAPI: UserAPI {
        var isReadOnly = false
        let queue = DispatchQueue(label: "api")
        /// Whether a silent API begins changes; nil for an API that replies.
        var beginsSilently: Bool?

        func grant(
            of token: AccessToken,
            admit: () throws(Problem) -> Void,
            reply: @escaping @Sendable (Result<TokenGrant, Problem>) -> Void
        ) {
            let scope: TokenScope? =
                token == reader ? .read : token == writer ? .write : nil
            let deliver = { @Sendable in
                reply(
                    scope.map {
                        .success(
                            TokenGrant(user: UserID(7), name: "kim", scope: $0, expiresAt: nil)
                        )
                    } ?? .failure(Problem(code: .unauthorized, detail: "no such token"))
                )
            }
            // The grant is available at once unless the test delays it.
            if beginsSilently == nil { queue.async(execute: deliver) } else { deliver() }
        }

        func answer(
            _ call: RoutedRequest,
            _ grant: TokenGrant,
            reply: @escaping @Sendable (RouteResponse) -> Void
        ) {
            if let beginsSilently {
                if beginsSilently { _ = call.permit?.begin() }
                return
            }
            queue.async {
                let text = "{\"\(call.method.rawValue)\":\"\(call.place ?? "")\"}"
                reply(
                    .document(
                        CacheableDocument(
                            document: EncodedDocument(revision: "u7-1", tag: "u7-1") {
                                Array(text.utf8)
                            },
                            scope: .stored
                        )
                    )
                )
            }
        }

        func stream(
            _ query: UserStreamQuery,
            _ call: RoutedRequest,
            _ grant: TokenGrant,
            _ token: AccessToken,
            for reader: StreamReader,
            reply: @escaping @Sendable (Result<UserStream, Problem>) -> Void
        ) {
            queue.async { reply(.failure(Problem(code: .storeUnavailable, detail: "away"))) }
        }
    }

    private func ask(
        _ markets: MarketServiceFixture,
        _ method: String,
        _ target: String,
        _ token: AccessToken
    ) throws -> HTTPAnswer {
        try markets.served.ask(
            method,
            target,
            fields: ["Authorization": "Bearer \(token.text)"]
        )
    }

    @Test("without a valid token users' resources are 401")
    func refused() throws {
        let markets = try MarketServiceFixture(personal: TwoTokenAPI())
        let texts = [
            nil, "", "Bearer", "Bearer x", "Basic \(Self.reader.text)", Self.reader.text,
            "Bearer \(Self.stranger.text)", "Bearer \(Self.reader.text) x",
            "Bearer,\(Self.reader.text)",
        ]
        for text in texts {
            let answer =
                try text.map {
                    try markets.served.ask("GET", "/v1/me", fields: ["Authorization": $0])
                } ?? markets.served.ask("GET", "/v1/me")
            #expect(answer.status == 401, "\(text ?? "none")")
            #expect(answer.fields["www-authenticate"] == "Bearer")
            #expect(try answer.json["code"] == .string("unauthorized"))
            #expect(!String(decoding: answer.body, as: UTF8.self).contains("hoga_"))
        }
    }

    @Test("an instance on a standby answers readers and refuses changes as read_only")
    func readOnly() throws {
        let markets = try MarketServiceFixture(personal: TwoTokenAPI(isReadOnly: true))
        #expect(try ask(markets, "GET", "/v1/me/settings", Self.writer).status == 200)
        for method in ["PUT", "DELETE"] {
            let refused = try ask(markets, method, "/v1/me/favorites/BTC_KRW", Self.writer)
            #expect(refused.status == 403)
            #expect(try refused.json["code"] == .string("read_only"))
            #expect(try refused.json["retryable"] == .boolean(false))
        }
        // A token without the scope is refused for that first.
        let reader = try ask(markets, "PUT", "/v1/me/favorites/BTC_KRW", Self.reader)
        #expect(try reader.json["code"] == .string("forbidden_scope"))
    }

    @Test("any token reads; changes need scope write")
    func scopes() throws {
        let markets = try MarketServiceFixture(personal: TwoTokenAPI())
        let read = try ask(markets, "GET", "/v1/me/settings", Self.reader)
        #expect(read.status == 200 && read.fields["etag"] == "\"u7-1\"")
        #expect(read.fields["cache-control"] == "private, no-cache")
        #expect(read.fields["vary"] == "Authorization")
        #expect(markets.records.next().user == UserID(7))
        let refused = try ask(markets, "PUT", "/v1/me/favorites/BTC_KRW", Self.reader)
        #expect(refused.status == 403)
        #expect(try refused.json["code"] == .string("forbidden_scope"))
        let put = try ask(markets, "PUT", "/v1/me/favorites/BTC_KRW", Self.writer)
        #expect(put.body == Array(#"{"PUT":"BTC_KRW"}"#.utf8))
        for blanks in [" ", "  ", "\t", " \t "] {
            let lower = try markets.served.ask(
                "GET",
                "/v1/me",
                fields: ["Authorization": "bearer\(blanks)\(Self.reader.text)"]
            )
            #expect(lower.status == 200, "\(blanks.debugDescription)")
        }
    }

    @Test("public data needs a token only if configured; openapi.json never")
    func requiredTokens() throws {
        let open = try MarketServiceFixture(personal: TwoTokenAPI())
        #expect(try open.served.ask("GET", "/v1/markets").status == 200)
        let shut = try MarketServiceFixture(
            rules: .sample.with { $0.requiresToken = true },
            personal: TwoTokenAPI()
        )
        for path in ["/v1/markets", "/v1/assets", "/v1/about", "/v1/stream", "/v1/snapshot"] {
            #expect(try shut.served.ask("GET", path).status == 401, "\(path)")
        }
        #expect(try ask(shut, "GET", "/v1/markets", Self.reader).status == 200)
        #expect(try shut.served.ask("GET", "/nowhere").status == 404)
    }

    @Test("a token has a limit beside its client's")
    func tokenLimit() throws {
        let markets = try MarketServiceFixture(
            rules: .sample.with { $0.requestsPerToken = 2 },
            personal: TwoTokenAPI()
        )
        for left in [1, 0] {
            let answer = try ask(markets, "GET", "/v1/me", Self.reader)
            #expect(answer.status == 200)
            #expect(answer.fields["ratelimit"]?.contains("\"token\";r=\(left);") == true)
            #expect(answer.fields["ratelimit-policy"]?.hasSuffix("\"token\";q=2;w=60") == true)
        }
        #expect(try ask(markets, "GET", "/v1/me", Self.reader).status == 429)
        #expect(try ask(markets, "GET", "/v1/me", Self.writer).status == 200)
        #expect(try markets.list().status == 200)
    }

    @Test("without a store users' resources are 503 and public data is served")
    func noStore() throws {
        let markets = try MarketServiceFixture()
        let answer = try ask(markets, "GET", "/v1/me", Self.reader)
        #expect(answer.status == 503 && answer.fields["retry-after"] != nil)
        #expect(try answer.json["code"] == .string("store_unavailable"))
        #expect(try markets.list().status == 200)
    }

    @Test(
        "a time-out says whether the change was made",
        arguments: [
            ("GET", false, "the store did not answer in time"),
            ("PUT", false, "the store did not answer in time; nothing was changed"),
            (
                "PUT", true,
                "the store did not answer in time; the change may have been made:"
                    + " read the resource before repeating it"
            ),
        ]
    )
    func silence(method: String, isBegun: Bool, detail: String) throws {
        let markets = try MarketServiceFixture(
            rules: .sample.with { $0.storeTimeout = .milliseconds(50) },
            personal: TwoTokenAPI(beginsSilently: isBegun)
        )
        let target = method == "GET" ? "/v1/me/cash" : "/v1/me/favorites/BTC_KRW"
        let answer = try ask(markets, method, target, Self.writer)
        #expect(answer.status == 503 && answer.fields["retry-after"] != nil)
        #expect(try answer.json["code"] == .string("store_unavailable"))
        #expect(try answer.json["detail"] == .string(detail))
    }

    @Test("a user's stream that cannot begin is a problem")
    func stream() throws {
        let markets = try MarketServiceFixture(personal: TwoTokenAPI())
        let answer = try ask(markets, "GET", "/v1/me/stream", Self.reader)
        #expect(answer.status == 503)
        #expect(answer.fields["content-type"] == "application/problem+json")
    }
}
