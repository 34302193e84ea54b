import Domain
import TestSupport
import Testing

@Suite("Text form of alert rules")
struct AlertRuleTextTests {
    @Test(
        "a text is parsed and printed in its canonical form",
        arguments: [
            ("BTC > 150000000", "BTC_KRW > 150000000"),
            ("btc>150,000,000", "BTC_KRW > 150000000"),
            ("KRW-BTC < 1.50", "BTC_KRW < 1.5"),
            ("ETH-BTC <> 0.035", "ETH_BTC <> 0.035"),
            ("BTC 140000000..150000000", "BTC_KRW 140000000..150000000"),
            ("BTC 30m > 3", "BTC_KRW 30M > 3%"),
            ("BTC MID -3%..3%", "BTC_KRW MID -3..3%"),
            ("BTC 1H < -2.5%", "BTC_KRW 1H < -2.5%"),
            ("favorites 24H > 5%", "favorites 24H > 5%"),
            ("all 12H > 20%", "all 12H > 20%"),
            ("BTC spread > 10bp", "BTC_KRW spread > 10bp"),
            ("xrp turnover 5M > 3X", "XRP_KRW turnover 5m > 3x"),
            ("BTC strength > 150", "BTC_KRW strength > 150%"),
            ("BTC deposit opens", "BTC_KRW deposit opens"),
            ("all withdrawal closes", "all withdrawal closes"),
            ("favorites caution set", "favorites caution set"),
            ("BTC alert lifted", "BTC_KRW alert lifted"),
            ("ALL listed", "all listed"), ("all delisted", "all delisted"),
            ("BTC suspended", "BTC_KRW suspended"), ("BTC resumed", "BTC_KRW resumed"),
            ("ALL_KRW listed", "ALL_KRW listed"),
            ("portfolio > 10,000,000", "portfolio > 10000000"),
            ("portfolio return < -5%", "portfolio return < -5%"),
            ("BTC return > 10%", "BTC_KRW return > 10%"),
            ("BTC > 1 again 600s", "BTC_KRW > 1 again 10m"),
            ("BTC > 1 AGAIN 0s ticks 2", "BTC_KRW > 1 again 0s ticks 2"),
            ("BTC > 1 until 2026-12-31", "BTC_KRW > 1 until 2027-01-01T00:00"),
            (
                "BTC > 1 again 1d until 2026-12-31T09:30:05 note a  > b again",
                "BTC_KRW > 1 again 1d until 2026-12-31T09:30:05 note a  > b again"
            ),
        ]
    )
    func canonical(text: String, printed: String) throws {
        let rule = try AlertRule.parse(text, feed: .live)
        #expect(rule.text == printed)
        #expect(try AlertRule.parse(printed, feed: .live) == rule)
        try rule.validate(at: .noon())
    }

    @Test(
        "an error names the word, its column and what is possible",
        arguments: [
            ("", "column 1: missing a market such as BTC, favorites, all or portfolio"),
            ("BTC >", "column 6: missing a number"),
            ("BTC > abc", "'abc' at column 7: not a decimal number such as 1500000 or 0.25"),
            ("BTC > 0", "'0' at column 7: must be above zero"),
            ("BTC > -1", "'-1' at column 7: must be zero or more"),
            ("BTC > 3%", "'3%' at column 7: a price has no unit"),
            ("BTC 30M > 3bp", "'3bp' at column 11: the unit is %, e.g. 3%"),
            ("BTC => 3", "'=' at column 5: "),
            ("BTC spred > 3", "'spred' at column 5: "),
            ("BTC spred > 3", ". Did you mean spread?"),
            ("BTC turnover 5h > 3", "'5h' at column 14: not a duration"),
            ("BTC turnover 61m > 3", "'61m' at column 14: turnover takes 1m to 60m"),
            (
                "BTC deposit open",
                "'open' at column 13: expected opens or closes. Did you mean opens"
            ),
            ("비트 > 3", "'비트' at column 1: expected a market such as BTC"),
            ("BTC 5..4", "'5..4' at column 5: the lower limit comes first"),
            ("BTC 5..x", "'x' at column 8: not a decimal number"),
            ("BTC > 5 agian 1h", "expected again, until or note. Did you mean again?"),
            ("BTC > 5 until 2026-12-31 again 1h", "'again' at column 26: expected note"),
            ("BTC > 5 until 2026-02-30", "'2026-02-30' at column 15: not a time in Seoul"),
            ("BTC > 5 again soon", "'soon' at column 15: not a duration"),
            ("BTC > 5 again 1h ticks", "column 23: missing a number of ticks"),
            ("BTC > 5 note", "column 13: a value is missing"),
            ("BTC > 5 note a\u{7}b", "'a\u{FFFD}b' at column 14: it contains unprintable"),
            ("all > 5", "'>' at column 5: a price is that of one market"),
            ("all spread > 5bp", "'spread' at column 5: a spread needs the market's book"),
        ]
    )
    func errors(text: String, part: String) {
        let error = #expect(throws: AlertRuleError.self) {
            let rule = try AlertRule.parse(text, feed: .live)
            try rule.validate(at: .noon())
        }
        #expect(error?.detail.contains(part) == true, "\(error?.detail ?? "no error")")
    }

    @Test("a market that the exchange does not list is refused with similar ones")
    func unknownMarkets() {
        let error = #expect(throws: AlertRuleError.self) {
            try AlertRule.parse("BTT > 5", feed: .live, markets: ["BTC_KRW", "ETH_KRW"])
        }
        #expect(error?.reason == .unknownMarket(nearest: ["BTC"]))
        #expect(error?.place == AlertRuleError.Place(word: "BTT", column: 1))
    }

    @Test("the parsed text of any rule is the rule", arguments: 0..<1_000 as Range<UInt64>)
    func roundTrip(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let rule = AlertRule.random(using: &generator)
        try rule.validate(at: .noon())
        #expect(try AlertRule.parse(rule.text, feed: rule.feed) == rule, "\(rule.text)")
    }

    @Test("no text makes the parser trap", arguments: 0..<500 as Range<UInt64>)
    func rubbish(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let words = [
            "BTC", "all", ">", "<>", "..", "5..", "-", "", " ", "30M", "turnover", "m", "99999999m",
            "9223372036854775808m", "again", "9223372036854775807d", "ticks", "until", "T",
            "2026-13-01", "note", "3%", "%", "x", "bp", "한", "\u{1b}[31m", "1.2.3", "1,00",
        ]
        let count = Int.random(in: 0...8, using: &generator)
        let text = (0..<count).map { _ in words.randomElement(using: &generator) ?? "" }
            .joined(separator: Bool.random(using: &generator) ? " " : "")
        do throws(AlertRuleError) {
            let rule = try AlertRule.parse(text, feed: .live)
            #expect(try AlertRule.parse(rule.text, feed: .live) == rule)
        } catch {
            #expect(!error.detail.isEmpty)
            #expect(!error.detail.unicodeScalars.contains("\u{1b}"))
        }
    }
}
