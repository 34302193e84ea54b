import Domain
import TestSupport
import Testing
import ViewStates

@testable import PresentationTerminal

@Suite("A form keeps its input until the store has saved it")
struct FormReducerTests {
    private typealias Samples = UserScreenSamples

    /// The form for another coin, with its fields filled in.
    private func adding(_ asset: String, _ quantity: String, _ price: String) -> ScreenState {
        var state = Samples.portfolio()
        _ = ScreenReducer.reduce(&state, .portfolio(.add))
        state.fill(.type(asset), .submit, .type(quantity), .submit, .type(price))
        return state
    }

    @Test("Three fields save a holding, close the form and select its row")
    func add() {
        var state = adding("xrp", "1,000.5", "")
        let holding = Holding(
            asset: Samples.asset("XRP"),
            quantity: FixedDecimal(units: FixedDecimal.unitsPerOne * 10_005 / 10),
            averagePrice: nil
        )
        #expect(state.fill(.submit) == [.perform(.putHolding(holding))])
        #expect(state.form?.isSaving == true)
        // While it is saved, keys change nothing.
        state.fill(.type("9"), .delete(.character), .submit)
        #expect(state.form?.fields.last?.text == "")
        let kept = Samples.record {
            $0.holdings = Revised($0.holdings.value + [holding], revision: 3)
        }
        _ = ScreenReducer.reduce(&state, .personal(Samples.facts(kept)))
        #expect(state.form == nil)
        state.open(.portfolio)
        _ = ScreenReducer.reduce(&state, .show(.market))
        state.open(.portfolio)
        #expect(state.portfolio.rows.selected == .asset(Samples.asset("XRP")))
    }

    @Test(
        "Invalid input is refused with field and reason, and kept",
        arguments: [
            ("", "1", "", ScreenForm.FieldName.asset, InputError.Reason.empty),
            ("비트", "1", "", .asset, .noAsset), ("XRP", "abc", "", .quantity, .notANumber),
            ("XRP", "1e400", "", .quantity, .notANumber), ("XRP", "0", "", .quantity, .zero),
            ("XRP", "-1", "", .quantity, .zero), ("XRP", "-x", "", .quantity, .notANumber),
            ("XRP", "1", "-0.5", .averagePrice, .negative),
            ("XRP", "1", "x", .averagePrice, .notANumber),
            (
                "XRP", "9999999999999999", "", .quantity,
                .tooLarge(UserInput.quantityMax)
            ), ("XRP", "0.1234567890123456789", "", .quantity, .tooManyDigits(18)),
        ]
    )
    func refused(
        asset: String,
        quantity: String,
        price: String,
        field: ScreenForm.FieldName,
        reason: InputError.Reason
    ) throws {
        var state = Samples.portfolio()
        _ = ScreenReducer.reduce(&state, .portfolio(.add))
        state.fill(.type(asset), .next, .type(quantity), .next, .type(price))
        #expect(state.fill(.submit).isEmpty)
        let form = try #require(state.form)
        #expect(form.refusal?.field == field)
        #expect(form.refusal?.refusal.reason == reason)
        #expect(form.fields[form.focus].name == field)
        #expect(form.fields.map(\.text) == [asset, quantity, price])
        state.fill(.type("1"))
        #expect(state.form?.refusal == nil)
    }

    @Test("A refused form keeps the reason and can be submitted again")
    func storeRefuses() throws {
        var state = adding("XRP", "5", "10")
        guard case .perform(let change)? = state.fill(.submit).first else {
            Issue.record("nothing was asked for")
            return
        }
        let failure = StoreFailure(.full, "the disk is full")
        let refusal = RejectedChange(change: change, failure: failure, number: 1)
        _ = ScreenReducer.reduce(&state, .personal(Samples.facts(refusal: refusal)))
        let form = try #require(state.form)
        #expect(form.failure == failure)
        #expect(!form.isSaving)
        #expect(state.refusal == nil)
        #expect(form.fields.map(\.text) == ["XRP", "5", "10"])
        #expect(state.fill(.submit) == [.perform(change)])
    }

