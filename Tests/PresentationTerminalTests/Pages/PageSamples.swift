import Domain
import TestSupport

@testable import PresentationTerminal
@testable import ViewStates

/// Documents of the pages beside the list, written by hand in the shapes that presenters make.
enum PageSamples {
    static let source = SourceViewState(exchange: "bithumb", feed: .live, api: "1")

    // MARK: Deposits and withdrawals

    static func coin(
        _ symbol: String,
        _ korean: String?,
        _ english: String?,
        _ deposit: TransferViewState?,
        _ withdrawal: TransferViewState?
    ) -> AssetsViewState.Row {
        AssetsViewState.Row(
            asset: symbol,
            name: .init(ko: korean, en: english),
            deposit: deposit,
            withdrawal: withdrawal,
            depositText: word(deposit),
            withdrawalText: word(withdrawal),
            spokenText: ""
        )
    }

    private static func word(_ state: TransferViewState?) -> String {
        switch state {
        case .normal: "정상"
        case .suspended: "중단"
        case nil: "-"
        }
    }

    static let coins = [
        coin("BTC", "비트코인", "Bitcoin", .normal, .normal),
        coin("ETH", "이더리움", "Ethereum", .normal, .suspended),
        coin("POL", "폴리곤 에코시스템 토큰", "POL (ex-MATIC)", .suspended, .suspended),
        coin("ZZZ", nil, nil, nil, nil),
    ]

    static func assets(
        _ rows: [AssetsViewState.Row] = coins,
        health: HealthViewState = Samples.health(),
        feed: FeedLabel = .live
    ) -> AssetsDocument {
        AssetsDocument(
            revision: "k3v9x2-12",
            asOf: Samples.now,
            source: SourceViewState(exchange: "bithumb", feed: feed, api: "1"),
            state: AssetsViewState(
                health: health,
                query: .init(state: "all", q: nil, sort: "name", sortDirection: "asc"),
                counts: .init(all: 480, normal: 468, suspended: 12),
                rows: rows
            )
        )
    }

    // MARK: Holdings

    static func holding(
        _ symbol: String,
        _ korean: String?,
        quantity: String,
        average: String?,
        price: String?,
        value: String?,
        profit: String?,
        rate: String?,
        share: String,
        _ deposit: TransferViewState? = .normal,
        _ withdrawal: TransferViewState? = .normal
    ) -> PortfolioViewState.Row {
        var row = PortfolioViewState.Row(
            asset: symbol,
            name: .init(ko: korean, en: nil),
            quantity: DetailSamples.decimal(quantity)
        )
        row.averagePrice = average.map(DetailSamples.decimal)
        row.price = price.map(DetailSamples.decimal)
        row.valueText = value
        row.profitText = profit
        row.profit = profit.map { DetailSamples.decimal($0.filter { $0 != "," && $0 != "+" }) }
        row.profitRatePercent = rate.map(DetailSamples.decimal)
        row.sharePercent = DetailSamples.decimal(share)
        row.deposit = deposit
        row.withdrawal = withdrawal
        return row
    }

    static let holdings = [
        holding(
            "BTC",
            "비트코인",
            quantity: "0.05",
            average: "120000000",
            price: "143210000",
            value: "7,160,500",
            profit: "+1,160,500",
            rate: "19.34",
            share: "73.21"
        ),
        holding(
            "XRP",
            "엑스알피 [리플]",
            quantity: "300",
            average: "3500.5",
            price: "3412",
            value: "1,023,600",
            profit: "-26,550",
            rate: "-2.53",
            share: "10.47",
            .normal,
            .suspended
        ),
        holding(
            "OLD",
            nil,
            quantity: "12.5",
            average: nil,
            price: nil,
            value: nil,
            profit: nil,
            rate: nil,
            share: "0",
            nil,
            nil
        ),
    ]

    static func portfolio(
        _ rows: [PortfolioViewState.Row] = holdings,
        health: HealthViewState = Samples.health(),
        displayName: String? = "혜진",
        cash: String? = "1,596,000",
        cashShare: String = "16.32",
        unvalued: [String] = ["OLD"]
    ) -> PortfolioDocument {
        var totals = PortfolioViewState.Totals()
        totals.valueText = "9,780,100"
        totals.profit = FixedDecimal(1_133_950)
        totals.profitRatePercent = DetailSamples.decimal("16.09")
        return PortfolioDocument(
            revision: "k3v9x2-13",
            asOf: Samples.now,
            source: source,
            state: PortfolioViewState(
                health: health,
                user: .init(name: "local", displayName: displayName),
                cash: .init(
                    amount: cash.map { DetailSamples.decimal($0.filter { $0 != "," }) },
                    amountText: cash,
                    sharePercent: DetailSamples.decimal(cashShare)
                ),
                rows: rows,
                totals: totals,
                unvalued: unvalued
            )
        )
    }

    // MARK: The program

