import Domain
import TestSupport
import ViewStates

@testable import PresentationTerminal

/// Screens of a user with stored data.
enum UserScreenSamples {
    static let now = DetailScreenSamples.now

    static func asset(_ symbol: String) -> Asset {
        Asset(of: MarketID(stringLiteral: symbol + "_KRW"))
    }

    /// Two coins and a name.
    static func record(_ change: (inout UserRecord) -> Void = { _ in }) -> UserRecord {
        var record = UserRecord(name: "local")
        record.profile = Revised(UserProfile(name: "local", displayName: "혜진"), revision: 1)
        record.holdings = Revised(
            [
                Holding(
                    asset: asset("BTC"),
                    quantity: FixedDecimal(2),
                    averagePrice: FixedDecimal(120_000_000)
                ), Holding(asset: asset("ETH"), quantity: FixedDecimal(3), averagePrice: nil),
            ],
            revision: 2
        )
        change(&record)
        return record
    }

    static func facts(
        _ record: UserRecord = record(),
        status: StoreStatus = .ready,
        refusal: RejectedChange? = nil
    ) -> UserStateUpdate {
        UserStateUpdate(
            UserState(
                user: .local,
                record: record,
                status: status,
                refusal: refusal,
                sequence: 1
            )
        )
    }

    /// The list of ``ScreenSample`` on a screen of nine rows, with user data.
    static func screen(_ record: UserRecord = record()) -> ScreenState {
        var state = ScreenState(list: ScreenSample.list.state)
        let actions: [ScreenAction] = [
            .resize(visibleRows: 9, room: DetailRoom(DetailScreenSamples.room)),
            .personal(facts(record)),
        ]
        for action in actions { _ = ScreenReducer.reduce(&state, action) }
        return state
    }

    /// The holdings with the first row selected.
    static func portfolio() -> ScreenState {
        var state = screen()
        state.open(.portfolio)
        return state
    }
}

extension ScreenState {
    /// Opens a page and applies its rows.
    mutating func open(_ page: ScreenPage) {
        _ = ScreenReducer.reduce(&self, .show(page))
        showAssets(["BTC", "ETH", "XRP"], after: .zero)
        let rows: [PortfolioScreenState.RowID] =
            (personal?.record.holdings.value ?? []).map { .asset($0.asset) } + [.cash]
        let shown = PortfolioAction.shown(rows, visibleRows: 8, now: UserScreenSamples.now)
        _ = ScreenReducer.reduce(&self, .portfolio(shown))
    }

    /// Applies the rows of deposits and withdrawals.
    mutating func showAssets(
        _ symbols: [String],
        after elapsed: Duration,
        visibleRows: Int = 8
    ) {
        let shown = AssetsAction.shown(
            symbols.map(UserScreenSamples.asset),
            visibleRows: visibleRows,
            now: UserScreenSamples.now.advanced(by: elapsed)
        )
        _ = ScreenReducer.reduce(&self, .assets(shown))
    }

    /// Applies actions of the list of deposits and withdrawals.
    ///
    /// - Returns: all effects.
    @discardableResult
    mutating func browse(_ actions: AssetsAction...) -> [ScreenEffect] {
        actions.flatMap { ScreenReducer.reduce(&self, .assets($0)) }
    }

    /// Applies actions of the open form.
    ///
    /// - Returns: all effects.
    @discardableResult
    mutating func fill(_ actions: FormAction...) -> [ScreenEffect] {
        actions.flatMap { ScreenReducer.reduce(&self, .form($0)) }
    }
}
