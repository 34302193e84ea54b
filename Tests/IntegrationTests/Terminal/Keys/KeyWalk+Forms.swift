import PresentationTerminal
import Testing

/// Forms, questions, and the ways out of everything.
extension KeyWalk {
    static var form: KeyWalk {
        var walk = KeyWalk(.form)
        walk.go(.character("3"), "what is held") { $0.now.holdsBitcoin }
        walk.go(.character("a"), "a form") { $0.now.contains("› 자산") }
        walk.press([.tab], "the second field") { $0.now.contains("› 수량") }
        walk.press([.down], "the third field") { $0.now.contains("› 매수평균가") }
        walk.press([.up], "the second field") { $0.now.contains("› 수량") }
        walk.press([.backTab], "the first field") { $0.now.contains("› 자산") }
        walk.type("SOLX") { $0.now.contains("SOLX") }
        walk.press(.backspace, "the last letter is gone") {
            $0.now.contains("SOL") && !$0.now.contains("SOLX")
        }
        walk.type(" CASH") { $0.now.contains("SOL CASH") }
        walk.press(.control("w"), "the last word is gone") {
            $0.now.contains("SOL") && !$0.now.contains("CASH")
        }
        walk.press(.control("u"), "the field is empty") { $0.now.contains("› 자산         BTC") }
        walk.type("SOL") { $0.now.contains("› 자산        SOL") }
        walk.press(.enter, "the next field") { $0.now.contains("› 수량") }
        walk.press(.escape, "no form") { !$0.now.contains("보유자산 추가") }
        walk.go(.escape, "the list") { $0.now.isList }
        return walk
    }

    static var question: KeyWalk {
        var walk = KeyWalk(.question)
        walk.go(.character("3"), "what is held") { $0.now.holdsBitcoin }
        let title = "━ 보유자산 삭제 ━"
        for key in [Key.character("n"), .escape] {
            walk.go(.character("x"), title) { $0.now.contains(title) }
            walk.press(key, "nothing is removed") {
                !$0.now.contains(title) && $0.now.holdsBitcoin
            }
        }
        walk.go(.character("x"), title) { $0.now.contains(title) }
        walk.press(.character("y"), "it is removed") {
            !$0.now.contains(title) && !$0.now.holdsBitcoin
        }
        walk.go(.escape, "the list") { $0.now.isList }
        return walk
    }

    /// The walks of every place, in the order in which they follow each other.
    static let all = [
        list, search, periods, indicators, panel, help, palette, book, chart, trades, assets,
        assetSearch,
        portfolio,
        more, alerts, form, question,
    ]

    /// The keys that end hoga in a context.
    struct Exit: Sendable, CustomTestStringConvertible {
        let context: KeyContext
        /// The keys that lead from the list to the context.
        let way: [Key]
        let keys: [Key]
        /// A text that the context shows.
        let seen: String

        var testDescription: String { "\(context)" }

        init(_ context: KeyContext, _ way: [Key], _ keys: [Key], _ seen: String) {
            self.context = context
            self.way = way
            self.keys = keys
            self.seen = seen
        }
    }

    /// The contexts with keys that end hoga, except forms that are being saved.
    static let exits: [Exit] = [
        Exit(.list, [], [quit, end], "Enter 열기"),
        Exit(.search, [.character("/")], [end], "Esc 닫기"),
        Exit(.periods, [.character("p")], [quit, end], "─ 변동률 기간 ─"),
        Exit(.panel, [.character("i")], [quit, end], "─ 인기 순위 기준 ─"),
        Exit(.help, [.character("?")], [quit, end], "─ 도움말 ─"),
        Exit(.palette, [.character(":")], [end], "─ 바로가기 ─"),
        Exit(.book, [.enter], [quit, end], "[호가]"),
        Exit(.chart, [.enter, .tab], [quit, end], "[차트]"),
        Exit(
            .indicators,
            [.enter, .tab, .character("m")],
            [quit, end],
            KeyWalk.indicatorTitle
        ),
        Exit(.trades, [.enter, .backTab], [quit, end], "[시세]"),
        Exit(.assets, [.character("2")], [quit, end], "hoga 입출금"),
        Exit(.assetSearch, [.character("2"), .character("/")], [end], "Esc 닫기"),
        Exit(.portfolio, [.character("3")], [quit, end], "hoga 보유자산"),
        Exit(.more, [.character("4")], [quit, end], "hoga 더보기"),
        Exit(.alerts, [.character("5")], [quit, end], "hoga 알림"),
        Exit(.form, [.character("3"), .character("a")], [end], "━ 보유자산 추가 ━"),
        Exit(.question, [.character("3"), .character("x")], [end], "━ 보유자산 삭제 ━"),
    ]

    private static let quit = Key.character("q")
    private static let end = Key.control("c")
}
