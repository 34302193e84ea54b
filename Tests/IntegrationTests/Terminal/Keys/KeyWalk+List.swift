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
        walk.row(.enter, "the detail of the marked market") {
            $0.now.title.contains("비트코인 Bitcoin BTC/KRW")
        }
        walk.way(.escape, "the list") { $0.now.isList }
        walk.favorites()
        walk.row(.tab, "the next tab") { $0.now.tabs.contains("[BTC]") }
        walk.row(.backTab, "the previous tab") { $0.now.tabs.contains("[원화]") }
        walk.row(.character("/"), "a search field") {
            $0.now.tabs.contains("/") && !$0.now.bottom.contains("q 종료")
        }
        walk.way(.escape, "the list") { $0.now.isList && $0.now.bottom.contains("q 종료") }
        walk.row(.character("s"), "another order") { $0.now.order != $0.before.order }
        walk.row(.character("S"), "the other direction") {
            $0.now.order != $0.before.order && $0.now.order.prefix(5) == $0.before.order.prefix(5)
        }
        for _ in 0..<4 {
            walk.way(.character("s"), "the next order") { $0.now.order != $0.before.order }
        }
        walk.start("the first order") { $0.now.order.hasPrefix("정렬 인기▼") }
        walk.opens(.character("p"), "─ 변동률 기간 ─")
        walk.opens(.character("i"), "─ 인기 순위 기준 ─")
        walk.opens(.character("?"), "─ 도움말 ─")
        walk.way(.home, "the first row") { $0.now.mark == 3 }
        walk.exchange { try $0.setWarning(true, of: "BTC_KRW") }
        walk.row(.character("r"), "the warning") { $0.now.marked.contains(" 유") }
        walk.besideDetail()
        return walk
    }

    /// The screens beside the list, by their keys.
    static let titles: [(Unicode.Scalar, String)] = [
        ("2", "hoga 입출금"), ("3", "hoga 보유자산"), ("4", "hoga 더보기"),
    ]

    /// All of them.
    static let allTitles: [(Unicode.Scalar, String)] = [("1", "hoga 거래소")] + titles

    private mutating func movesOfList() {
        rows([.down, .character("j")], "a row down") {
            $0.now.mark == $0.before.mark.map { $0 + 1 }
        }
        rows([.up, .character("k")], "a row up") { $0.now.mark == $0.before.mark.map { $0 - 1 } }
        for (down, up) in zip(
            [Key.pageDown, .control("f"), .character(" ")],
            [Key.pageUp, .control("b"), nil]
        ) {
            row(down, "a page down") {
                $0.now.markedName != $0.before.markedName && $0.now.mark ?? 0 > 12
            }
            if let up {
                row(up, "a page up") { $0.now.markedName == $0.start.markedName }
            }
        }
        rows([.end], "the last row") { $0.now.mark == 22 && $0.now.row(3) != $0.start.row(3) }
        rows([.home], "the first row") { $0.now.markedName == $0.start.markedName }
        rows([.character("G")], "the last row") {
            $0.now.mark == 22 && $0.now.row(3) != $0.start.row(3)
        }
        rows([.character("g")], "the first row") { $0.now.markedName == $0.start.markedName }
    }

    private mutating func pagesOfList() {
        way(.end, "the last row") { $0.now.mark == 22 }
        row(.character("1"), "the first row, since the list is open") { $0.now.mark == 3 }
        for (key, title) in Self.titles {
            row(.character(key), title) {
                $0.now.title.hasPrefix(title)
            }
            way(.character("1"), "the list") { $0.now.isList }
        }
    }

    private mutating func favorites() {
        way(.end, "the last row") { $0.now.mark == 22 && $0.now.row(3) != $0.start.row(3) }
        row(.character("f"), "a star") { $0.now.marked.contains("★") }
        row(.character("F"), "the starred in its place alone") { !$0.now.row(3).contains("★") }
        row(.character("P"), "the starred above all too") { $0.now.row(3).contains("★") }
        way(.character("F"), "the starred in its place alone") { !$0.now.row(3).contains("★") }
        way(.home, "the first row") { $0.now.mark == 3 }
        way(.character("f"), "a star") { $0.now.marked.contains("★") }
        way(.backTab, "the favourites") { $0.now.tabs.contains("[관심]") && $0.now.row(4) != "" }
        way(.home, "the first row") { $0.now.mark == 3 }
        rows([.character("J")], "a place down, with the mark") {
            $0.now.mark == 4 && $0.now.markedName == $0.before.markedName
        }
        rows([.character("K")], "a place up, with the mark") {
            $0.now.mark == 3 && $0.now.markedName == $0.before.markedName
        }
        rows([.character(">")], "a place down, with the mark") {
            $0.now.mark == 4 && $0.now.markedName == $0.before.markedName
        }
        rows([.character("<")], "a place up, with the mark") {
            $0.now.mark == 3 && $0.now.markedName == $0.before.markedName
        }
        way(.tab, "the first tab") { $0.now.tabs.contains("[원화]") }
    }

    /// In a wide window the keys go from the list to a detail beside it, and back.
    private mutating func besideDetail() {
        size(160, 40) { $0.now.lines.count == 40 && $0.now.bottom.contains("q 종료") }
        way(.enter, "the detail beside the list") { $0.now.contains("━ ▸ 1 호가") }
        way(.escape, "the keys in the list") { $0.now.title.hasPrefix("▸ hoga") }
        row(.character("w"), "the keys in the detail") { $0.now.contains("━ ▸ 1 호가") }
        way(.escape, "the keys in the list") { $0.now.title.hasPrefix("▸ hoga") }
        row(.escape, "the list alone") { !$0.now.title.contains("│") }
        size(80, 24) { $0.now.lines.count == 24 && $0.now.isList }
    }

    static var search: KeyWalk {
        var walk = KeyWalk(.search)
        walk.way(.character("/"), "a field") { !$0.now.bottom.contains("q 종료") }
        walk.type("e") { $0.now.tabs.contains("/e") }
        walk.way(.down, "to know where the mark is") { $0.now.mark != nil }
        walk.row(.down, "a row down") { $0.now.mark == $0.before.mark.map { $0 + 1 } }
        walk.row(.up, "a row up") { $0.now.mark == $0.before.mark.map { $0 - 1 } }
        walk.row(.backspace, "the letter is gone") { !$0.now.tabs.contains("/e") }
        walk.wordsOfSearch()
        walk.type("btc") { $0.now.tabs.contains("/btc") && $0.now.tabs.contains(" 1/") }
        walk.row(.escape, "the field is left, what was found stays") {
            $0.now.tabs.contains("/btc") && $0.now.bottom.contains("q 종료")
        }
        walk.way(.character("/"), "the field") { !$0.now.bottom.contains("q 종료") }
        walk.row(.enter, "what was found") { $0.now.title.contains("비트코인 Bitcoin BTC/KRW") }
        walk.way(.escape, "the list") { $0.now.isList && $0.now.tabs.contains("/btc") }
        walk.way(.escape, "all of it") { !$0.now.tabs.contains("/btc") }
        return walk
    }

    /// What a search field deletes at once.
    mutating func wordsOfSearch() {
        type("cash coin") { $0.now.tabs.contains("/cash coin") }
        row(.control("w"), "the last word is gone") {
            $0.now.tabs.contains("/cash") && !$0.now.tabs.contains("coin")
        }
        row(.control("u"), "the field is empty") { !$0.now.tabs.contains("/cash") }
    }

    static var periods: KeyWalk {
        var walk = KeyWalk(.periods)
        let title = "─ 변동률 기간 ─"
        walk.way(.character("p"), title) { $0.now.panelMark != nil }
        walk.rows([.down, .character("j")], "a row down") {
            $0.now.panelMark == $0.before.panelMark.map { $0 + 1 }
        }
        walk.rows([.up, .character("k")], "a row up") {
            $0.now.panelMark == $0.before.panelMark.map { $0 - 1 }
        }
        walk.way(.down, "a row down") { $0.now.panelMark == $0.before.panelMark.map { $0 + 1 } }
        walk.row(.enter, "the period that was marked") {
            $0.now.title.contains("변동 어제대비") && !$0.now.contains(title)
        }
        for key in [Key.escape, .character("p")] {
            walk.way(.character("p"), title) { $0.now.contains(title) }
            walk.row(key, "closed") { !$0.now.contains(title) }
        }
        return walk
    }

    static var panel: KeyWalk {
        var walk = KeyWalk(.panel)
        let title = "─ 인기 순위 기준 ─"
        for key in [Key.character("i"), .enter, .escape] {
            walk.way(.character("i"), title) { $0.now.contains(title) }
            walk.row(key, "closed") { !$0.now.contains(title) }
        }
        walk.way(.character("i"), title) { $0.now.contains(title) }
        walk.opens(.character("?"), "─ 도움말 ─")
        return walk
    }

    static var help: KeyWalk {
        var walk = KeyWalk(.help)
        walk.size(60, 12) { $0.now.lines.count == 12 && $0.now.bottom.contains("q 종료") }
        let title = "도움말  "
        walk.way(.character("?"), "a help that does not fit") { $0.now.bottom.contains("더 보기") }
        walk.start("its first lines") { $0.now.row(1).hasPrefix("↑") }
        walk.rows([.down, .character("j")], "a line down") { $0.now.row(6) == $0.before.row(7) }
        walk.rows([.up, .character("k")], "a line up") { $0.now.row(7) == $0.before.row(6) }
        walk.rows([.pageDown], "a page down") {
            $0.now.row(6) != $0.before.row(6) && $0.now.row(6) != $0.before.row(7)
        }
        walk.rows([.pageUp], "a page up") { $0.now.row(6) == $0.start.row(6) }
        walk.rows([.control("f")], "a page down") {
            $0.now.row(6) != $0.before.row(6) && $0.now.row(6) != $0.before.row(7)
        }
        walk.rows([.control("b")], "a page up") { $0.now.row(6) == $0.start.row(6) }
        walk.rows([.character(" ")], "a page down") {
            $0.now.row(6) != $0.before.row(6) && $0.now.row(6) != $0.before.row(7)
        }
        walk.rows([.home], "the first lines") { $0.now.row(6) == $0.start.row(6) }
        walk.rows([.end], "the last line") { $0.now.contains("^C") }
        walk.rows([.character("g")], "the first lines") { $0.now.row(6) == $0.start.row(6) }
        walk.rows([.character("G")], "the last line") { $0.now.contains("^C") }
        for key in [Key.escape, .enter, .character("?")] {
            walk.row(key, "closed") { $0.now.mark != nil && $0.now.bottom.contains("열기") }
            walk.way(.character("?"), title) { $0.now.bottom.contains("더 보기") }
        }
        walk.way(.escape, "closed") { $0.now.mark != nil }
        walk.size(80, 24) { $0.now.lines.count == 24 && $0.now.isList }
        return walk
    }
}
