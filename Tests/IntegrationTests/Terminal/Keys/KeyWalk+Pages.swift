import Domain
import ExchangeSimulator
import PresentationTerminal
import Testing

/// The screens beside the list.
extension KeyWalk {
    static var assets: KeyWalk {
        var walk = KeyWalk(.assets)
        walk.go(.character("2"), "coins") { $0.now.mark == 3 && $0.now.tabs.contains("[전체") }
        walk.remember("the first coins") { $0.now.row(22) != "" }
        walk.rowsOfPage(last: 22)
        walk.screens(from: "2")
        walk.press(.tab, "coins that are open") { $0.now.tabs.contains("[정상") }
        walk.press(.backTab, "all coins") { $0.now.tabs.contains("[전체") }
        walk.press(.character("s"), "another order") {
            $0.now.order.prefix(5) != $0.before.order.prefix(5)
        }
        walk.press(.character("S"), "the other direction") {
            $0.now.order.prefix(5) == $0.before.order.prefix(5)
                && $0.now.order.prefix(6) != $0.before.order.prefix(6)
        }
        walk.press(.character("/"), "a search field") {
            $0.now.tabs.contains("/") && !$0.now.bottom.contains("q 종료")
        }
        walk.go(.escape, "no field") { $0.now.bottom.contains("q 종료") }
        walk.remember("a second after the coins were read") { $0.now.clock > $0.now.readAt }
        walk.press(.character("r"), "they are read again at once") {
            $0.now.readAt > $0.before.readAt && $0.now.readAt < $0.before.clock + 30
        }
        walk.opens(.character("?"), "─ 도움말")
        walk.opensPalette()
        walk.copies()
        walk.press(.enter, "the market of the coin") { $0.now.pane.contains("[호가]") }
        walk.go(.escape, "where one came from") { !$0.now.pane.contains("[호가]") }
        walk.go(.character("2"), "coins") { $0.now.title.hasPrefix("hoga 입출금") }
        walk.press(.escape, "the list") { $0.now.isList }
        return walk
    }

    static var assetSearch: KeyWalk {
        var walk = KeyWalk(.assetSearch)
        walk.go(.character("2"), "coins") { $0.now.mark == 3 && $0.now.tabs.contains("[전체") }
        walk.go(.character("/"), "a field") { !$0.now.bottom.contains("q 종료") }
        walk.type("b") { $0.now.tabs.contains("/b") && $0.now.mark == 3 }
        walk.press(.down, "a row down") { $0.now.mark == 4 }
        walk.press(.up, "a row up") { $0.now.mark == 3 }
        walk.press(.backspace, "the letter is gone") { !$0.now.tabs.contains("/b") }
        walk.wordsOfSearch()
        walk.type("btc") { $0.now.tabs.contains("/btc") && $0.now.row(4) == "" }
        walk.press(.escape, "the field is left, what was found stays") {
            $0.now.tabs.contains("/btc") && $0.now.bottom.contains("q 종료")
        }
        walk.go(.character("/"), "the field") { !$0.now.bottom.contains("q 종료") }
        walk.opensPalette([.control("p")])
        walk.go(.character("/"), "the field") { !$0.now.bottom.contains("q 종료") }
        walk.press(.enter, "the market of what was found") {
            $0.now.isTitle(of: "비트코인", "BTC/KRW")
        }
        walk.go(.escape, "where one came from") { !$0.now.pane.contains("[호가]") }
        walk.go(.character("2"), "coins") { $0.now.tabs.contains("/btc") }
        walk.go(.escape, "all coins") { !$0.now.tabs.contains("/btc") }
        walk.go(.escape, "the list") { $0.now.isList }
        return walk
    }

    static var portfolio: KeyWalk {
        var walk = KeyWalk(.portfolio)
        walk.go(.character("3"), "what is held") { $0.now.holdsBitcoin }
        walk.remember("all of it") { $0.now.contains("현금 KRW") }
        walk.rowsOfPage(last: 8)
        walk.screens(from: "3")
        walk.opens(.character("a"), "━ 보유자산 추가 ━")
        walk.opens(.character("e"), "━ BTC 수정 ━")
        walk.opens(.enter, "━ BTC 수정 ━")
        walk.opens(.character("x"), "━ 보유자산 삭제 ━")
        walk.opens(.character("c"), "━ 현금 ━")
        walk.opens(.character("N"), "━ 이름 ━")
        walk.opens(.character("?"), "─ 도움말")
        walk.opensPalette()
        walk.copies()
        walk.press(.character("o"), "the market of the coin") {
            $0.now.isTitle(of: "비트코인", "BTC/KRW")
        }
        walk.go(.escape, "where one came from") { !$0.now.pane.contains("[호가]") }
        walk.go(.character("3"), "what is held") { $0.now.holdsBitcoin }
        walk.change { exchange in
            let bitcoin = try #require(Asset(symbol: "BTC"))
            try exchange.set(deposit: false, withdrawal: false, of: bitcoin)
        }
        walk.press(.character("r"), "the suspended deposit") {
            $0.now.marked.hasSuffix("○○") && $0.now.clock < $0.before.clock + 30
        }
        walk.press(.escape, "the list") { $0.now.isList }
        return walk
    }

