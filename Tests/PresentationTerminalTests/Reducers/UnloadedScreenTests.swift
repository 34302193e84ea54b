import Domain
import TestSupport
import Testing
import ViewStates

@testable import PresentationTerminal

@Suite("Unloaded user data cannot be changed, and keys explain why")
struct UnloadedScreenTests {
    private typealias Samples = UserScreenSamples
    private static let away = StoreFailure(.unavailable, "away")
    private static let revoked = StoreFailure(.unauthorized, "revoked")

    private static let asking: [ScreenAction] = [
        .portfolio(.add), .portfolio(.edit), .portfolio(.remove), .portfolio(.editCash),
        .toggleFavorite,
    ]

    @Test(
        "No form opens, no favorite changes, and the bottom line says why",
        arguments: [
            (StoreStatus.opening, ScreenNotice.unread), (.waiting(away), .unread),
            (.waiting(revoked), .closed), (.failing(revoked), .closed),
        ]
    )
    func unread(status: StoreStatus, notice: ScreenNotice) {
        for action in Self.asking {
            var state = action == .toggleFavorite ? Samples.screen() : Samples.portfolio()
            _ = ScreenReducer.reduce(&state, .personal(Samples.facts(status: status)))
            #expect(ScreenReducer.reduce(&state, action).isEmpty)
            #expect(state.form == nil)
            #expect(state.notice == notice)
        }
    }

    @Test("Previously loaded data can be changed while the store fails")
    func failing() {
        var state = Samples.portfolio()
        _ = ScreenReducer.reduce(&state, .personal(Samples.facts(status: .failing(Self.away))))
        _ = ScreenReducer.reduce(&state, .portfolio(.add))
        #expect(state.form?.purpose == .addHolding)
    }

    @Test("A read-only token opens no form")
    func readingOnly() {
        var state = ScreenState(given: SettingsPatch())
        let user = UserState(
            user: .tokenOwner,
            record: UserRecord(name: "local"),
            status: .ready,
            allowsChanges: false,
            sequence: 1
        )
        _ = ScreenReducer.reduce(&state, .personal(UserStateUpdate(user)))
        #expect(state.form == nil)
        _ = ScreenReducer.reduce(&state, .show(.portfolio))
        _ = ScreenReducer.reduce(&state, .portfolio(.add))
        #expect(state.form == nil)
        #expect(state.notice == .readingOnly)
    }
}

@Suite("Time clears errors of a recovered store and reports a slow one")
struct StoreTimeTests {
    private typealias Samples = UserScreenSamples
    private static let busy = StoreFailure(.busy, "busy")

    private func pass(_ state: inout ScreenState, _ seconds: Int, call: UInt64? = nil) {
        let now = Samples.now.advanced(by: .seconds(seconds))
        #expect(ScreenReducer.reduce(&state, .passed(now: now, pendingCall: call)).isEmpty)
    }

    private func refuse(_ state: inout ScreenState, _ change: UserChange) {
        let refusal = RejectedChange(change: change, failure: Self.busy, number: 1)
        let facts = Samples.facts(status: .failing(Self.busy), refusal: refusal)
        _ = ScreenReducer.reduce(&state, .personal(facts))
        let ready = Samples.facts(refusal: refusal)
        pass(&state, 0)
        pass(&state, 60)
        #expect(state.refusal != nil || state.form?.failure != nil, "the store still fails")
        _ = ScreenReducer.reduce(&state, .personal(ready))
    }

    @Test("A refusal clears once the store is ready and read")
    func refusal() {
        var state = Samples.screen()
        refuse(&state, .addFavorite("BTC_KRW"))
        pass(&state, 61)
        #expect(state.refusal == nil)

        state = Samples.screen()
        let refusal = RejectedChange(
            change: .addFavorite("BTC_KRW"),
            failure: Self.busy,
            number: 1
        )
        _ = ScreenReducer.reduce(&state, .personal(Samples.facts(refusal: refusal)))
        for second in 0..<4 {
            pass(&state, second)
            #expect(state.refusal == refusal)
        }
        pass(&state, 4)
        #expect(state.refusal == nil)
    }

    @Test("A rule violation stays until the next key")
    func rule() {
        var state = Samples.screen()
        let refusal = RejectedChange(
            change: .addFavorite("BTC_KRW"),
            failure: StoreFailure(.refused, "1,000 favorites are the most"),
            number: 1
        )
        _ = ScreenReducer.reduce(&state, .personal(Samples.facts(refusal: refusal)))
        for second in [0, 4, 400] { pass(&state, second) }
        #expect(state.refusal == refusal)
    }

    @Test("A refused form says that the store recovered until the next key")
    func form() throws {
        var state = Samples.portfolio()
        _ = ScreenReducer.reduce(&state, .portfolio(.editCash))
        state.fill(.type("5"), .submit)
        refuse(&state, .putCash(FixedDecimal(5)))
        #expect(state.form?.failure == Self.busy)
        pass(&state, 61)
        #expect(state.form?.failure == nil)
        #expect(state.form?.hasStoreRecovered == true)
        #expect(state.fill(.submit) == [.perform(.putCash(FixedDecimal(5)))])
        #expect(state.form?.hasStoreRecovered == false)
    }

    @Test("A call unanswered for two seconds is reported, each call anew")
    func slow() {
        var state = Samples.screen()
        for (second, call, isSlow) in [
            (0, 1, false), (1, 1, false), (2, 1, true), (9, 1, true), (10, 2, false),
            (11, 2, false), (12, 2, true),
        ] as [(Int, UInt64, Bool)] {
            pass(&state, second, call: call)
            #expect(state.isStoreSlow == isSlow, "second \(second)")
        }
        pass(&state, 13)
        #expect(!state.isStoreSlow)
    }
}
