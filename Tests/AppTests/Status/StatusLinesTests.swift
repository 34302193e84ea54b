import Domain
import TestSupport
import Testing

@testable import App

@Suite("hoga status reads markets and a format")
struct StatusLinesTests {
    private static func lines(_ arguments: [String]) throws -> StatusLines {
        guard case .run(let invocation) = try CommandLineReader.read(["status"] + arguments) else {
            preconditionFailure("It is a command.")
        }
        return try StatusLines(invocation)
    }

    @Test("markets are read in their order, each once")
    func markets() throws {
        let lines = try Self.lines(["btc", "ETH/BTC", "KRW-BTC", "--follow"])
        #expect(lines.markets == ["BTC_KRW", "ETH_BTC"])
        #expect(lines.isFollowing)
    }

    @Test(
        "a wrong market, field or brace is refused by name",
        arguments: [
            ([], "missing MARKET..., e.g. BTC ETH"),
            (["DOEG"], "MARKET: 'DOEG' is not a market. Did you mean DOGE"),
            (
                ["BTC", "--format", "{bid}"],
                "--format: unknown field 'bid'; fields: market, symbol, quote, name, price, rate"
            ),
            (["BTC", "--format", "{price"], "--format: unmatched brace; write {{ or }}"),
        ]
    )
    func mistakes(arguments: [String], message: String) {
        let error = #expect(throws: ProgramError.self) { try Self.lines(arguments) }
        #expect(error?.exitCode == .usage)
        #expect(error?.description.hasPrefix(message) == true, "\(error?.description ?? "")")
    }

    @Test("lines without a page are marked once as not fresh")
    func lost() throws {
        let status = try Self.lines(["BTC"])
        let lost = StatusPrinter.lines(after: ["BTC 1"], on: nil, status, .english)
        #expect(lost == ["○ BTC 1"])
        #expect(StatusPrinter.lines(after: lost, on: nil, status, .english) == lost)
    }
}
