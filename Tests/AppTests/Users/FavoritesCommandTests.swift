import Domain
import TestSupport
import Testing

@testable import App

@Suite("hoga favorites add refuses markets that are known not to exist")
struct FavoritesCommandTests {
    private static let known: Set<MarketID> = ["BTC_KRW", "DOGE_KRW", "ETH_BTC"]

    @Test("a listed market is added without a word")
    func listed() throws {
        #expect(try FavoritesCommand.check("ETH_BTC", among: Self.known) == nil)
    }

    @Test(
        "an unknown market is refused with the nearest ones, or with the way to new ones",
        arguments: [
            ("DOEG_KRW", "unknown market DOEG_KRW. Did you mean DOGE_KRW?"),
            (
                "ABCDEFGH_BTC",
                "unknown market ABCDEFGH_BTC; run 'hoga watch' once to load newly listed markets"
            ),
        ] as [(MarketID, String)]
    )
    func unknown(market: MarketID, message: String) {
        let error = #expect(throws: ProgramError.self) {
            try FavoritesCommand.check(market, among: Self.known)
        }
        #expect(error?.exitCode == .usage)
        #expect(error?.description == message)
    }

    @Test("without a market list the market is added with a warning")
    func noList() throws {
        let warning = try FavoritesCommand.check("DOEG_KRW", among: [])
        #expect(warning?.hasPrefix("cannot tell whether DOEG_KRW exists") == true)
    }
}
