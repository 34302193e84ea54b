import Domain
import Foundation
import TestSupport
import Testing
import ViewStates

@Suite("Users list, make and revoke their own tokens")
struct UserTokenTests {
    private static let path = "/v1/me/tokens"

    /// Makes a token and returns the answer's state.
    private static func make(
        _ client: UsersClient,
        _ body: String,
        as token: Int = 1
    ) throws -> NewTokenViewState {
        let answer = try client.ask("POST", path, as: token, body: body)
        try #require(answer.status == 201, "\(answer.text)")
        let document = try JSONDecoder().decode(
            StoredDocument<NewTokenViewState>.self,
            from: Data(answer.body)
        )
        #expect(document.schema == "token" && document.version == 1)
        #expect(answer.fields["location"] == "\(path)/\(document.state.row.number)")
        return document.state
    }

    private static func rows(_ answer: HTTPAnswer) throws -> [TokenViewState] {
        try #require(answer.status == 200, "\(answer.text)")
        return try JSONDecoder().decode(
            StoredDocument<TokensViewState>.self,
            from: Data(answer.body)
        )
        .state.rows
    }

    @Test("a made token opens the user's data, is listed, and is refused once it is revoked")
    func life() async throws {
        try await ServedUsers.with { served in
            let client = try served.client()
            let made = try Self.make(client, #"{"scopes":["read"],"note":" 거실 "}"#)
            #expect(made.token == ServedUsers.token(501).text)
            #expect(made.row.scopes == [.read] && made.row.note == "거실" && !made.row.current)
            #expect(try client.ask("GET", "/v1/me", as: 501).text.contains("user1"))

            let list = try client.ask("GET", Self.path, as: 1)
            let rows = try Self.rows(list)
            #expect(rows.map(\.current) == [true, false])
            #expect(rows.map(\.scopes) == [[.read, .write], [.read]])
            #expect(rows.last == made.row)
            #expect(!list.text.contains("hoga_"))
            #expect(
                try Self.rows(client.ask("GET", Self.path, as: 501)).map(\.current) == [
                    false, true,
                ]
            )

            for _ in 0..<2 {
                let revoked = try client.ask("DELETE", "\(Self.path)/\(made.row.number)", as: 1)
                #expect(revoked.status == 204 && revoked.body.isEmpty)
                #expect(try client.ask("GET", "/v1/me", as: 501).status == 401)
            }
            #expect(try Self.rows(client.ask("GET", Self.path, as: 1)).count == 1)
        }
    }

    @Test("the answer with a token is kept by no cache and has no tag")
    func secret() async throws {
        try await ServedUsers.with { served in
            let client = try served.client()
            let body = #"{"scopes":["read"]}"#
            let fields: KeyValuePairs = ["Accept-Encoding": "gzip"]
            let made = try client.ask("POST", Self.path, as: 1, fields, body: body)
            #expect(made.status == 201 && made.fields["cache-control"] == "no-store")
            #expect(made.fields["etag"] == nil && made.fields["content-encoding"] == nil)
            #expect(made.text.contains(ServedUsers.token(501).text))
        }
    }

