import Domain
import ViewStates
import TestSupport
import Testing

@testable import App

@Suite("Export options follow the flags")
struct ExportOptionsTests {
    private static func plan(_ arguments: [String]) throws -> ExportOptions {
        guard case .run(let invocation) = try CommandLineReader.read(["export"] + arguments) else {
            preconditionFailure("It is a command.")
        }
        return try ExportOptions(invocation)
    }

    private static let midnight = SeoulTime.timestamp(year: 2026, month: 11, day: 20)

    @Test("a time span starts at midnight in Seoul or at a time with an offset")
    func candles() throws {
        let plan = try Self.plan([
            "candles", "krw-btc", "--interval", "1h", "--from", "2026-11-20", "--to",
            "2026-11-20T01:00:00Z", "--format", "json", "--output", "x.json", "--force", "--quiet",
        ])
        let market = try #require(MarketID(name: "BTC_KRW"))
        #expect(
            plan.subject
                == .candles(
                    market,
                    .hour1,
                    from: Self.midnight,
                    to: Self.midnight.advanced(by: .seconds(10 * 3_600))
                )
        )
        #expect(plan.format == .json && plan.path == "x.json")
        #expect(plan.isReplacing && plan.isQuiet)
    }

    @Test("the default is daily candles as CSV on standard output")
    func standard() throws {
        let plan = try Self.plan(["candles", "BTC_KRW"])
        let market = try #require(MarketID(name: "BTC_KRW"))
        #expect(plan.subject == .candles(market, .day1, from: nil, to: nil))
        #expect(plan.format == .csv && plan.path == nil && !plan.isReplacing && !plan.isQuiet)
        #expect(try Self.plan(["trades", "eth_btc"]).subject == .trades("ETH_BTC"))
        #expect(try Self.plan(["favorites"]).subject == .favorites)
    }

    @Test(
        "a wrong flag or operand is refused by name",
        arguments: [
            (["candles", "bitcion"], "MARKET: 'bitcion' is not a market"),
            (["trades", "x"], "MARKET: 'x' is not a market"),
            (["candles", "BTC_KRW", "--interval", "2h"], "--interval must"),
            (["candles", "BTC_KRW", "--from", "yesterday"], "--from must"),
            (["candles", "BTC_KRW", "--from", "2026-02-30"], "--from must"),
            (["candles", "BTC_KRW", "--from", "2026-11-20T10:00:00"], "--from must"),
            (["candles", "BTC_KRW", "--from", "2026-11-20", "--to", "2026-11-20"], "--to must"),
            (["favorites", "--format", "xml"], "--format must"),
            (["trades", "BTC_KRW", "--force"], "--force only"),
        ]
    )
    func mistakes(arguments: [String], message: String) {
        let error = #expect(throws: ProgramError.self) { try Self.plan(arguments) }
        #expect(error?.exitCode == .usage)
        #expect(error?.description.hasPrefix(message) == true, "\(error?.description ?? "")")
    }
}
