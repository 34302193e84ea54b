import Domain
import ViewStates
import TestSupport
import Testing

@testable import PresentationTerminal

@Suite("Keys reach the pages, changes are saved, and results are drawn")
struct PageLoopTests {
    private let clock = ScriptedClock()
    private let model: ScriptedModel

    init() { model = ScriptedModel(clock: clock) }

    /// Runs a script to its end.
    private func run(
        rows: Int = 24,
        state: ScreenState = ScreenState(),
        _ steps: [ScriptedScreen.Step]
    ) throws -> (last: Frame, state: ScreenState) {
        let screen = ScriptedScreen(columns: 80, rows: rows, clock: clock, steps)
        var loop = TerminalLoop(model: model, screen: screen, state: state)
        _ = loop.run()
        return (try #require(screen.drawings.last?.frame), loop.state)
    }

    private func keys(_ text: String) -> ScriptedScreen.Step {
        .keys(text.unicodeScalars.map { $0 == "\n" ? .enter : .character($0) })
    }

    @Test("1 to 4 open their screens and hold their data while visible")
    func pages() throws {
        for (key, title) in [("2", "입출금"), ("3", "보유자산"), ("4", "더보기"), ("1", "거래소")] {
            #expect(try run([keys(key)]).last.lines[0].hasPrefix("hoga " + title))
        }
        #expect(model.heldAssetStates.filter { $0 }.count == 2)
        #expect(model.heldAssetStates.last == false)
    }

    @Test("Enter on 입출금 opens the coin's market; Esc returns, then leads to the list")
    func opening() throws {
        let opened = try run([keys("2"), keys("j\n")])
        #expect(opened.state.detail?.market.name == "ETH_KRW")
        let back = try run([keys("2"), keys("j\n"), .keys([.escape])])
        #expect(back.last.lines[0].hasPrefix("hoga 입출금"))
        #expect(back.last.lines[4].hasPrefix("›"))
        let list = try run([keys("2"), .keys([.escape])])
        #expect(list.last.lines[0].hasPrefix("hoga 거래소"))
    }

    @Test("A favorite appears once saved, in list and detail")
    func star() throws {
        #expect(try run([keys("f")]).last.lines.contains { $0.hasPrefix("›★코인0 ") })
        #expect(model.performed == [.addFavorite("C0_KRW")])
        let detail = try run([keys("\n")])
        #expect(detail.last.lines[0].hasPrefix("★ 비트코인"))
    }

    @Test("A refused favorite is a red line and no star")
    func refusedStar() throws {
        model.refuse(StoreFailure(.full, "the disk is full"))
        let result = try run([keys("f")])
        #expect(result.last.lines[23].hasPrefix("저장 안 됨: 디스크 공간 부족"))
        #expect(!result.last.lines.contains { $0.contains("★") })
        // The next key removes the line.
        #expect(try run([keys("f"), keys("j")]).last.lines[23].hasPrefix("Enter"))
    }

    @Test("A favorite that cannot move explains why until the next key")
    func unseenMove() throws {
        let unpinned = try run([keys("f"), keys("F"), keys("J")])
        #expect(unpinned.last.lines[23].hasPrefix("관심 탭이나 고정된 관심에서만"))
        #expect(try run([keys("F"), keys("J"), keys("k")]).last.lines[23].hasPrefix("Enter"))
        let search = try run([keys("/C0"), .keys([.escape]), keys("J")])
        #expect(search.last.lines[23].hasPrefix("검색 중에는 순서를"))
    }

    @Test("A holding that cannot be traded says so")
    func halted() throws {
        #expect(try run([keys("3")]).last.lines.contains { $0.contains("거래중단 OLD") })
    }

    @Test("A holding is entered, corrected after a refusal and saved")
    func holding() throws {
        let result = try run([keys("3"), keys("aeth\n1e400\n")])
        #expect(result.last.lines.contains { $0.contains("수량: 숫자가 아닙니다") })
        #expect(model.performed.isEmpty)
        let kept = try run([
            keys("3"), keys("aeth\n1x"), .keys([.backspace]), keys("\n5000\n"),
        ])
        #expect(kept.state.form == nil)
        #expect(
            model.performed == [
                .putHolding(
                    Holding(
                        asset: PageSamples.asset("ETH"),
                        quantity: FixedDecimal(1),
                        averagePrice: FixedDecimal(5_000)
                    )
                )
            ]
        )
    }

    @Test("A new user is asked nothing; the first keys act on the list and are saved")
    func session() throws {
        model.keep(
            UserState(
                user: .local,
                record: UserRecord(name: "local"),
                status: .ready,
                sequence: 9
            )
        )
        let state = ScreenState(given: SettingsPatch())
        let result = try run(state: state, [keys("1600F")])
        #expect(result.state.form == nil)
        #expect(result.state.page == .market)
        var patch = SettingsPatch()
        patch.pinFavorites = false
        #expect(
            model.performed == [.changeSettings(patch, expecting: nil)]
        )
        let again = try run(state: state, [])
        #expect(again.state.form == nil)
        #expect(!again.state.list.pinsFavorites)
    }

    @Test("L is kept: the next session opens a market with the layout")
    func layout() throws {
        var opening = ScreenOpening()
        opening.market = "ETH_KRW"
        let state = ScreenState(given: SettingsPatch(), opening: opening)
        var patch = SettingsPatch()
        patch.marketLayout = .chartAndBook
        _ = try run(state: state, [keys("L")])
        #expect(model.performed == [.changeSettings(patch, expecting: nil)])
        let again = try run(state: state, [])
        #expect(again.state.focusedDetail?.view == DetailView(layout: .chartAndBook))
    }

    @Test("The help scrolls to its end on a low screen")
    func help() throws {
        let down = ScriptedScreen.Step.keys(Array(repeating: .down, count: 60))
        let result = try run(rows: 12, [keys("?"), .pass(.zero), down])
        #expect(result.last.lines[10].hasPrefix("유 경"))
        #expect(try run(rows: 12, [keys("?"), down, .keys([.up])]).last.lines[10].hasPrefix("…"))
    }
}
