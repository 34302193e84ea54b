import Domain
import TestSupport
import Testing

@testable import PresentationHTTP

@Suite("The body of a change")
struct UserRequestBodyTests {
    /// A refused body and the parameter that the problem names.
    struct Refusal: Sendable {
        var body: String
        var parameter: String

        init(_ body: String, _ parameter: String) {
            self.body = body
            self.parameter = parameter
        }
    }

    private static func problem(
        _ body: String,
        type: String? = "application/json",
        _ read: (UserRequestBody) throws(Problem) -> Void
    ) -> Problem? {
        do throws(Problem) {
            try read(try UserRequestBody(type, Array(body.utf8)))
            return nil
        } catch {
            return error
        }
    }

    @Test(
        "another Content-Type than JSON is refused with 415",
        arguments: [
            nil, "", "text/plain", "application/jsonp", "application/json; charset=latin1",
            "application/problem+json", "application/x-www-form-urlencoded",
        ]
    )
    func types(_ type: String?) {
        let problem = Self.problem(#"{"amount":"1"}"#, type: type) { body throws(Problem) in
            _ = try body.cash()
        }
        #expect(problem?.code == .unsupportedMediaType)
    }

    @Test(
        "every spelling of the JSON Content-Type is accepted",
        arguments: [
            "application/json", "Application/JSON", "application/json;charset=UTF-8",
            "application/json ; charset=\"utf-8\"",
        ]
    )
    func jsonTypes(_ type: String) {
        let problem = Self.problem(#"{"amount":"1"}"#, type: type) { body throws(Problem) in
            _ = try body.cash()
        }
        #expect(problem == nil)
    }

