import Domain
import Foundation
import TestSupport
import Testing
import ViewStates

@testable import PresentationHTTP

@Suite("Users read, set and remove their webhook")
struct UserWebhookTests {
    private static let path = "/v1/me/webhook"
    private static let url = "https://kim.example/alerts"
    private static let body = #"{"url":"https://kim.example/alerts"}"#
    private static let at = SampleBoard.start

    /// The document without its head and revision.
    private static func state(_ answer: HTTPAnswer) -> String {
        answer.text.split(separator: #","state":"#, maxSplits: 1).last.map(String.init) ?? ""
    }

    private static func members(
        url: String = url,
        rest: String =
            #""lastSuccessAt":null,"lastFailure":null,"pending":0,"dropped":0,"deadLetters":[]"#
    ) -> String {
        #"{"url":"\#(url)","createdAt":"\#(TimeText.iso(at))",\#(rest)"#
    }

    @Test("the first PUT is answered with 201, later ones with 200, each with a new secret")
    func setting() async throws {
        try await ServedUsers.with { served in
            let client = try served.client()
            let first = try client.ask("PUT", Self.path, as: 1, body: Self.body)
            #expect(first.status == 201)
            #expect(first.text.hasPrefix(#"{"schema":"new-webhook","version":1,"revision":"u1-"#))
            let secret = ServedUsers.secret(501)
            #expect(Self.state(first) == Self.members() + #","secret":"\#(secret)"}}"#)
            #expect(served.webhooks.sealedSecret(of: UserID(1)) == Array("sealed 501 of 1".utf8))

            let letter = WebhookFailure(at: Self.at, reason: "status 410")
            served.webhooks.update(UserID(1)) { webhook in
                webhook.lastSuccessAt = Self.at
                webhook.lastFailure = letter
                webhook.pendingCount = 3
                webhook.droppedCount = 2
                webhook.deadLetters = [WebhookDeadLetter(number: 7, attempts: 9, failure: letter)]
            }
            let other = "https://lee.example/?a=%2F"
            let again = try client.ask("PUT", Self.path, as: 1, body: #"{"url":"\#(other)"}"#)
            #expect(again.status == 200)
            // What waits is sent to the new address.
            let rest = #"""
                "lastSuccessAt":null,"lastFailure":null,"pending":3,"dropped":2,"deadLetters":\#
                [{"id":"7","at":"\#(TimeText.iso(Self.at))","attempts":9,"reason":"status 410"}]
                """#
            #expect(
                Self.state(again) == Self.members(url: other, rest: rest)
                    + #","secret":"\#(ServedUsers.secret(502))"}}"#
            )
            #expect(served.webhooks.sealedSecret(of: UserID(1)) == Array("sealed 502 of 1".utf8))
            #expect(served.changes.all == [nil, nil])
        }
    }

    @Test("the answer with a secret is kept by no cache and has no tag")
    func secret() async throws {
        try await ServedUsers.with { served in
            let client = try served.client()
            let fields: KeyValuePairs = ["Accept-Encoding": "gzip"]
            for status in [201, 200] {
                let set = try client.ask("PUT", Self.path, as: 1, fields, body: Self.body)
                #expect(set.status == status && set.fields["cache-control"] == "no-store")
                #expect(set.fields["etag"] == nil && set.fields["content-encoding"] == nil)
            }
        }
    }

    @Test("a GET has the webhook without its secret, and a tag that changes with the content")
    func reading() async throws {
        try await ServedUsers.with { served in
            let client = try served.client()
            _ = try client.ask("PUT", Self.path, as: 1, body: Self.body)
            let first = try client.ask("GET", Self.path, as: 1)
            #expect(first.status == 200 && first.fields["cache-control"] == "private, no-cache")
            #expect(first.text.hasPrefix(#"{"schema":"webhook","version":1,"revision":"u1-"#))
            #expect(Self.state(first) == Self.members() + "}}")
            #expect(first.tag.hasPrefix("\"u1-"))
            #expect(try client.ask("HEAD", Self.path, as: 1).tag == first.tag)
            let fields: KeyValuePairs = ["If-None-Match": first.tag]
            let same = try client.ask("GET", Self.path, as: 1, fields)
            #expect(same.status == 304 && same.tag == first.tag)

            served.webhooks.update(UserID(1)) { webhook in
                webhook.lastSuccessAt = Self.at
                webhook.lastFailure = WebhookFailure(at: Self.at, reason: "a \"b\"")
                webhook.pendingCount = 1
            }
            let second = try client.ask("GET", Self.path, as: 1, fields)
            #expect(second.status == 200 && second.tag != first.tag)
            let time = TimeText.iso(Self.at)
            let rest = #"""
                "lastSuccessAt":"\#(time)","lastFailure":{"at":"\#(time)","reason":"a \"b\""},\#
                "pending":1,"dropped":0,"deadLetters":[]}}
                """#
            #expect(Self.state(second) == Self.members(rest: rest))
            #expect(!second.text.contains("whsec_") && !second.text.contains("sealed"))
        }
    }

    @Test("a removed webhook is gone, and removing it again is a 404 with the remedy")
    func removing() async throws {
        try await ServedUsers.with { served in
            let client = try served.client()
            _ = try client.ask("PUT", Self.path, as: 1, body: Self.body)
            let removed = try client.ask("DELETE", Self.path, as: 1)
            #expect(removed.status == 204 && removed.body.isEmpty)
            for method in ["GET", "DELETE"] {
                let answer = try client.ask(method, Self.path, as: 1)
                #expect(answer.status == 404 && answer.code == "not_found", "\(method)")
                #expect(answer.text.contains("PUT /v1/me/webhook sets one"), "\(method)")
            }
            #expect(try client.ask("PUT", Self.path, as: 1, body: Self.body).status == 201)
        }
    }

    @Test("a user neither sees, replaces nor removes another user's webhook")
    func strangers() async throws {
        try await ServedUsers.with { served in
            let client = try served.client()
            _ = try client.ask("PUT", Self.path, as: 1, body: Self.body)
            #expect(try client.ask("GET", Self.path, as: 2).status == 404)
            #expect(try client.ask("DELETE", Self.path, as: 2).status == 404)
            let own = #"{"url":"https://lee.example/"}"#
            #expect(try client.ask("PUT", Self.path, as: 2, body: own).status == 201)
            #expect(try client.ask("DELETE", Self.path, as: 2).status == 204)
            let first = try client.ask("GET", Self.path, as: 1)
            #expect(Self.state(first) == Self.members() + "}}")
            #expect(served.webhooks.sealedSecret(of: UserID(1)) == Array("sealed 501 of 1".utf8))
        }
    }

    @Test("a token of scope read reads the webhook, but neither sets nor removes it")
    func scopes() async throws {
        try await ServedUsers.with { served in
            served.addToken(9, of: 1, scope: .read)
            let client = try served.client()
            _ = try client.ask("PUT", Self.path, as: 1, body: Self.body)
            #expect(try client.ask("GET", Self.path, as: 9).status == 200)
            for (method, body) in [("PUT", Self.body), ("DELETE", nil)] {
                let refused = try client.ask(method, Self.path, as: 9, body: body)
                #expect(refused.status == 403 && refused.code == "forbidden_scope", "\(method)")
                let unknown = try client.ask(method, Self.path, as: nil, body: body)
                #expect(unknown.status == 401, "\(method)")
            }
            #expect(try client.ask("GET", Self.path, as: nil).status == 401)
            #expect(served.webhooks.changeCount == 1)
        }
    }

    @Test("without a key a webhook is read and removed, but none is set")
    func withoutKey() async throws {
        try await ServedUsers.with(webhooks: .withoutKey) { served in
            let client = try served.client()
            let refused = try client.ask("PUT", Self.path, as: 1, body: Self.body)
            #expect(refused.status == 404 && refused.code == "not_found")
            #expect(refused.text.contains("HOGA_WEBHOOK_KEY_FILE"))
            #expect(served.webhooks.changeCount == 0)
            served.webhooks.put(Webhook(url: Self.url, createdAt: Self.at), of: UserID(1))
            #expect(try client.ask("GET", Self.path, as: 1).status == 200)
            #expect(try client.ask("PUT", Self.path, as: 1, body: Self.body).status == 404)
            #expect(try client.ask("DELETE", Self.path, as: 1).status == 204)
        }
    }

    @Test("a service without webhooks answers 404 to all methods")
    func withoutStore() async throws {
        try await ServedUsers.with(webhooks: .none) { served in
            let client = try served.client()
            for (method, body) in [("GET", nil), ("PUT", Self.body), ("DELETE", nil)] {
                let answer = try client.ask(method, Self.path, as: 1, body: body)
                #expect(answer.status == 404 && answer.code == "not_found", "\(method)")
            }
        }
    }

    @Test(
        "a malformed body or a refused address is a 400 with the member and what it may be",
        arguments: [
            ("", "body", "JSON"), ("[]", "body", "JSON"), ("{}", "url", "is missing"),
            (#"{"url":null}"#, "url", "must not be null"),
            (#"{"url":["https://a.example/"]}"#, "url", "must not be a list"),
            (#"{"url":""}"#, "url", "not an address under .example; choose another one"),
            (#"{"url":"http://a.example/"}"#, "url", "not an address under .example"),
            (#"{"url":"https://10.0.0.1/"}"#, "url", "not an address under .example"),
            (#"{"url":"https://a.example/","secret":"whsec_AA"}"#, "secret", "unknown member"),
            (#"{"url":"https://a.example/","url":"https://b.example/"}"#, "url", "repeated"),
        ]
    )
    func malformed(body: String, parameter: String, detail: String) async throws {
        try await ServedUsers.with { served in
            let client = try served.client()
            let refused = try client.ask("PUT", Self.path, as: 1, body: body)
            #expect(refused.status == 400 && refused.code == "invalid_parameter")
            #expect(refused.parameter == parameter, "\(refused.text)")
            #expect(refused.text.contains(detail), "\(refused.text)")
            #expect(try refused.json["allowed"]?.elements?.isEmpty == false)
            #expect(served.webhooks.changeCount == 0)
        }
    }

    @Test("an address has at most 2,000 bytes", arguments: ["x", "한"])
    func longest(letter: Character) throws {
        let start = "https://a.example/?"
        let bytesMax = Webhook.urlBytesMax - start.utf8.count
        let count = bytesMax / String(letter).utf8.count
        for (count, isAllowed) in [(count, true), (count + 1, false)] {
            let url = start + String(repeating: letter, count: count)
            let body = try UserRequestBody("application/json", Array(#"{"url":"\#(url)"}"#.utf8))
            if isAllowed {
                #expect(try body.webhookURL() == url)
            } else {
                let refused = #expect(throws: Problem.self) { try body.webhookURL() }
                #expect(refused?.parameter == "url")
                #expect(refused?.detail == "url: is too long")
            }
        }
    }

    @Test("another Content-Type, a condition, a parameter or a method is refused")
    func heads() async throws {
        try await ServedUsers.with { served in
            let client = try served.client()
            let type: KeyValuePairs = ["Content-Type": "text/plain"]
            let text = try client.ask("PUT", Self.path, as: 1, type, body: Self.body)
            #expect(text.status == 415 && text.code == "unsupported_media_type")
            for (method, body) in [("PUT", Self.body), ("DELETE", nil)] {
                for name in ["If-Match", "If-None-Match"] {
                    let fields = KeyValuePairs(dictionaryLiteral: (name, "*"))
                    let vain = try client.ask(method, Self.path, as: 1, fields, body: body)
                    #expect(vain.status == 400 && vain.parameter == name, "\(method)")
                }
                let vain = try client.ask(method, Self.path + "?lang=en", as: 1, body: body)
                #expect(vain.status == 400 && vain.parameter == "lang", "\(method)")
            }
            let post = try client.ask("POST", Self.path, as: 1, body: Self.body)
            #expect(post.status == 405 && post.fields["allow"] == "GET, HEAD, PUT, DELETE")
            #expect(served.webhooks.changeCount == 0)
        }
    }

    @Test("while the store is unreachable the webhook is neither read, set nor removed")
    func away() async throws {
        try await ServedUsers.with { served in
            let client = try served.client()
            _ = try client.ask("PUT", Self.path, as: 1, body: Self.body)
            let away = StoreFailure(.unavailable, "away")
            served.webhooks.fail(away)
            for (method, body) in [("GET", nil), ("PUT", Self.body), ("DELETE", nil)] {
                let answer = try client.ask(method, Self.path, as: 1, body: body)
                #expect(answer.status == 503 && answer.code == "store_unavailable", "\(method)")
                #expect(answer.fields["retry-after"] != nil && !answer.text.contains("whsec_"))
            }
            #expect(served.failures.all == [away, away, away])
            // Reads tell nothing about changes.
            #expect(served.changes.all == [nil, away, away])
            served.webhooks.fail(nil)
            #expect(try client.ask("GET", Self.path, as: 1).status == 200)
        }
    }
}
