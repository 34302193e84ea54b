import TestSupport
import Testing

@testable import Domain
@testable import PresentationHTTP

@Suite("`lang` and `…Text` fields")
struct LanguageOverHTTPTests {
    private static let addresses = [
        "/v1/markets?", "/v1/markets?sort=name&", "/v1/markets?sort=name&direction=desc&quote=BTC&",
        "/v1/markets/BTC_KRW?", "/v1/markets/BTC_KRW/orderbook?", "/v1/markets/BTC_KRW/trades?",
        "/v1/markets/BTC_KRW/candles?", "/v1/assets?", "/v1/assets?sort=deposit&",
        "/v1/me/markets?sort=name&", "/v1/me/markets?tab=favorites&", "/v1/me/portfolio?",
    ]

    /// Boards with all data available.
    private static let settled: [BoardBuilder] = [.live, .lost, .failed, .ended]

    @Test("documents that differ in `lang` differ in texts only", arguments: settled)
    func answers(scene: BoardBuilder) throws {
        let served = try ScreenServiceFixture(scene)
        var texts = 0
        for address in Self.addresses {
            let korean = try served.ask(address + "lang=ko")
            let english = try served.ask(address + "lang=en")
            #expect(korean.status == 200 && english.status == 200, "\(address)")
            let (first, second) = (try korean.json, try english.json)
            if first["state"] != second["state"] { texts += 1 }
            #expect(Self.plain(first) == Self.plain(second), "\(address)")
        }
        #expect(scene != .live || texts > 0, "some texts are in the language")
    }

    /// The document without texts, revision and time.
    private static func plain(_ json: OrderedJSON) -> OrderedJSON {
        switch json {
        case .object(let members):
            .object(
                members.filter { member in
                    !member.key.hasSuffix("Text") && member.key != "revision"
                }.map { .init($0.key, plain($0.value)) }
            )
        case .array(let elements): .array(elements.map(plain))
        case .string, .number, .boolean, .null: json
        }
    }
}
