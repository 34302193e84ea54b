import Domain
import ViewStates

@testable import PresentationTerminal

/// Documents written by hand, in the shapes that presenters make.
enum Samples {
    /// 2026-11-20 21:03:11 KST.
    static let now = SeoulTime.timestamp(
        year: 2026,
        month: 11,
        day: 20,
        hour: 21,
        minute: 3,
        second: 11
    )

    static func row(
        _ symbol: String,
        _ korean: String?,
        _ english: String? = nil,
        quote: String = "KRW",
        rank: Int? = nil,
        price: String? = nil,
        rate: String? = nil,
        amount: String? = nil,
        value: String? = nil
    ) -> MarketRowViewState {
        var row = MarketRowViewState(
            market: symbol + "_" + quote,
            symbol: symbol,
            quote: quote,
            name: .init(ko: korean, en: english),
            changePeriod: "24H",
            marks: MarksViewState(investmentWarning: nil, alerts: [], state: .trading),
            spokenText: ""
        )
        row.rank = rank
        row.priceText = price
        row.price = price.flatMap { try? FixedDecimal(parsing: $0.filter { $0 != "," }) }
        row.changeRateText = rate
        row.changeAmountText = amount
        row.tradeValueText = value
        row.priceDirection = rate.map {
            $0.hasPrefix("+") ? .up : ($0.hasPrefix("-") ? .down : .flat)
        }
        row.changeAt = rate == nil ? nil : now
        return row
    }

    /// Coins as they are, with figures that exercise every column.
    static let wonRows = [
        row(
            "BTC",
            "비트코인",
            "Bitcoin",
            rank: 1,
            price: "143,210,000",
            rate: "-1.34%",
            amount: "-1,945,000",
            value: "98,123백만"
        ),
        row(
            "XRP",
            "엑스알피 [리플]",
            "XRP",
            rank: 2,
            price: "3,412",
            rate: "+0.21%",
            amount: "+7",
            value: "61,020백만"
        ),
        row(
            "POL",
            "폴리곤 에코시스템 토큰",
            "POL (ex-MATIC)",
            rank: 3,
            price: "312.4",
            rate: "0.00%",
            amount: "0",
            value: "903,112원"
        ),
        row("ZZZ", nil, rank: nil, price: nil),
        row(
            "1INCH",
            "1인치",
            "1inch",
            rank: 4,
            price: "0.9159",
            rate: "+12.05%",
            amount: "+0.0985",
            value: "1,204백만"
        ),
    ]

    static let bitcoinRows: [MarketRowViewState] = {
        var ether = row(
            "ETH",
            "이더리움",
            "Ethereum",
            quote: "BTC",
            rank: 5,
            price: "0.03412000",
            rate: "+0.44%",
            amount: "+0.00015000",
            value: "12.345 BTC"
        )
        ether.priceKRW = try? FixedDecimal(parsing: "4886325.2")
        return [ether]
    }()

    static let reconnecting = ErrorViewState(
        code: "reconnecting",
        message: "재연결 중 (3차)",
        retryable: true,
        nextRetryAt: now.advanced(by: .seconds(4))
    )

    static func health(
        _ phase: HealthViewState.Phase = .ready,
        ageSeconds: Int64? = 0,
        error: ErrorViewState? = nil
    ) -> HealthViewState {
        HealthViewState(
            phase: phase,
            at: ageSeconds.map { now.advanced(by: .seconds(-$0)) },
            staleAfter: nil,
            origin: .stream,
            complete: true,
            error: error
        )
    }

    static func document(
        _ rows: [MarketRowViewState] = wonRows,
        feed: FeedLabel = .live,
        health: HealthViewState = health(),
        total: Int = 480,
        filtered: Int? = nil,
        period: String = "24H",
        emptyReason: MarketListViewState.EmptyReason? = nil
    ) -> MarketListDocument {
        MarketListDocument(
            revision: "k3v9x2-1842",
            asOf: now,
            source: SourceViewState(exchange: "bithumb", feed: feed, api: "1"),
            state: MarketListViewState(
                health: health,
                query: MarketListQueryViewState(
                    tab: "markets",
                    quote: "KRW",
                    changePeriod: period,
                    sort: "popularity",
                    sortDirection: "desc",
                    q: nil,
                    offset: 0,
                    limit: 1_000
                ),
                total: total,
                filtered: filtered ?? total,
                skipped: 0,
                missing: [],
                emptyReason: emptyReason,
                rows: rows
            )
        )
    }

    /// A screen in row order with the first row selected.
    static func state(
        _ rows: [MarketRowViewState] = wonRows,
        size: TerminalSize = TerminalSize(columns: 80, rows: 24)
    ) -> MarketListScreenState {
        var state = MarketListScreenState()
        state.order = rows.compactMap { MarketID(name: $0.market) }
        state.selected = state.order.first
        state.visibleRows = MarketListRenderer.visibleRows(in: size)
        state.orderedAt = now
        return state
    }

    static func frame(
        _ document: MarketListDocument = document(),
        state: MarketListScreenState? = nil,
        columns: Int = 80,
        rows: Int = 24,
        flashing: Set<String> = [],
        language: Language = .korean
    ) -> Frame {
        let size = TerminalSize(columns: columns, rows: rows)
        return MarketListRenderer.render(
            document: document,
            pinned: [],
            state: ScreenState(list: state ?? Samples.state(document.state.rows, size: size)),
            now: now,
            flashing: flashing,
            size: size,
            language: language
        )
    }
}