    @Test("the list has a tag that changes with its content and differs between tokens")
    func tags() async throws {
        try await ServedUsers.with { served in
            let client = try served.client()
            let first = try client.ask("GET", Self.path, as: 1)
            #expect(first.fields["cache-control"] == "private, no-cache")
            #expect(try client.ask("HEAD", Self.path, as: 1).tag == first.tag)
            let fields: KeyValuePairs = ["If-None-Match": first.tag]
            #expect(try client.ask("GET", Self.path, as: 1, fields).status == 304)
            _ = try Self.make(client, #"{"scopes":["write"]}"#)
            let second = try client.ask("GET", Self.path, as: 1, fields)
            #expect(second.status == 200 && second.tag != first.tag)
            let other = try client.ask("GET", Self.path, as: 501)
            #expect(other.tag != second.tag && other.tag.hasPrefix("\"u1-"))
        }
    }

    @Test("a token revokes itself, and is refused from then on")
    func itself() async throws {
        try await ServedUsers.with { served in
            let client = try served.client()
            let own = try #require(try Self.rows(client.ask("GET", Self.path, as: 1)).first)
            #expect(try client.ask("DELETE", "\(Self.path)/\(own.number)", as: 1).status == 204)
            #expect(try client.ask("GET", Self.path, as: 1).status == 401)
            #expect(try client.ask("GET", Self.path, as: 2).status == 200)
        }
    }

    @Test("a token of scope read lists tokens, but makes and revokes none")
    func readOnly() async throws {
        try await ServedUsers.with { served in
            served.addToken(9, of: 1, scope: .read)
            let client = try served.client()
            #expect(try Self.rows(client.ask("GET", Self.path, as: 9)).count == 2)
            for body in [#"{"scopes":["read"]}"#, #"{"scopes":["read","write"]}"#] {
                let refused = try client.ask("POST", Self.path, as: 9, body: body)
                #expect(refused.status == 403 && refused.code == "forbidden_scope")
            }
            #expect(try client.ask("DELETE", Self.path + "/1", as: 9).status == 403)
            #expect(served.store.counts.changes == 0)
            #expect(try Self.rows(client.ask("GET", Self.path, as: 1)).count == 2)
        }
    }

    @Test("a token of another user is neither listed nor revoked")
    func strangers() async throws {
        try await ServedUsers.with { served in
            let client = try served.client()
            let own = try Self.rows(client.ask("GET", Self.path, as: 1))
            let foreign = try Self.rows(client.ask("GET", Self.path, as: 2))
            #expect(own.count == 1 && foreign.count == 1 && own[0].number != foreign[0].number)
            let unknown = ["99", "0", "-1", "01", "x", "9223372036854775808"]
            for number in ["\(foreign[0].number)"] + unknown {
                let answer = try client.ask("DELETE", "\(Self.path)/\(number)", as: 1)
                #expect(answer.status == 404 && answer.code == "not_found", "\(number)")
                #expect(answer.text.contains("GET /v1/me/tokens"))
            }
            #expect(try client.ask("GET", "/v1/me", as: 2).status == 200)
            #expect(try client.ask("GET", Self.path + "/1", as: 1).fields["allow"] == "DELETE")
        }
    }

    @Test("a made token ends no later than the token in use")
    func expiry() async throws {
        try await ServedUsers.with { served in
            let end = SampleBoard.start.advanced(by: .seconds(3_600))
            served.addToken(9, of: 1, expiresAt: end)
            let client = try served.client()
            for expiresAt in ["null", "\"\(TimeText.iso(end))\""] {
                let made = try Self.make(
                    client,
                    "{\"scopes\":[\"write\"],\"expiresAt\":\(expiresAt)}",
                    as: 9
                )
                #expect(made.row.expiresAt == end)
            }
            let endless = try Self.make(client, #"{"scopes":["write"],"expiresAt":null}"#, as: 1)
            #expect(endless.row.expiresAt == nil)
            let late = TimeText.iso(end.advanced(by: .microseconds(1)))
            let past = TimeText.iso(SampleBoard.start)
            for (token, expiresAt) in [
                (9, late), (9, past), (1, past), (1, "9999-12-31T00:00:00Z"),
            ] {
                let refused = try client.ask(
                    "POST",
                    Self.path,
                    as: token,
                    body: "{\"scopes\":[\"read\"],\"expiresAt\":\"\(expiresAt)\"}"
                )
                #expect(refused.status == 400 && refused.parameter == "expiresAt", "\(expiresAt)")
                #expect(refused.text.contains("a time from now to "))
            }
        }
    }

    @Test(
        "a malformed body is refused with the member and what it may be",
        arguments: [
            ("", "body"), ("[]", "body"), ("{}", "scopes"), (#"{"scopes":[]}"#, "scopes"),
            (#"{"scopes":"read"}"#, "scopes"), (#"{"scopes":["admin"]}"#, "scopes"),
            (#"{"scopes":["read","read"]}"#, "scopes"), (#"{"scopes":[1]}"#, "scopes"),
            (#"{"scopes":["read"],"scope":"write"}"#, "scope"),
            (#"{"scopes":["read"],"number":7}"#, "number"),
            (#"{"scopes":["read"],"expiresAt":"tomorrow"}"#, "expiresAt"),
            (#"{"scopes":["read"],"expiresAt":1800000000}"#, "expiresAt"),
            (#"{"scopes":["read"],"note":5}"#, "note"),
            (#"{"scopes":["read"],"note":"a\u0007b"}"#, "note"),
            (#"{"scopes":["read"],"note":"\#(String(repeating: "x", count: 101))"}"#, "note"),
        ]
    )
    func malformed(body: String, parameter: String) async throws {
        try await ServedUsers.with { served in
            let client = try served.client()
            let refused = try client.ask("POST", Self.path, as: 1, body: body)
            #expect(refused.status == 400 && refused.code == "invalid_parameter")
            #expect(refused.parameter == parameter, "\(refused.text)")
            #expect(try refused.json["allowed"]?.elements?.isEmpty == false)
            #expect(served.store.counts.changes == 0)
        }
    }

    @Test("another Content-Type, a condition or a parameter is refused and makes nothing")
    func heads() async throws {
        try await ServedUsers.with { served in
            let client = try served.client()
            let body = #"{"scopes":["read"]}"#
            let type: KeyValuePairs = ["Content-Type": "text/plain"]
            let text = try client.ask("POST", Self.path, as: 1, type, body: body)
            #expect(text.status == 415 && text.code == "unsupported_media_type")
            let condition: KeyValuePairs = ["If-Match": "*"]
            let vain = try client.ask("POST", Self.path, as: 1, condition, body: body)
            #expect(vain.status == 400 && vain.parameter == "If-Match")
            for (method, path) in [("POST", Self.path), ("DELETE", Self.path + "/1")] {
                let answer = try client.ask(method, path + "?token=x", as: 1, body: body)
                #expect(answer.status == 400 && answer.parameter == "token")
            }
            let put = try client.ask("PUT", Self.path, as: 1, body: body)
            #expect(put.status == 405 && put.fields["allow"] == "GET, HEAD, POST")
            #expect(try client.ask("POST", Self.path, as: nil, body: body).status == 401)
            #expect(served.store.counts.changes == 0)
        }
    }

    @Test("a token beyond the limit is refused with the remedy")
    func limit() async throws {
        try await ServedUsers.with { served in
            let client = try served.client()
            for number in 2...UserToken.validMax { served.addToken(1_000 + number, of: 1) }
            let body = #"{"scopes":["read"]}"#
            let refused = try client.ask("POST", Self.path, as: 1, body: body)
            #expect(refused.status == 400 && refused.text.contains("Revoke one first"))
            #expect(try client.ask("POST", Self.path, as: 2, body: body).status == 201)
        }
    }

    @Test("while the store is unreachable tokens are neither listed, made nor revoked")
    func away() async throws {
        try await ServedUsers.with { served in
            let client = try served.client()
            #expect(try client.ask("GET", Self.path, as: 1).status == 200)
            served.store.fail(StoreFailure(.unavailable, "away"))
            for (method, path, body) in [
                ("GET", Self.path, nil), ("POST", Self.path, #"{"scopes":["read"]}"#),
                ("DELETE", Self.path + "/1", nil),
            ] {
                let answer = try client.ask(method, path, as: 1, body: body)
                #expect(answer.status == 503 && answer.code == "store_unavailable", "\(method)")
                #expect(answer.fields["retry-after"] != nil)
            }
            #expect(!served.failures.all.isEmpty)
            served.store.fail(nil)
            #expect(try Self.rows(client.ask("GET", Self.path, as: 1)).count == 1)
        }
    }
}