    @Test("A held coin opens for editing with its values")
    func alreadyHeld() {
        var state = Samples.portfolio()
        _ = ScreenReducer.reduce(&state, .portfolio(.add))
        state.fill(.type("btc"), .submit)
        #expect(state.form?.purpose == .editHolding(Samples.asset("BTC")))
        #expect(state.form?.fields.map(\.text) == ["2", "120000000"])
    }

    @Test("Enter edits the selected row; unchanged values close the form")
    func edit() {
        var state = Samples.portfolio()
        _ = ScreenReducer.reduce(&state, .rows(.move(1)))
        _ = ScreenReducer.reduce(&state, .portfolio(.edit))
        #expect(state.form?.purpose == .editHolding(Samples.asset("ETH")))
        state.fill(.submit, .submit)
        #expect(state.form == nil)
        _ = ScreenReducer.reduce(&state, .rows(.moveToLast))
        _ = ScreenReducer.reduce(&state, .portfolio(.edit))
        #expect(state.form?.purpose == .cash)
        state.fill(.type("1,500,000"))
        #expect(state.fill(.submit) == [.perform(.putCash(FixedDecimal(1_500_000)))])
    }

    @Test("A confirmed coin is removed by identity")
    func remove() {
        var state = Samples.portfolio()
        _ = ScreenReducer.reduce(&state, .portfolio(.remove))
        let shown = PortfolioAction.shown(
            [.asset(Samples.asset("ETH")), .asset(Samples.asset("BTC")), .cash],
            visibleRows: 8,
            now: Samples.now.advanced(by: .seconds(30))
        )
        _ = ScreenReducer.reduce(&state, .portfolio(shown))
        #expect(state.fill(.submit) == [.perform(.removeHolding(Samples.asset("BTC")))])
        var other = Samples.portfolio()
        _ = ScreenReducer.reduce(&other, .portfolio(.remove))
        #expect(other.fill(.cancel).isEmpty)
        #expect(other.form == nil)
        _ = ScreenReducer.reduce(&other, .rows(.moveToLast))
        _ = ScreenReducer.reduce(&other, .portfolio(.remove))
        #expect(other.form == nil)
    }

    @Test("New data neither closes a form nor changes its input")
    func dataComes() {
        var state = adding("XRP", "5", "1")
        let form = state.form
        let other = Samples.record { $0.cash = Revised(FixedDecimal(1), revision: 1) }
        _ = ScreenReducer.reduce(&state, .personal(Samples.facts(other)))
        #expect(state.form == form)
    }

    @Test("Fields are bounded and contain no control characters")
    func bounds() {
        var state = Samples.portfolio()
        _ = ScreenReducer.reduce(&state, .portfolio(.add))
        state.fill(.type(String(repeating: "9", count: 60)))
        state.fill(.type("12345"))
        // Half of what was pasted would be another number.
        #expect(state.form?.fields[0].text == String(repeating: "9", count: 60))
        #expect(state.form?.refusal?.field == .asset)
        #expect(state.form?.refusal?.refusal.reason == .tooLong(64))
        state.fill(.type("1234"))
        #expect(state.form?.refusal == nil)
        #expect(state.form?.fields[0].text == String(repeating: "9", count: 60) + "1234")
        let marks = "a" + String(repeating: "\u{301}", count: 500)
        state.fill(.next, .type(marks))
        #expect(state.form?.fields[1].text.isEmpty == true)
    }

    @Test(
        "Pasted lines are not joined, and parts of a number are invalid",
        arguments: [
            ("1000\n2000", "1000 2000", InputError.Reason.notANumber),
            ("BTC\n0.5\n1000", "BTC 0.5 1000", .notANumber),
            ("1\r\n2", "1  2", .notANumber), ("1\t000", "1 000", .notANumber),
            ("1\u{2028}2", "1 2", .notANumber), ("1000\n", "1000 ", nil),
            ("\u{200B}7\u{0}", "7 ", nil),
        ] as [(String, String, InputError.Reason?)]
    )
    func lineEnds(pasted: String, text: String, reason: InputError.Reason?) {
        var state = Samples.portfolio()
        _ = ScreenReducer.reduce(&state, .portfolio(.editCash))
        state.fill(.type(pasted))
        #expect(state.form?.fields[0].text == text)
        state.fill(.submit)
        #expect(state.form?.refusal?.refusal.reason == reason)
        #expect(state.form?.isSaving == (reason == nil))
    }