    @Test(
        "cash is a decimal string",
        arguments: [
            Refusal("", "body"), Refusal("[]", "body"), Refusal("{}", "amount"),
            Refusal(#"{"amount":1}"#, "amount"), Refusal(#"{"amount":null}"#, "amount"),
            Refusal(#"{"amount":""}"#, "amount"), Refusal(#"{"amount":"-1"}"#, "amount"),
            Refusal(#"{"amount":"1,000"}"#, "amount"), Refusal(#"{"amount":" 1"}"#, "amount"),
            Refusal(#"{"amount":"1e5"}"#, "amount"), Refusal(#"{"amount":"1.2.3"}"#, "amount"),
            Refusal(#"{"amount":"1000000000000001"}"#, "amount"),
            Refusal(#"{"amount":"0.0000000000000000001"}"#, "amount"),
            Refusal(#"{"amount":"1","amount":"2"}"#, "amount"),
            Refusal(#"{"amount":"1","cash":"2"}"#, "cash"),
        ]
    )
    func cash(_ refusal: Refusal) {
        let problem = Self.problem(refusal.body) { body throws(Problem) in _ = try body.cash() }
        #expect(problem?.code == .invalidParameter)
        #expect(problem?.parameter == refusal.parameter)
        #expect(problem?.allowed?.isEmpty == false)
    }

    @Test(
        "a holding has a quantity above zero and a price or null",
        arguments: [
            Refusal(#"{"quantity":"1"}"#, "averagePrice"),
            Refusal(#"{"averagePrice":"1"}"#, "quantity"),
            Refusal(#"{"quantity":"0","averagePrice":null}"#, "quantity"),
            Refusal(#"{"quantity":null,"averagePrice":null}"#, "quantity"),
            Refusal(#"{"quantity":"1","averagePrice":false}"#, "averagePrice"),
            Refusal(#"{"quantity":"1","averagePrice":""}"#, "averagePrice"),
            Refusal(#"{"quantity":"1","averagePrice":null,"asset":"BTC"}"#, "asset"),
        ]
    )
    func holdings(_ refusal: Refusal) {
        let problem = Self.problem(refusal.body) { body throws(Problem) in
            _ = try body.holding(of: Asset(of: "BTC_KRW"))
        }
        #expect(problem?.parameter == refusal.parameter)
    }

    @Test(
        "favorites are a list of distinct markets with matching positions",
        arguments: [
            Refusal(#"{"markets":[]}"#, "markets"), Refusal("{}", "rows"),
            Refusal(#"{"rows":{}}"#, "rows"), Refusal(#"{"rows":["nonsense"]}"#, "rows"),
            Refusal(#"{"rows":[1]}"#, "rows"), Refusal(#"{"rows":["BTC_KRW","KRW-BTC"]}"#, "rows"),
            Refusal(#"{"rows":[{"market":"BTC_KRW","position":2}]}"#, "position"),
            Refusal(#"{"rows":[{"market":"BTC_KRW","name":"x"}]}"#, "name"),
            Refusal(#"{"rows":[{"position":1}]}"#, "market"),
        ]
    )
    func favorites(_ refusal: Refusal) {
        let problem = Self.problem(refusal.body) { body throws(Problem) in
            _ = try body.favorites()
        }
        #expect(problem?.parameter == refusal.parameter)
    }

    @Test("favorites up to the limit are accepted, one more is refused")
    func manyFavorites() throws {
        func body(_ count: Int) -> String {
            #"{"rows":["# + (1...count).map { "\"C\($0)_KRW\"" }.joined(separator: ",") + "]}"
        }
        let limit = UserRecord.favoritesMax
        let whole = try UserRequestBody("application/json", Array(body(limit).utf8))
        #expect(try whole.favorites().count == limit)
        let problem = Self.problem(body(limit + 1)) { body throws(Problem) in
            _ = try body.favorites()
        }
        #expect(problem?.parameter == "rows")
    }

    @Test(
        "settings accept the members and values of the document only",
        arguments: [
            Refusal(#"{"colour":"x"}"#, "colour"), Refusal(#"{"theme":"pink"}"#, "theme"),
            Refusal(#"{"theme":null}"#, "theme"), Refusal(#"{"depth":"7"}"#, "depth"),
            Refusal(#"{"depth":0}"#, "depth"), Refusal(#"{"depth":7.5}"#, "depth"),
            Refusal(#"{"depth":99999999999999999999}"#, "depth"),
            Refusal(#"{"averages":[7]}"#, "averages"), Refusal(#"{"averages":5}"#, "averages"),
            Refusal(#"{"pinFavorites":1}"#, "pinFavorites"), Refusal(#"{"lang":"fr"}"#, "lang"),
            Refusal(#"{"interval":"2h"}"#, "interval"),
            Refusal(#"{"marketLayout":"book"}"#, "marketLayout"),
            Refusal(#"{"marketLayout":1}"#, "marketLayout"),
        ]
    )
    func settings(_ refusal: Refusal) {
        let problem = Self.problem(refusal.body) { body throws(Problem) in
            _ = try body.settings()
        }
        #expect(problem?.code == .invalidParameter)
        #expect(problem?.parameter == refusal.parameter)
    }

    @Test("a patch changes the named settings only")
    func everySetting() throws {
        let body = try UserRequestBody(
            "application/json",
            Array(
                """
                {"sort":"name","sortDirection":"asc","quote":"BTC","tab":"popular",
                "pinFavorites":false,"changePeriod":"1H","interval":"5m","chartStyle":"line",
                "averages":[],"depth":30,"theme":"high-contrast","colors":"western","lang":"en",
                "marketLayout":"chart"}
                """.utf8
            )
        )
        var wanted = UserSettings()
        wanted.sort = .name
        wanted.sortDirection = .ascending
        wanted.quote = .btc
        wanted.tab = .popular
        wanted.pinFavorites = false
        wanted.changePeriod = .hour1
        wanted.interval = .minutes5
        wanted.chartStyle = .line
        wanted.averages = []
        wanted.depth = 30
        wanted.theme = .highContrast
        wanted.colors = .western
        wanted.language = .english
        wanted.marketLayout = .chart
        #expect(UserSettings().patched(by: try body.settings()) == wanted)
        let nothing = try UserRequestBody("application/json", Array("{}".utf8))
        #expect(try nothing.settings().isEmpty)
    }

    @Test(
        "a display name is a printable string or null",
        arguments: [
            Refusal("{}", "displayName"), Refusal(#"{"displayName":5}"#, "displayName"),
            Refusal(#"{"displayName":"a\nb"}"#, "displayName"),
            Refusal(#"{"displayName":"\u0000"}"#, "displayName"),
            Refusal(
                "{\"displayName\":\"" + String(repeating: "가", count: 41) + "\"}",
                "displayName"
            ),
        ]
    )
    func names(_ refusal: Refusal) {
        let problem = Self.problem(refusal.body) { body throws(Problem) in
            _ = try body.displayName()
        }
        #expect(problem?.parameter == refusal.parameter)
    }
}
