import Domain
@testable import PresentationTerminal
import TestSupport
import Testing
import ViewStates

@Suite("A star is asked for by identity and shown when it is kept")
struct FavoritesReducerTests {
    private typealias Samples = UserScreenSamples
    private static let order = ScreenSample.order

    /// A screen whose user has starred some of the markets.
    private func screen(_ favorites: [MarketID]) -> ScreenState {
        Samples.screen(Samples.record { $0.favorites = Revised(favorites, revision: 5) })
    }

    /// The state after the store has told of favourites.
    private func told(
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

    @Test("f stars the marked market, and takes the star away; nothing is shown before it is kept")
    func toggling() {
        var state = screen([])
        #expect(
            ScreenReducer.reduce(&state, .toggleFavorite)
                == [.perform(.addFavorite(Self.order[1]))]
        )
        #expect(state.list.favorites.isEmpty)
        state = told(state, [Self.order[1]], revision: 6)
        #expect(state.list.favorites == [Self.order[1]])
        #expect(
            ScreenReducer.reduce(&state, .toggleFavorite)
                == [.perform(.removeFavorite(Self.order[1]))]
        )
    }

    @Test("f twice before the store has answered is a star and its removal")
    func twice() {
        var state = screen([])
        _ = ScreenReducer.reduce(&state, .toggleFavorite)
        let second = ScreenReducer.reduce(&state, .toggleFavorite)
        #expect(second == [.perform(.removeFavorite(Self.order[1]))])
        state = told(state, [Self.order[1]], revision: 6)
        // The first is kept, the second still to come: a third key stars again.
        #expect(
            ScreenReducer.reduce(&state, .toggleFavorite)
                == [.perform(.addFavorite(Self.order[1]))]
        )
    }

    @Test("In a detail f is about the open market; on other screens about none")
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

    @Test("A star that was refused is not shown, the reason is, and the next key asks again")
    func refused() {
        var state = screen([])
        _ = ScreenReducer.reduce(&state, .toggleFavorite)
        let refusal = RejectedChange(
            change: .addFavorite(Self.order[1]),
            failure: StoreFailure(.full, "the disk is full"),
            number: 1
        )
        state = told(state, [], revision: 5, refusal: refusal)
        #expect(state.refusal == refusal)
        #expect(state.list.favorites.isEmpty)
        #expect(
            ScreenReducer.reduce(&state, .toggleFavorite)
                == [.perform(.addFavorite(Self.order[1]))]
        )
        #expect(state.refusal == nil)
        // The same refusal told once more is no news; another one is.
        state = told(state, [], revision: 5, refusal: refusal)
        #expect(state.refusal == nil)
    }

    @Test("The marked favourite moves among the others; twice in a row is two places")
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

    @Test("A favourite is not moved where its order is not seen, and the reason is said once")
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

    @Test("The favourites' own tab has the user's order, then every sort key, then that again")
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
        "The block above the list has at most a third of the rows with its rule",
        arguments: [
            (3, 0), (5, 0), (6, 1), (9, 2), (20, 5), (56, 8),
        ]
    )
    func pinned(rows: Int, count: Int) {
        var state = screen(Self.order)
        _ = ScreenReducer.reduce(&state, .resize(visibleRows: rows, room: PaneSizes()))
        #expect(state.list.pinned.count == count)
        #expect(state.list.visibleRows == rows - (count == 0 ? 0 : count + 1))
        #expect(count == 0 || (count + 1) * 3 <= rows)
        _ = ScreenReducer.reduce(&state, .togglePinned)
        #expect(state.list.pinned.isEmpty)
        #expect(state.list.visibleRows == rows)
    }

    @Test("There is no block in the favourites' own tab, nor over a search")
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

    @Test("The favourites' tab is ordered anew as soon as another is kept")
    func reordering() {
        var state = screen([Self.order[0]])
        let record = Samples.record { $0.favorites = Revised(Self.order, revision: 9) }
        #expect(ScreenReducer.reduce(&state, .personal(Samples.facts(record))).isEmpty)
        for _ in 0..<3 { _ = ScreenReducer.reduce(&state, .list(.nextTab)) }
        let less = Samples.record { $0.favorites = Revised([], revision: 10) }
        #expect(ScreenReducer.reduce(&state, .personal(Samples.facts(less))) == [.reorder])
    }
}
