import Domain
import ExchangeSimulator
import PresentationTerminal
import TestSupport

/// The panes of a detail.
extension KeyWalk {
    static var book: KeyWalk {
        var walk = KeyWalk(.book)
        // The book of a coin without trades does not move.
        walk.go(.character("/"), "a field") { !$0.now.bottom.contains("q 종료") }
        walk.type("1inch") { $0.now.tabs.contains("/1inch") && $0.now.mark == 3 }
        walk.go(.enter, "a book, as much as there is room for") { $0.now.levels == 9 }
        walk.press(.character("-"), "a level less") { $0.now.levels == 8 }
        walk.go(.character("-"), "a level less") { $0.now.levels == 7 }
        walk.press(.character("+"), "a level more") { $0.now.levels == 8 }
        walk.press(.character("="), "a level more") { $0.now.levels == 9 }
        // So many levels stay so many: with less room there is something to scroll, to an end.
        walk.go(.character("-"), "a level less") { $0.now.levels == 8 }
        walk.resize(80, 16) { $0.now.lines.count == 16 && $0.now.bottom.contains("q 종료") }
        walk.go(.end, "the lowest bids") { (1...6).contains($0.now.spread) }
        walk.press(.character("c"), "the spread in the middle") { (7...10).contains($0.now.spread) }
        walk.remember("the middle") { $0.now.spread > 0 }
        walk.press([.down, .character("j")], "a row down") {
            $0.now.spread == $0.before.spread - 1
        }
        walk.press([.up, .character("k")], "a row up") {
            $0.now.spread == $0.before.spread + 1
        }
        for (down, up) in zip(
            [Key.pageDown, .control("f"), .character(" ")],
            [Key.pageUp, .control("b"), .home]
        ) {
            walk.press(down, "lower prices") { $0.now.spread < $0.before.spread - 2 }
            walk.press(up, "higher prices") { $0.now.spread > $0.before.spread + 2 }
        }
        walk.press(.end, "the lowest bids") { $0.now.spread < $0.before.spread - 2 }
        walk.go(.character("c"), "the middle") { $0.now.spread == $0.start.spread }
        walk.press(.character("g"), "a longer step") { $0.now.step > $0.before.step }
        walk.press(.character("G"), "a shorter step") { $0.now.step == $0.start.step }
        walk.resize(80, 24) { $0.now.lines.count == 24 && $0.now.bottom.contains("q 종료") }
        walk.panes(own: 0, of: "1INCH_KRW", warns: true)
        walk.go(.escape, "all markets") { !$0.now.tabs.contains("/1inch") }
        return walk
    }

    static var trades: KeyWalk {
        var walk = KeyWalk(.trades)
        walk.go(.enter, "the detail") { $0.now.pane.contains("[호가]") }
        walk.go(.backTab, "its trades") {
            $0.now.pane.contains("[체결]") && $0.now.row(12).contains(":")
        }
        walk.press(.character("d"), "days") {
            $0.now.pane.contains("[일별]") && $0.now.row(12).contains("-")
        }
        walk.remember("today above") { $0.now.row(4).contains("-") }
        walk.press([.down, .character("j")], "a row down") { $0.now.row(6) == $0.before.row(7) }
        walk.press([.up, .character("k")], "a row up") { $0.now.row(7) == $0.before.row(6) }
        for (down, up) in zip(
            [Key.pageDown, .control("f"), .character(" ")],
            [Key.pageUp, .control("b"), .home]
        ) {
            walk.press(down, "a page down") {
                $0.now.row(6) != $0.before.row(6) && $0.now.row(6) != $0.before.row(7)
            }
            walk.press(up, "back") { $0.now.row(6) == $0.start.row(6) }
        }
        walk.press(.end, "the first days") {
            $0.now.row(6) != $0.before.row(6) && $0.now.row(6) != $0.before.row(7)
        }
        walk.go(.character("d"), "trades") { $0.now.pane.contains("[체결]") }
        walk.panes(own: 2, of: "BTC_KRW", warns: true)
        return walk
    }

