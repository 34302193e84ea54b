import TestSupport
import Testing

@testable import PresentationHTTP

/// The fixture is the contract's example of a problem, as of 2026-11-20: source
/// `examples/problem.json` beside the page on the JSON contract.
@Suite("Problem documents")
struct ProblemTests {
    @Test("an invalid parameter has the keys and types of the contract's example")
    func invalidParameter() throws {
        let example = try OrderedJSON(PackageResources.problem_json)
        let answer = try MarketServiceFixture().list(["period": "2H"])
        let problem = try answer.json
        #expect(problem.keys == example.keys)
        for key in try #require(example.keys) {
            let (ours, theirs) = (try #require(problem[key]), try #require(example[key]))
            #expect(Self.kind(ours) == Self.kind(theirs), "\(key)")
        }
        for key in ["type", "title", "status", "code", "retryable"] {
            #expect(problem[key] == example[key], "\(key)")
        }
        #expect(problem["detail"] == .string("period: \"2H\" is not an allowed value"))
        #expect(answer.fields["content-type"] == "application/problem+json")
        #expect(answer.fields["cache-control"] == "no-store")
    }

    @Test("other problems have no parameter keys")
    func others() throws {
        let markets = try MarketServiceFixture()
        let keys = ["type", "title", "status", "detail", "code", "retryable", "requestId"]
        #expect(try markets.served.ask("GET", "/nowhere").json.keys == keys)
        #expect(try markets.served.ask("POST", "/v1/markets").json.keys == keys)
    }

    @Test("a problem carries the request id in header and body")
    func requestNames() throws {
        let markets = try MarketServiceFixture()
        for number in 1...3 {
            let answer = try markets.served.ask("GET", "/nowhere")
            #expect(answer.fields["x-request-id"] == "request-\(number)")
            #expect(try answer.json["requestId"] == .string("request-\(number)"))
        }
    }

    @Test(
        "each code has its status and retryable flag",
        arguments: [
            ("invalid_parameter", 400, false), ("not_found", 404, false),
            ("method_not_allowed", 405, false), ("cursor_expired", 410, false),
            ("unauthorized", 401, false), ("forbidden_scope", 403, false),
            ("read_only", 403, false),
            ("precondition_failed", 412, false), ("body_too_large", 413, false),
            ("unsupported_media_type", 415, false), ("precondition_required", 428, false),
            ("rate_limited", 429, true), ("header_too_large", 431, false),
            ("internal", 500, true), ("store_unavailable", 503, true),
        ]
    )
    func codes(word: String, status: Int, isRetryable: Bool) throws {
        let code = try #require(ProblemCode(rawValue: word))
        #expect(code.status == status && code.isRetryable == isRetryable)
        let json = try OrderedJSON(Problem(code: code, detail: "d").json(requestID: "r"))
        #expect(json["type"] == .string("/problems/" + word))
        #expect(json["status"] == .number("\(status)"))
        #expect(json["title"] == .string(code.title))
    }

    @Test("titles are unique")
    func titles() {
        #expect(Set(ProblemCode.allCases.map(\.title)).count == ProblemCode.allCases.count)
    }

    @Test("a text is repeated up to 64 characters")
    func short() {
        let longest = String(repeating: "가", count: 64)
        #expect(Problem.short(longest) == longest)
        #expect(Problem.short(longest + "나") == longest + "…")
    }

    @Test("combining marks are truncated, and tokens are masked")
    func shortOfMarks() {
        let marks = "x" + String(repeating: "\u{301}", count: 1_200)
        #expect(marks.count == 1)
        #expect(Problem.short(marks).unicodeScalars.count == 65)
        let token = "hoga_" + String(repeating: "a", count: 43)
        #expect(Problem.short("/v1/" + token) == "/v1/hoga_…")
    }

    @Test("a token in the path or request id is not repeated in the response")
    func tokens() throws {
        let token = "hoga_" + String(repeating: "a", count: 43)
        let markets = try MarketServiceFixture()
        let answer = try markets.served.ask(
            "GET",
            "/v1/" + token,
            fields: ["X-Request-Id": token]
        )
        #expect(answer.status == 404)
        #expect(answer.fields["x-request-id"] == "request-1")
        #expect(!String(decoding: answer.body, as: UTF8.self).contains("aaaa"))
    }

    private static func kind(_ json: OrderedJSON) -> String {
        switch json {
        case .object: "object"
        case .array(let elements): "array of " + Set(elements.map(kind)).sorted().joined()
        case .string: "string"
        case .number: "number"
        case .boolean: "boolean"
        case .null: "null"
        }
    }
}