    @Test("Won with decimals are refused with the reason, whole won are saved")
    func wonDecimals() {
        var state = Samples.portfolio()
        _ = ScreenReducer.reduce(&state, .portfolio(.editCash))
        state.fill(.delete(.all), .type("1,000.5"))
        #expect(state.fill(.submit).isEmpty)
        let refusal = state.form?.refusal
        #expect(refusal?.refusal.reason == .wonDecimals)
        let texts = refusal.map { FormStrings.refusals($0, .korean) }
        #expect(texts == ["현금(원): 원은 소수점 없이 입력합니다"])
        state.fill(.delete(.character), .delete(.character))
        #expect(state.fill(.submit) == [.perform(.putCash(FixedDecimal(1_000)))])
    }

    @Test("A form that is being saved can be closed, and its change still applies")
    func closedWhileSaving() {
        var state = adding("XRP", "5", "10")
        state.fill(.submit)
        #expect(state.fill(.cancel).isEmpty)
        #expect(state.form == nil)
    }
}

@Suite("A session continues with the stored settings and asks a new user nothing")
struct SessionStartTests {
    private typealias Samples = UserScreenSamples

    private func started(
        _ record: UserRecord,
        given: SettingsPatch = SettingsPatch(),
        status: StoreStatus = .ready
    ) -> ScreenState {
        var state = ScreenState(given: given)
        _ = ScreenReducer.reduce(&state, .personal(Samples.facts(record, status: status)))
        return state
    }

    private static let settings: UserSettings = {
        var settings = UserSettings()
        settings.sort = .name
        settings.sortDirection = .ascending
        settings.quote = .btc
        settings.pinFavorites = false
        settings.changePeriod = .hour1
        settings.interval = .minutes5
        settings.chartStyle = .line
        settings.averages = [20]
        settings.depth = 7
        settings.marketLayout = .chart
        return settings
    }()

    @Test("Stored settings apply to the list and the first detail")
    func takesOver() {
        var state = started(Samples.record { $0.settings = Revised(Self.settings, revision: 4) })
        #expect(state.settings(over: UserSettings()) == Self.settings)
        #expect(state.list.tab == .btc)
        _ = ScreenReducer.reduce(&state, .open("X_KRW"))
        #expect(state.detail?.chart.interval == .minutes5)
        #expect(state.detail?.chart.style == .line)
        #expect(state.detail?.chart.averages == [20])
        #expect(state.detail?.bookDepth == 7)
        // The focus is on a pane of the layout.
        #expect(state.detail?.view == DetailView(focus: .chart, layout: .chart))
    }