    static var chart: KeyWalk {
        var walk = KeyWalk(.chart)
        walk.go(.enter, "the detail") { $0.now.pane.contains("[호가]") }
        walk.go(.tab, "its chart") { $0.now.volume != nil && $0.now.hasCandles }
        walk.timeOfChart()
        walk.looksOfChart()
        walk.panes(own: 1, of: "BTC_KRW", warns: false)
        return walk
    }

    private mutating func timeOfChart() {
        remember("the running day, and those before it") {
            $0.now.candle.contains("-") && $0.now.lines[4].hasPrefix("이평")
                && !$0.now.lines[4].contains("5 -")
        }
        press(.left, "a day back") { $0.now.candle != $0.before.candle }
        press(.right, "the running day") { $0.now.candle == $0.start.candle }
        for (back, forth) in zip(
            [Key.pageUp, .control("b"), .control("b"), .control("b")],
            [Key.pageDown, .control("f"), .character(" "), .end]
        ) {
            let isNew = !keys.contains(back)
            let isFar: Condition = { $0.now.candle != $0.before.candle }
            if isNew { press(back, "a page back", isFar) } else { go(back, "a page back", isFar) }
            press(forth, "the running day") { $0.now.candle == $0.start.candle }
        }
        press(.character("["), "a shorter interval") {
            $0.now.pane.contains("12시간") && $0.now.hasCandles
        }
        press(.character("]"), "a longer interval") { $0.now.pane.contains(" 일") }
        remember("days") { $0.now.hasCandles && $0.now.days.contains("-") }
        press([.character("+"), .character("=")], "fewer days") {
            $0.now.days != $0.before.days && $0.now.days.contains("-")
        }
        press(.character("-"), "more days") { $0.now.days != $0.before.days }
        go(.character("-"), "as many as before") { $0.now.days == $0.start.days }
        press(.character("x"), "a cross-hair") { $0.now.pane.contains("┼") }
        go(.character("x"), "none") { !$0.now.pane.contains("┼") }
    }

    private mutating func looksOfChart() {
        press(.character("m"), Self.indicatorTitle) { $0.now.contains(Self.indicatorTitle) }
        go(.escape, "the chart") { !$0.now.contains(Self.indicatorTitle) }
        press(.character("v"), "no volume") { $0.now.volume == nil }
        go(.character("v"), "volume") { $0.now.volume != nil }
        press(.controlDown, "less volume") { $0.now.volume ?? 0 > $0.before.volume ?? 24 }
        press(.controlUp, "more volume") { $0.now.volume ?? 24 < $0.before.volume ?? 0 }
        press(.character("l"), "a line") { $0.now.volume != nil && !$0.now.hasCandles }
        go(.character("l"), "candles") { $0.now.hasCandles }
        // After lost trades were read again, the label of the repair follows the interval.
        press(.character("t"), "a line of trades") { $0.now.pane.contains(" 틱") }
        go(.character("t"), "candles") { $0.now.pane.contains(" 일") }
        press(.character("%"), "percent") { $0.now.pane.contains("%") }
        go(.character("%"), "won") { !$0.now.pane.contains("%") }
        let saving = "━ 차트 저장 ━"
        press(.character("E"), saving) { $0.now.contains(saving) }
        go(.escape, "the chart") { !$0.now.contains(saving) }
        let comparison = "━ 비교할 마켓 (%) ━"
        press(.character("o"), comparison) { $0.now.contains(comparison) }
        go(.escape, "the chart") { !$0.now.contains(comparison) }
    }

    static let indicatorTitle = "─ 이동평균·지표 ─"

