import Domain
import ExchangeSimulator
import PresentationTerminal
import TestSupport

/// The list, its search, and what lies over it.
extension KeyWalk {
    static var list: KeyWalk {
        var walk = KeyWalk(.list)
        walk.movesOfList()
        walk.pagesOfList()
        walk.press(.enter, "the detail of the marked market") {
            $0.now.isTitle(of: "비트코인", "BTC/KRW")
        }
        walk.go(.escape, "the list") { $0.now.isList }
        walk.favorites()
        walk.press(.tab, "the next tab") { $0.now.tabs.contains("[BTC]") }
        walk.press(.backTab, "the previous tab") { $0.now.tabs.contains("[원화]") }
        walk.opensPalette()
        walk.copies()
        walk.press(.character("/"), "a search field") {
            $0.now.tabs.contains("/") && !$0.now.bottom.contains("q 종료")
        }
        walk.go(.escape, "the list") { $0.now.isList && $0.now.bottom.contains("q 종료") }
        walk.press(.character("s"), "another order") { $0.now.order != $0.before.order }
        walk.press(.character("S"), "the other direction") {
            $0.now.order != $0.before.order && $0.now.order.prefix(5) == $0.before.order.prefix(5)
        }
        for _ in 0..<4 {
            walk.go(.character("s"), "the next order") { $0.now.order != $0.before.order }
        }
        walk.remember("the first order") { $0.now.order.hasPrefix("정렬 인기▼") }
        walk.addsAlert()
        walk.opens(.character("p"), "─ 변동률 기간 ─")
        walk.opens(.character("i"), "─ 인기 순위 기준 ─")
        walk.opens(.character("?"), "─ 도움말 ─")
        walk.go(.home, "the first row") { $0.now.mark == 3 }
        walk.change { try $0.setWarning(true, of: "BTC_KRW") }
        walk.press(.character("r"), "the warning") { $0.now.marked.contains(" 유") }
        walk.besideDetail()
        return walk
    }

    /// The screens beside the list, by their keys.
    static let titles: [(Unicode.Scalar, String)] = [
        ("2", "hoga 입출금"), ("3", "hoga 보유자산"), ("4", "hoga 더보기"),
        ("5", "hoga 알림"),
    ]

    /// All of them.
    static let allTitles: [(Unicode.Scalar, String)] = [("1", "hoga 거래소")] + titles

    private mutating func movesOfList() {
        press([.down, .character("j")], "a row down") {
            $0.now.mark == $0.before.mark.map { $0 + 1 }
        }
        press([.up, .character("k")], "a row up") { $0.now.mark == $0.before.mark.map { $0 - 1 } }
        for (down, up) in zip(
            [Key.pageDown, .control("f"), .character(" ")],
            [Key.pageUp, .control("b"), nil]
        ) {
            press(down, "a page down") {
                $0.now.markedName != $0.before.markedName && $0.now.mark ?? 0 > 12
            }
            if let up {
                press(up, "a page up") { $0.now.markedName == $0.start.markedName }
            }
        }
        press([.end], "the last row") { $0.now.mark == 22 && $0.now.row(3) != $0.start.row(3) }
        press([.home], "the first row") { $0.now.markedName == $0.start.markedName }
        press([.character("G")], "the last row") {
            $0.now.mark == 22 && $0.now.row(3) != $0.start.row(3)
        }
        press([.character("g")], "the first row") { $0.now.markedName == $0.start.markedName }
    }

    private mutating func pagesOfList() {
        go(.end, "the last row") { $0.now.mark == 22 }
        press(.character("1"), "the first row, since the list is open") { $0.now.mark == 3 }
        for (key, title) in Self.titles {
            press(.character(key), title) {
                $0.now.title.hasPrefix(title)
            }
            go(.character("1"), "the list") { $0.now.isList }
        }
    }

