import Domain
import TestSupport
import Testing
import ViewStates

@testable import PresentationTerminal

@Suite("A favorite is changed by identity and shown once saved")
struct FavoritesReducerTests {
    private typealias Samples = UserScreenSamples
    private static let order = ScreenSample.order

    /// A screen whose user has starred some of the markets.
    private func screen(_ favorites: [MarketID]) -> ScreenState {
        Samples.screen(Samples.record { $0.favorites = Revised(favorites, revision: 5) })
    }

    /// The state after the store has provided favorites.
    private func updated(
        _ state: ScreenState,
        _ favorites: [MarketID],
        revision: Int64,
        refusal: RejectedChange? = nil
    ) -> ScreenState {
        var state = state
        let record = Samples.record { $0.favorites = Revised(favorites, revision: revision) }
        _ = ScreenReducer.reduce(&state, .personal(Samples.facts(record, refusal: refusal)))
        return state
    }

    @Test("f adds or removes the selected market; the list changes once saved")
    func toggling() {
        var state = screen([])
        #expect(
            ScreenReducer.reduce(&state, .toggleFavorite)
                == [.perform(.addFavorite(Self.order[1]))]
        )
        #expect(state.list.favorites.isEmpty)
        state = updated(state, [Self.order[1]], revision: 6)
        #expect(state.list.favorites == [Self.order[1]])
        #expect(
            ScreenReducer.reduce(&state, .toggleFavorite)
                == [.perform(.removeFavorite(Self.order[1]))]
        )
    }

    @Test("f twice before the store answers adds and removes")
    func twice() {
        var state = screen([])
        _ = ScreenReducer.reduce(&state, .toggleFavorite)
        let second = ScreenReducer.reduce(&state, .toggleFavorite)
        #expect(second == [.perform(.removeFavorite(Self.order[1]))])
        state = updated(state, [Self.order[1]], revision: 6)
        // The first change is saved, the second pending: a third key adds again.
        #expect(
            ScreenReducer.reduce(&state, .toggleFavorite)
                == [.perform(.addFavorite(Self.order[1]))]
        )
    }

    @Test("In a detail f applies to the open market; on other screens to none")
    func elsewhere() {
        var state = screen([])
        _ = ScreenReducer.reduce(&state, .open("X_BTC"))
        #expect(
            ScreenReducer.reduce(&state, .toggleFavorite) == [.perform(.addFavorite("X_BTC"))]
        )
        _ = ScreenReducer.reduce(&state, .detail(.dismiss))
        state.open(.assets)
        #expect(ScreenReducer.reduce(&state, .toggleFavorite).isEmpty)
    }

    @Test("A refused favorite shows the reason, and the next key retries")
    func refused() {
        var state = screen([])
        _ = ScreenReducer.reduce(&state, .toggleFavorite)
        let refusal = RejectedChange(
            change: .addFavorite(Self.order[1]),
            failure: StoreFailure(.full, "the disk is full"),
            number: 1
        )
        state = updated(state, [], revision: 5, refusal: refusal)
        #expect(state.refusal == refusal)
        #expect(state.list.favorites.isEmpty)
        #expect(
            ScreenReducer.reduce(&state, .toggleFavorite)
                == [.perform(.addFavorite(Self.order[1]))]
        )
        #expect(state.refusal == nil)
        // A repeated refusal has no effect; a new one has.
        state = updated(state, [], revision: 5, refusal: refusal)
        #expect(state.refusal == nil)
    }

    @Test("The selected favorite moves; two keys move two positions")
    func moving() {
        var state = screen(Array(Self.order[0...3]))
        #expect(
            ScreenReducer.reduce(&state, .moveFavorite(1))
                == [.perform(.moveFavorite(Self.order[1], to: 2))]
        )
        #expect(
            ScreenReducer.reduce(&state, .moveFavorite(1))
                == [.perform(.moveFavorite(Self.order[1], to: 3))]
        )
        #expect(ScreenReducer.reduce(&state, .moveFavorite(1)).isEmpty)
        #expect(
            ScreenReducer.reduce(&state, .moveFavorite(.min))
                == [.perform(.moveFavorite(Self.order[1], to: 0))]
        )
        var other = screen([Self.order[5]])
        #expect(ScreenReducer.reduce(&other, .moveFavorite(1)).isEmpty)
    }

    @Test("A favorite does not move while its order is hidden, and says why")
    func movingUnseen() {
        var state = screen(Array(Self.order[0...3]))
        _ = ScreenReducer.reduce(&state, .togglePinned)
        #expect(ScreenReducer.reduce(&state, .moveFavorite(1)).isEmpty)
        #expect(state.notice == .favoritesUnseen)
        for _ in 0..<3 { _ = ScreenReducer.reduce(&state, .list(.nextTab)) }
        #expect(state.notice == nil)
        _ = ScreenReducer.reduce(
            &state,
            .list(.ordered(Array(Self.order[0...3]), now: Samples.now))
        )
        _ = ScreenReducer.reduce(&state, .list(.moveToFirst))
        _ = ScreenReducer.reduce(&state, .list(.beginSearch))
        _ = ScreenReducer.reduce(&state, .list(.typeSearch("K")))
        _ = ScreenReducer.reduce(
            &state,
            .list(.ordered(Array(Self.order[0...1]), now: Samples.now))
        )
        #expect(ScreenReducer.reduce(&state, .moveFavorite(1)).isEmpty)
        #expect(state.notice == .searchHidesFavorites)
        _ = ScreenReducer.reduce(&state, .list(.dismiss))
        _ = ScreenReducer.reduce(&state, .list(.dismiss))
        _ = ScreenReducer.reduce(
            &state,
            .list(.ordered(Array(Self.order[0...3]), now: Samples.now))
        )
        #expect(
            ScreenReducer.reduce(&state, .moveFavorite(1)).contains(
                .perform(.moveFavorite(Self.order[0], to: 1))
            )
        )
    }

    @Test("The favorites tab cycles from the user's order through every sort key")
    func sorting() {
        var state = screen([Self.order[1], Self.order[0]])
        for _ in 0..<3 { _ = ScreenReducer.reduce(&state, .list(.nextTab)) }
        #expect(state.list.tab == .favorites)
        #expect(state.list.query(language: .korean).sort == nil)
        #expect(ScreenReducer.reduce(&state, .list(.reverseSort)).isEmpty)
        let (sort, direction) = (state.list.sort, state.list.direction)
        for key in MarketSortKey.allCases {
            _ = ScreenReducer.reduce(&state, .list(.nextSort))
            #expect(state.list.query(language: .korean).sort == key)
            #expect(state.list.directionInForce == key.naturalDirection)
        }
        // To move one, the order that is moved must be seen.
        _ = ScreenReducer.reduce(&state, .list(.ordered([Self.order[1]], now: Samples.now)))
        #expect(ScreenReducer.reduce(&state, .moveFavorite(1)).contains(.reorder))
        #expect(state.list.sortInForce == nil)
        #expect(state.list.sort == sort && state.list.direction == direction)
    }

    @Test(
        "The pinned block with its rule takes at most a third of the rows",
        arguments: [
            (3, 0), (5, 0), (6, 1), (9, 2), (20, 5), (56, 8),
        ]
    )
    func pinned(rows: Int, count: Int) {
        var state = screen(Self.order)
        _ = ScreenReducer.reduce(&state, .resize(visibleRows: rows, room: DetailRoom()))
        #expect(state.list.pinned.count == count)
        #expect(state.list.visibleRows == rows - (count == 0 ? 0 : count + 1))
        #expect(count == 0 || (count + 1) * 3 <= rows)
        _ = ScreenReducer.reduce(&state, .togglePinned)
        #expect(state.list.pinned.isEmpty)
        #expect(state.list.visibleRows == rows)
    }

    @Test("The favorites tab and a search have no pinned block")
    func noBlock() {
        var state = screen(Self.order)
        #expect(state.list.pinnedState?.order == Array(Self.order[0...1]))
        _ = ScreenReducer.reduce(&state, .list(.beginSearch))
        #expect(state.list.pinnedState == nil)
        #expect(state.list.visibleRows == 9)
        _ = ScreenReducer.reduce(&state, .list(.dismiss))
        #expect(state.list.visibleRows == 6)
        for _ in 0..<3 { _ = ScreenReducer.reduce(&state, .list(.nextTab)) }
        #expect(state.list.pinnedState == nil)
    }

    @Test("The favorites tab reorders when a favorite is saved")
    func reordering() {
        var state = screen([Self.order[0]])
        let record = Samples.record { $0.favorites = Revised(Self.order, revision: 9) }
        #expect(ScreenReducer.reduce(&state, .personal(Samples.facts(record))).isEmpty)
        for _ in 0..<3 { _ = ScreenReducer.reduce(&state, .list(.nextTab)) }
        let less = Samples.record { $0.favorites = Revised([], revision: 10) }
        #expect(ScreenReducer.reduce(&state, .personal(Samples.facts(less))) == [.reorder])
    }
}