    static var indicators: KeyWalk {
        var walk = KeyWalk(.indicators)
        let title = indicatorTitle
        walk.go(.enter, "a market") { $0.now.pane.contains("[호가]") }
        walk.go(.tab, "the chart") { $0.now.contains("[차트]") }
        walk.go(.character("m"), title) { $0.now.contains(title) }
        walk.press([.down, .character("j")], "a row down") {
            $0.now.panelMark == $0.before.panelMark.map { $0 + 1 }
        }
        walk.press([.up, .character("k")], "a row up") {
            $0.now.panelMark == $0.before.panelMark.map { $0 - 1 }
        }
        walk.press(.enter, "an average less") { !$0.now.contains("✓ 이동평균 5 ") }
        walk.press(.escape, "closed") { !$0.now.contains(title) }
        walk.go(.character("m"), title) { $0.now.contains(title) }
        walk.press(.character("m"), "closed") { !$0.now.contains(title) }
        for key in [Key.character(":"), .control("p")] {
            walk.go(.character("m"), title) { $0.now.contains(title) }
            walk.opensPalette([key])
        }
        walk.go(.escape, "the list") { $0.now.isList }
        return walk
    }

    private static let panes = ["[호가]", "[차트]", "[시세]"]

    /// The keys of all panes, from one of them.
    ///
    /// - Parameters:
    ///   - own: its number from 0.
    ///   - market: that of the detail.
    ///   - warns: whether the exchange then warns of the market, or does not any more.
    private mutating func panes(own: Int, of market: MarketID, warns: Bool) {
        let title = Self.panes[own]
        let next = Self.panes[(own + 1) % 3]
        let previous = Self.panes[(own + 2) % 3]
        for (key, other) in Self.allTitles {
            press(.character(key), other) { $0.now.title.hasPrefix(other) }
            if key != "1" { go(.character("1"), "the list") { $0.now.isList } }
            go(.enter, title) { $0.now.pane.contains(title) }
        }
        for key in [Key.character("w"), .tab] {
            press(key, next) { $0.now.pane.contains(next) }
            go(.backTab, title) { $0.now.pane.contains(title) }
        }
        press(.backTab, previous) { $0.now.pane.contains(previous) }
        go(.tab, title) { $0.now.pane.contains(title) }
        layouts(own, title)
        press(.character("f"), "another star") {
            $0.now.title.prefix(1) != $0.before.title.prefix(1)
        }
        // The only market of a list has no neighbor.
        let name = market.symbol + "/" + market.quote.rawValue
        let isAlone = market.symbol == "1INCH"
        for (forth, back) in [(".", ","), (">", "<")] as [(Unicode.Scalar, Unicode.Scalar)] {
            press(.character(forth), "the next market") { $0.now.title.contains(name) == isAlone }
            press(.character(back), "the previous market") { $0.now.title.contains(name) }
        }
        addsAlert()
        opens(.character("p"), "─ 변동률 기간 ─")
        // On a low screen the help has no frame with a title.
        press(.character("?"), "the help") { $0.now.bottom.contains("Esc 닫기") }
        go(.escape, "the help closed") { !$0.now.bottom.contains("Esc 닫기") }
        opensPalette()
        copies()
        change { try $0.setWarning(warns, of: market) }
        press(.character("r"), "the changed warning") { $0.now.title.contains(" 유") == warns }
        press(.escape, "the list") { $0.now.isList }
    }
    /// In a high window several panes are visible: one alone, two, all.
    private mutating func layouts(_ own: Int, _ title: String) {
        resize(80, 40) { $0.now.lines.count == 40 && !$0.now.pane.contains(title) }
        press(.character("z"), "the pane alone") { $0.now.pane.contains(title) }
        go(.character("z"), "more panes") { !$0.now.pane.contains(title) }
        press(.character("L"), "chart and book") { !$0.now.pane.contains("]") }
        go(.character("L"), "the chart alone") { $0.now.pane.contains("[차트]") }
        go(.character("L"), "all panes") { !$0.now.pane.contains("[차트]") }
        resize(80, 24) { $0.now.lines.count == 24 && $0.now.bottom.contains("q 종료") }
        // The chart alone has the focus.
        let toOwn: Key? = [.backTab, nil, .tab][own]
        if let toOwn { go(toOwn, title) { $0.now.pane.contains(title) } }
    }
}