    static func about() -> AboutViewState {
        AboutViewState(
            version: "0.3.0",
            commit: "0a1b2c3",
            installation: "build",
            limits: ["favorites": 1_000],
            licenses: [
                .init(
                    name: "libcurl",
                    version: "7.88.1",
                    license: "curl",
                    text: "Copyright Daniel Stenberg; curl.se/docs/copyright.html"
                )
            ],
            authors: ["The hoga authors"],
            notice: "빗썸 공개 시세이며 투자 권유가 아닙니다."
        )
    }

    // MARK: User data

    /// A user after the first start, with two favorites and two coins.
    static func personal(
        status: StoreStatus = .ready,
        refusal: RejectedChange? = nil,
        sequence: UInt64 = 1,
        _ change: (inout UserRecord) -> Void = { _ in }
    ) -> UserState {
        var record = UserRecord(name: "local")
        record.profile = Revised(UserProfile(name: "local", displayName: "혜진"), revision: 1)
        change(&record)
        return UserState(
            user: .local,
            record: record,
            status: status,
            refusal: refusal,
            sequence: sequence
        )
    }

    static func asset(_ symbol: String) -> Asset {
        Asset(of: MarketID(stringLiteral: symbol + "_KRW"))
    }

    static let held = [
        Holding(
            asset: asset("BTC"),
            quantity: DetailSamples.decimal("0.05"),
            averagePrice: FixedDecimal(120_000_000)
        ),
        Holding(
            asset: asset("XRP"),
            quantity: FixedDecimal(300),
            averagePrice: DetailSamples.decimal("3500.5")
        ),
    ]

    // MARK: Frames

    /// A page as the loop draws it, after some actions.
    static func screen(
        _ page: ScreenPage,
        columns: Int = 80,
        rows: Int = 24,
        record: (inout UserRecord) -> Void = {
            $0.holdings = Revised(held, revision: 2)
            $0.alerts = Revised(AlertSamples.alerts, revision: 5)
        },
        _ actions: ScreenAction...
    ) -> ScreenState {
        let size = TerminalSize(columns: columns, rows: rows)
        var state = ScreenState(list: Samples.state(size: size))
        let room = MarketDetailRenderer.room(in: size)
        let visible = MarketListRenderer.visibleRows(in: size)
        let start: [ScreenAction] = [
            .resize(visibleRows: visible, room: room),
            .personal(UserStateUpdate(personal(record))), .show(page),
        ]
        for action in start + [ScreenAction.rows(.moveToFirst)] + actions {
            show(&state, size)
            _ = ScreenReducer.reduce(&state, action)
        }
        show(&state, size)
        return state
    }

    /// Applies what the next frame will show.
    static func show(
        _ state: inout ScreenState,
        _ size: TerminalSize,
        assets: AssetsDocument = assets(),
        portfolio: PortfolioDocument = portfolio()
    ) {
        let about = MoreRenderer.extent(
            of: about(),
            look: state.look,
            size: size,
            language: .korean
        )
        let help = Panel.helpExtent(
            over: state,
            size: size,
            keys: .screens,
            language: .korean
        )
        let actions: [ScreenAction] = [
            .assets(
                .shown(
                    assets.state.rows.compactMap { Asset(symbol: $0.asset) },
                    visibleRows: AssetsRenderer.visibleRows(in: size, state),
                    now: Samples.now
                )
            ),
            .portfolio(
                .shown(
                    PortfolioRenderer.order(of: portfolio),
                    visibleRows: PortfolioRenderer.visibleRows(in: size, state, portfolio),
                    now: Samples.now
                )
            ),
            .more(.shown(lines: about.lines, rows: about.rows)),
            .alerts(
                .shown(
                    visibleRows: AlertsRenderer.visibleRows(in: size, state, nil),
                    isRead: state.visibility == .shown,
                    now: Samples.now
                )
            ),
            .helpShown(lines: help.lines, rows: help.rows),
        ]
        for action in actions { _ = ScreenReducer.reduce(&state, action) }
    }

    static func frame(
        _ state: ScreenState,
        assets: AssetsDocument = assets(),
        portfolio: PortfolioDocument = portfolio(),
        halted: Set<Asset> = [],
        columns: Int = 80,
        rows: Int = 24,
        language: Language = .korean
    ) -> Frame {
        let size = TerminalSize(columns: columns, rows: rows)
        var state = state
        show(&state, size, assets: assets, portfolio: portfolio)
        let now = Samples.now
        switch state.page {
        case .market:
            return MarketListRenderer.render(
                document: Samples.document(),
                pinned: [],
                state: state,
                now: now,
                flashing: [],
                size: size,
                language: language
            )
        case .assets:
            return AssetsRenderer.render(
                document: assets,
                state: state,
                now: now,
                size: size,
                language: language
            )
        case .portfolio:
            return PortfolioRenderer.render(
                document: portfolio,
                halted: halted,
                state: state,
                now: now,
                flashing: [],
                size: size,
                language: language
            )
        case .alerts:
            return AlertsRenderer.render(
                failure: nil,
                state: state,
                now: now,
                size: size,
                language: language
            )
        case .more:
            return MoreRenderer.render(
                about: about(),
                state: state,
                now: now,
                size: size,
                language: language
            )
        }
    }
}
