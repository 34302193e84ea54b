import PresentationTerminal

/// Forms, questions, and the ways out of everything.
extension KeyWalk {
    static var form: KeyWalk {
        var walk = KeyWalk(.form)
        walk.way(.character("3"), "what is held") { $0.now.holdsBitcoin }
        walk.way(.character("a"), "a form") { $0.now.contains("› 자산") }
        walk.rows([.tab], "the second field") { $0.now.contains("› 수량") }
        walk.rows([.down], "the third field") { $0.now.contains("› 매수평균가") }
        walk.rows([.up], "the second field") { $0.now.contains("› 수량") }
        walk.rows([.backTab], "the first field") { $0.now.contains("› 자산") }
        walk.type("SOLX") { $0.now.contains("SOLX") }
        walk.row(.backspace, "the last letter is gone") {
            $0.now.contains("SOL") && !$0.now.contains("SOLX")
        }
        walk.type(" CASH") { $0.now.contains("SOL CASH") }
        walk.row(.control("w"), "the last word is gone") {
            $0.now.contains("SOL") && !$0.now.contains("CASH")
        }
        walk.row(.control("u"), "the field is empty") { $0.now.contains("› 자산         BTC") }
        walk.type("SOL") { $0.now.contains("› 자산        SOL") }
        walk.row(.enter, "the next field") { $0.now.contains("› 수량") }
        walk.row(.escape, "no form") { !$0.now.contains("보유자산 추가") }
        walk.way(.escape, "the list") { $0.now.isList }
        return walk
    }

    static var question: KeyWalk {
        var walk = KeyWalk(.question)
        walk.way(.character("3"), "what is held") { $0.now.holdsBitcoin }
        let title = "━ 보유자산 삭제 ━"
        for key in [Key.character("n"), .escape] {
            walk.way(.character("x"), title) { $0.now.contains(title) }
            walk.row(key, "nothing is removed") {
                !$0.now.contains(title) && $0.now.holdsBitcoin
            }
        }
        walk.way(.character("x"), title) { $0.now.contains(title) }
        walk.row(.character("y"), "it is removed") {
            !$0.now.contains(title) && !$0.now.holdsBitcoin
        }
        walk.way(.escape, "the list") { $0.now.isList }
        return walk
    }

    /// The walks of every place, in the order in which they follow each other.
    static let all = [
        list, search, periods, panel, help, book, chart, trades, assets, assetSearch, portfolio,
        more, form, question,
    ]

    /// The places that hoga can be quit from, but for forms that are being kept, with the way there
    /// and what is seen when one is there.
    static let exits: [(place: KeyContext, way: [Key], keys: [Key], seen: String)] = [
        (.list, [], [quit, end], "Enter 열기"),
        (.search, [.character("/")], [end], "Esc 닫기"),
        (.periods, [.character("p")], [quit, end], "─ 변동률 기간 ─"),
        (.panel, [.character("i")], [quit, end], "─ 인기 순위 기준 ─"),
        (.help, [.character("?")], [quit, end], "─ 도움말 ─"),
        (.book, [.enter], [quit, end], "[1 호가]"),
        (.chart, [.enter, .character("2")], [quit, end], "[2 차트]"),
        (.trades, [.enter, .character("3")], [quit, end], "[3 시세]"),
        (.assets, [.character("2")], [quit, end], "hoga 입출금"),
        (.assetSearch, [.character("2"), .character("/")], [end], "Esc 닫기"),
        (.portfolio, [.character("3")], [quit, end], "hoga 보유자산"),
        (.more, [.character("4")], [quit, end], "hoga 더보기"),
        (.form, [.character("3"), .character("a")], [end], "━ 보유자산 추가 ━"),
        (.question, [.character("3"), .character("x")], [end], "━ 보유자산 삭제 ━"),
    ]

    private static let quit = Key.character("q")
    private static let end = Key.control("c")
}