    @Test("Settings given for the session override stored ones and are not saved")
    func given() {
        var given = SettingsPatch()
        given.changePeriod = .minutes30
        let record = Samples.record { $0.settings = Revised(Self.settings, revision: 4) }
        var state = started(record, given: given)
        #expect(state.list.period == .minutes30)
        var patch = SettingsPatch()
        patch.sortDirection = .descending
        #expect(
            ScreenReducer.reduce(&state, .list(.reverseSort)).last
                == .perform(.changeSettings(patch, expecting: nil))
        )
    }

    @Test("Each change is saved once, with only its fields")
    func handsOver() {
        var state = started(Samples.record())
        var patch = SettingsPatch()
        patch.quote = .btc
        #expect(
            ScreenReducer.reduce(&state, .list(.nextTab))
                == [.reorder, .perform(.changeSettings(patch, expecting: nil))]
        )
        #expect(ScreenReducer.reduce(&state, .rows(.move(1))).isEmpty)
        _ = ScreenReducer.reduce(&state, .open("X_KRW"))
        patch = SettingsPatch()
        patch.interval = .hours12
        #expect(
            ScreenReducer.reduce(&state, .detail(.shorterInterval)).last
                == .perform(.changeSettings(patch, expecting: nil))
        )
        patch = SettingsPatch()
        patch.pinFavorites = false
        #expect(
            ScreenReducer.reduce(&state, .togglePinned)
                == [.perform(.changeSettings(patch, expecting: nil))]
        )
    }

    @Test("L saves the layout, z does not")
    func layouts() {
        var state = started(Samples.record())
        _ = ScreenReducer.reduce(&state, .open("X_KRW"))
        for layout in [.chartAndBook, .chart, .all] as [UserSettings.MarketLayout] {
            var patch = SettingsPatch()
            patch.marketLayout = layout
            #expect(
                ScreenReducer.reduce(&state, .detail(.nextLayout)).last
                    == .perform(.changeSettings(patch, expecting: nil))
            )
            for _ in 0..<2 {
                let effects = ScreenReducer.reduce(&state, .detail(.toggleMaximized))
                #expect(effects.allSatisfy { if case .perform = $0 { false } else { true } })
            }
        }
    }

    @Test("Before the store is read nothing is saved, and user actions persist")
    func slowStore() {
        var state = started(Samples.record(), status: .opening)
        #expect(ScreenReducer.reduce(&state, .list(.nextTab)) == [.reorder])
        let record = Samples.record { $0.settings = Revised(Self.settings, revision: 4) }
        let effects = ScreenReducer.reduce(&state, .personal(Samples.facts(record)))
        #expect(state.list.tab == .btc)
        #expect(state.list.sort == .popularity)
        #expect(effects.count == 1)
    }

    @Test(
        "A new user is asked nothing: the list opens",
        arguments: [
            StoreStatus.ready, .volatile(StoreFailure(.unavailable, "none")),
            .failing(StoreFailure(.busy, "busy")),
        ]
    )
    func newUser(status: StoreStatus) {
        let state = started(UserRecord(name: "local"), status: status)
        #expect(state.form == nil)
        #expect(state.page == .market)
    }
}

@Suite("The display name is edited on 보유자산")
struct DisplayNameFormTests {
    private typealias Samples = UserScreenSamples

    private func editing(_ name: String?) -> ScreenState {
        var state = Samples.portfolio()
        let record = Samples.record {
            $0.profile = Revised(UserProfile(name: "local", displayName: name), revision: 1)
        }
        _ = ScreenReducer.reduce(&state, .personal(Samples.facts(record)))
        _ = ScreenReducer.reduce(&state, .portfolio(.editName))
        return state
    }

    @Test("A new name is saved and closes the form once the store has it")
    func entered() {
        var state = editing(nil)
        #expect(state.form?.fields.map(\.text) == [""])
        #expect(state.fill(.type(" 혜진 "), .submit) == [.perform(.putDisplayName("혜진"))])
        #expect(state.form?.isSaving ?? false)
        let record = Samples.record {
            $0.profile = Revised(UserProfile(name: "local", displayName: "혜진"), revision: 2)
        }
        _ = ScreenReducer.reduce(&state, .personal(Samples.facts(record)))
        #expect(state.form == nil)
    }

    @Test("The saved name is filled in; an emptied field removes it")
    func removed() {
        var state = editing("혜진")
        #expect(state.form?.fields.map(\.text) == ["혜진"])
        #expect(state.fill(.delete(.all), .submit) == [.perform(.putDisplayName(nil))])
    }

    @Test("A name that is too long is refused with the reason")
    func refused() {
        var state = editing(nil)
        let name = String(repeating: "가", count: UserInput.displayNameMax + 1)
        #expect(state.fill(.type(name), .submit).isEmpty)
        #expect(state.form?.refusal?.refusal.reason == .tooLong(UserInput.displayNameMax))
    }
}