    static var more: KeyWalk {
        var walk = KeyWalk(.more)
        walk.go(.character("4"), "the page about hoga") { $0.now.row(1) == "설정" }
        walk.remember("its first lines") { $0.now.row(20) != "" }
        walk.press([.down, .character("j")], "a line down") {
            $0.now.lines[6] == $0.before.lines[7]
        }
        walk.press([.up, .character("k")], "a line up") { $0.now.lines[7] == $0.before.lines[6] }
        for (down, up) in zip(
            [Key.pageDown, .control("f"), .character(" "), .end, .character("G")],
            [Key.pageUp, .control("b"), .home, .character("g"), .character("4")]
        ) {
            walk.press(down, "further down") {
                !$0.now.contains("설정") && $0.now.lines[5] != $0.before.lines[6]
            }
            walk.press(up, "up again") { $0.now.row(1) == "설정" }
        }
        for (key, title) in allTitles where key != "4" {
            walk.press(.character(key), title) { $0.now.title.hasPrefix(title) }
            walk.go(.character("4"), "this page") { $0.now.row(1) == "설정" }
        }
        walk.press(.character("t"), "another theme") { $0.now.contains("[밝게]") }
        walk.press(.character("c"), "other colors") { $0.now.contains("[상승 초록") }
        walk.press(.character("l"), "English") { $0.now.contains("[English]") }
        walk.go(.character("l"), "Korean") { $0.now.contains("[한국어]") }
        walk.opens(.character("?"), "─ 도움말")
        walk.opensPalette()
        walk.copies()
        walk.press(.escape, "the list") { $0.now.isList }
        return walk
    }

    static var alerts: KeyWalk {
        var walk = KeyWalk(.alerts)
        walk.go(.character("5"), "the log") { $0.now.tabs.contains("[알림 0]") }
        walk.press(.tab, "the rules") { $0.now.tabs.contains("[규칙 0]") }
        walk.press(.backTab, "the log") { $0.now.tabs.contains("[알림 0]") }
        walk.go(.tab, "the rules") { $0.now.tabs.contains("[규칙 0]") }
        for number in 1...9 {
            let rule = "BTC_KRW > \(9_000_000_000 + number)"
            walk.go(.character("A"), "a form") { $0.now.contains("━ 알림 추가 ━") }
            walk.go(.control("u"), "an empty field") { $0.now.contains("━ 알림 추가 ━") }
            walk.type(rule) { $0.now.contains(rule) }
            walk.go(.enter, "rule \(number)") {
                $0.now.tabs.contains("[규칙 \(number)]") && !$0.now.contains("━ 알림 추가 ━")
            }
        }
        walk.go(.home, "the first rule") { $0.now.mark == 3 }
        walk.remember("the rules") { $0.now.marked.contains("9000000001") }
        walk.press([.down, .character("j")], "a row down") {
            $0.now.mark == $0.before.mark.map { $0 + 1 }
        }
        walk.press([.up, .character("k")], "a row up") {
            $0.now.mark == $0.before.mark.map { $0 - 1 }
        }
        for (down, up) in zip(
            [Key.pageDown, .control("f"), .character(" "), .end, .character("G")],
            [Key.pageUp, .control("b"), nil, .home, .character("g")]
        ) {
            walk.press(down, "the last rule") { $0.now.marked.contains("9000000009") }
            let isFirst: Condition = { $0.now.marked == $0.start.marked }
            if let up {
                walk.press(up, "the first rule", isFirst)
            } else {
                walk.go(.home, "the first rule", isFirst)
            }
        }
        for (key, title) in allTitles where key != "5" {
            walk.press(.character(key), title) { $0.now.title.hasPrefix(title) }
            walk.go(.character("5"), "the rules") { $0.now.tabs.contains("[규칙 9]") }
        }
        walk.press(.character("5"), "the first rule") { $0.now.mark == 3 }
        walk.addsAlert()
        walk.opens(.enter, "━ 알림 수정 ━")
        walk.opens(.character("x"), "━ 알림 삭제 ━")
        walk.opens(.delete, "━ 알림 삭제 ━")
        walk.press(.character("r"), "the rules") { $0.now.tabs.contains("[규칙 9]") }
        walk.opens(.character("?"), "─ 도움말")
        walk.opensPalette()
        walk.copies()
        walk.press(.escape, "the list") { $0.now.isList }
        return walk
    }

    /// The keys that begin a rule.
    mutating func addsAlert() {
        for key in [Key.character("A"), .character("a")] { opens(key, "━ 알림 추가 ━") }
    }

    /// The moves of a page with a mark.
    private mutating func rowsOfPage(last: Int) {
        press([.down, .character("j")], "a row down") {
            $0.now.mark == $0.before.mark.map { $0 + 1 }
        }
        press([.up, .character("k")], "a row up") { $0.now.mark == $0.before.mark.map { $0 - 1 } }
        for (down, up) in zip(
            [Key.pageDown, .control("f"), .character(" "), .end, .character("G")],
            [Key.pageUp, .control("b"), nil, .home, .character("g")]
        ) {
            press(down, "further down") {
                $0.now.markedName != $0.before.markedName && $0.now.mark ?? 0 > 6
            }
            let isFirst: Condition = { $0.now.markedName == $0.start.markedName }
            if let up {
                press(up, "the first row", isFirst)
            } else {
                go(.home, "the first", isFirst)
            }
        }
    }

    /// The keys of the screens, from one of them.
    private mutating func screens(from own: Unicode.Scalar) {
        press(.character(own), "the first row, since the screen is open") {
            $0.now.mark == 3 && $0.now.markedName == $0.start.markedName
        }
        let title = Self.titles.first { $0.0 == own }?.1 ?? ""
        for (key, other) in Self.allTitles where key != own {
            press(.character(key), other) { $0.now.title.hasPrefix(other) }
            go(.character(own), title) { $0.now.title.hasPrefix(title) && $0.now.mark != nil }
        }
    }
}
