import Domain
import ViewStates

@testable import PresentationTerminal

/// Facts of the sample rows that only wide lists show.
enum WideSamples {
    /// A list as wide as wanted, with the facts that its size shows.
    static func frame(
        columns: Int,
        rows: Int,
        tab: MarketListTab = .krw,
        period: ChangePeriod = .hours24,
        language: Language = .korean,
        change: (inout ScreenState) -> Void = { _ in }
    ) -> Frame {
        let size = TerminalSize(columns: columns, rows: rows)
        let shown: [MarketRowViewState] =
            switch tab {
            case .krw: Samples.wonRows
            case .btc: Samples.bitcoinRows
            case .popular, .favorites: Samples.bitcoinRows + Samples.wonRows
            }
        var state = ScreenState(list: Samples.state(shown, size: size))
        state.list.tab = tab
        state.list.period = period
        change(&state)
        return MarketListRenderer.render(
            document: Samples.document(shown, period: period.rawValue),
            pinned: [],
            wide: MarketListRenderer.wideRows(of: state.list, in: size).map { Self.rows(for: $0) },
            state: state,
            now: Samples.now,
            flashing: [],
            size: size,
            language: language
        )
    }

    /// The facts that a model would have.
    static func rows(for query: WideRowQuery) -> WideRows {
        func row(
            _ rates: [String?],
            _ high: String?,
            _ low: String?,
            _ line: [FixedDecimal?]?
        ) -> WideRowViewState {
            WideRowViewState(
                changes: zip(query.periods, rates).map { period, rate in
                    .init(
                        period: period,
                        rateText: rate,
                        direction: rate.map {
                            $0.hasPrefix("+") ? .up : ($0.hasPrefix("-") ? .down : .flat)
                        },
                        at: rate == nil ? nil : Samples.now,
                        noTrade: rate == "0.00%"
                    )
                },
                highText: query.hasDay ? high : nil,
                lowText: query.hasDay ? low : nil,
                line: query.hasDay ? line : nil
            )
        }
        let wave: [FixedDecimal?] = (0..<24).map {
            FixedDecimal(Int64(100 + [0, 3, 5, 2][$0 % 4]))
        }
        let rising: [FixedDecimal?] = (0..<24).map {
            $0 < 12 ? nil : FixedDecimal(Int64(3_300 + 10 * $0))
        }
        return WideRows(
            query,
            [
                "BTC_KRW": row(["-0.21%", "+0.48%"], "145,880,000", "142,900,000", wave),
                "XRP_KRW": row(["+1.10%", "-0.35%"], "3,430", "3,377", rising),
                "POL_KRW": row(["0.00%", nil], "312.4", "312.4", nil),
                "1INCH_KRW": row(["+0.31%", "+12.05%"], "0.9412", "0.8173", wave.reversed()),
                "ETH_BTC": row(["+0.05%", "-0.12%"], "0.03420000", "0.03395000", wave),
            ]
        )
    }
}