    private mutating func favorites() {
        go(.end, "the last row") { $0.now.mark == 22 && $0.now.row(3) != $0.start.row(3) }
        press(.character("f"), "a star") { $0.now.marked.contains("★") }
        press(.character("F"), "the starred in its place alone") { !$0.now.row(3).contains("★") }
        press(.character("P"), "the starred above all too") { $0.now.row(3).contains("★") }
        go(.character("F"), "the starred in its place alone") { !$0.now.row(3).contains("★") }
        go(.home, "the first row") { $0.now.mark == 3 }
        go(.character("f"), "a star") { $0.now.marked.contains("★") }
        go(.backTab, "the favorites") { $0.now.tabs.contains("[관심]") && $0.now.row(4) != "" }
        go(.home, "the first row") { $0.now.mark == 3 }
        press([.character("J")], "a place down, with the mark") {
            $0.now.mark == 4 && $0.now.markedName == $0.before.markedName
        }
        press([.character("K")], "a place up, with the mark") {
            $0.now.mark == 3 && $0.now.markedName == $0.before.markedName
        }
        press([.character(">")], "a place down, with the mark") {
            $0.now.mark == 4 && $0.now.markedName == $0.before.markedName
        }
        press([.character("<")], "a place up, with the mark") {
            $0.now.mark == 3 && $0.now.markedName == $0.before.markedName
        }
        go(.tab, "the first tab") { $0.now.tabs.contains("[원화]") }
    }

    /// In a wide window the keys go from the list to a detail beside it, and back.
    private mutating func besideDetail() {
        resize(440, 40) { $0.now.lines.count == 40 && $0.now.bottom.contains("q 종료") }
        go(.enter, "the detail beside the list") { $0.now.contains("━ ▸ 호가") }
        go(.escape, "the keys in the list") { $0.now.title.hasPrefix("▸ hoga") }
        press(.character("w"), "the keys in the detail") { $0.now.contains("━ ▸ 호가") }
        go(.escape, "the keys in the list") { $0.now.title.hasPrefix("▸ hoga") }
        press(.escape, "the list alone") { !$0.now.title.contains("│") }
        resize(80, 24) { $0.now.lines.count == 24 && $0.now.isList }
    }

    static var search: KeyWalk {
        var walk = KeyWalk(.search)
        walk.go(.character("/"), "a field") { !$0.now.bottom.contains("q 종료") }
        walk.type("e") { $0.now.tabs.contains("/e") }
        // The field may show a mark already: without a move the next row would be two rows away.
        walk.go(.down, "the mark moves") {
            $0.now.mark != nil && $0.now.mark != $0.before.mark
        }
        walk.press(.down, "a row down") { $0.now.mark == $0.before.mark.map { $0 + 1 } }
        walk.press(.up, "a row up") { $0.now.mark == $0.before.mark.map { $0 - 1 } }
        walk.press(.backspace, "the letter is gone") { !$0.now.tabs.contains("/e") }
        walk.wordsOfSearch()
        walk.type("btc") { $0.now.tabs.contains("/btc") && $0.now.tabs.contains(" 1/") }
        walk.press(.escape, "the field is left, what was found stays") {
            $0.now.tabs.contains("/btc") && $0.now.bottom.contains("q 종료")
        }
        walk.go(.character("/"), "the field") { !$0.now.bottom.contains("q 종료") }
        walk.press(.enter, "what was found") { $0.now.isTitle(of: "비트코인", "BTC/KRW") }
        walk.go(.escape, "the list") { $0.now.isList && $0.now.tabs.contains("/btc") }
        walk.go(.escape, "all of it") { !$0.now.tabs.contains("/btc") }
        walk.go(.character("/"), "the field") { !$0.now.bottom.contains("q 종료") }
        walk.opensPalette([.control("p")])
        return walk
    }

    /// Deletes the last word, then the whole text of a search field.
    mutating func wordsOfSearch() {
        type("cash coin") { $0.now.tabs.contains("/cash coin") }
        press(.control("w"), "the last word is gone") {
            $0.now.tabs.contains("/cash") && !$0.now.tabs.contains("coin")
        }
        press(.control("u"), "the field is empty") { !$0.now.tabs.contains("/cash") }
    }

    static var periods: KeyWalk {
        var walk = KeyWalk(.periods)
        let title = "─ 변동률 기간 ─"
        walk.go(.character("p"), title) { $0.now.panelMark != nil }
        walk.press([.down, .character("j")], "a row down") {
            $0.now.panelMark == $0.before.panelMark.map { $0 + 1 }
        }
        walk.press([.up, .character("k")], "a row up") {
            $0.now.panelMark == $0.before.panelMark.map { $0 - 1 }
        }
        walk.go(.down, "a row down") { $0.now.panelMark == $0.before.panelMark.map { $0 + 1 } }
        walk.press(.enter, "the period that was marked") {
            $0.now.title.contains("변동 어제대비") && !$0.now.contains(title)
        }
        for key in [Key.escape, .character("p")] {
            walk.go(.character("p"), title) { $0.now.contains(title) }
            walk.press(key, "closed") { !$0.now.contains(title) }
        }
        for key in [Key.character(":"), .control("p")] {
            walk.go(.character("p"), title) { $0.now.contains(title) }
            walk.opensPalette([key])
        }
        return walk
    }

    static var panel: KeyWalk {
        var walk = KeyWalk(.panel)
        let title = "─ 인기 순위 기준 ─"
        for key in [Key.character("i"), .enter, .escape] {
            walk.go(.character("i"), title) { $0.now.contains(title) }
            walk.press(key, "closed") { !$0.now.contains(title) }
        }
        walk.go(.character("i"), title) { $0.now.contains(title) }
        walk.opens(.character("?"), "─ 도움말 ─")
        for key in [Key.character(":"), .control("p")] {
            walk.go(.character("i"), title) { $0.now.contains(title) }
            walk.opensPalette([key])
        }
        return walk
    }

    static var help: KeyWalk {
        var walk = KeyWalk(.help)
        walk.resize(60, 12) { $0.now.lines.count == 12 && $0.now.bottom.contains("q 종료") }
        let title = "도움말  "
        walk.go(.character("?"), "a help that does not fit") { $0.now.bottom.contains("더 보기") }
        walk.remember("its first lines") { $0.now.row(1).hasPrefix("↑") }
        walk.press([.down, .character("j")], "a line down") { $0.now.row(6) == $0.before.row(7) }
        walk.press([.up, .character("k")], "a line up") { $0.now.row(7) == $0.before.row(6) }
        walk.press([.pageDown], "a page down") {
            $0.now.row(6) != $0.before.row(6) && $0.now.row(6) != $0.before.row(7)
        }
        walk.press([.pageUp], "a page up") { $0.now.row(6) == $0.start.row(6) }
        walk.press([.control("f")], "a page down") {
            $0.now.row(6) != $0.before.row(6) && $0.now.row(6) != $0.before.row(7)
        }
        walk.press([.control("b")], "a page up") { $0.now.row(6) == $0.start.row(6) }
        walk.press([.character(" ")], "a page down") {
            $0.now.row(6) != $0.before.row(6) && $0.now.row(6) != $0.before.row(7)
        }
        walk.press([.home], "the first lines") { $0.now.row(6) == $0.start.row(6) }
        walk.press([.end], "the last line") { $0.now.contains("^C") }
        walk.press([.character("g")], "the first lines") { $0.now.row(6) == $0.start.row(6) }
        walk.press([.character("G")], "the last line") { $0.now.contains("^C") }
        for key in [Key.escape, .enter, .character("?")] {
            walk.press(key, "closed") { $0.now.mark != nil && $0.now.bottom.contains("열기") }
            walk.go(.character("?"), title) { $0.now.bottom.contains("더 보기") }
        }
        for key in [Key.character(":"), .control("p")] {
            walk.opensPalette([key])
            walk.go(.character("?"), title) { $0.now.bottom.contains("더 보기") }
        }
        walk.go(.escape, "closed") { $0.now.mark != nil }
        walk.resize(80, 24) { $0.now.lines.count == 24 && $0.now.isList }
        return walk
    }

    static var palette: KeyWalk {
        var walk = KeyWalk(.palette)
        let title = "─ 바로가기 ─"
        walk.go(.character(":"), title) { $0.now.contains(title) && $0.now.panelMark != nil }
        walk.press(.down, "an entry down") {
            $0.now.panelMark == $0.before.panelMark.map { $0 + 1 }
        }
        walk.press(.up, "an entry up") { $0.now.panelMark == $0.before.panelMark.map { $0 - 1 } }
        walk.type("cash coin") { $0.now.contains(": cash coin") }
        walk.press(.backspace, "the letter is gone") {
            $0.now.contains(": cash coi") && !$0.now.contains(": cash coin")
        }
        walk.press(.control("w"), "the last word is gone") { !$0.now.contains(": cash coi") }
        walk.press(.control("u"), "no text") { !$0.now.contains(": cash") }
        walk.press(.escape, "closed") { $0.now.isList }
        walk.go(.character(":"), title) { $0.now.contains(title) }
        walk.type("ㅇㄷㄹㅇ") { $0.now.contains("› ETH/KRW  이더리움") }
        walk.press(.enter, "the market") { $0.now.isTitle(of: "이더리움", "ETH/KRW") }
        walk.go(.escape, "the list") { $0.now.isList }
        return walk
    }
}
