import Domain
import TestSupport
import Testing
import ViewStates

@testable import PresentationTerminal

@Suite("The spread, its last hour and the depth curve")
struct BookSpreadTests {
    /// An hour whose spread narrowed from 0.12 to 0.08 basis points, with a gap after ten minutes.
    private static let hour: SpreadHourViewState = {
        let minutes = (0..<60).map { minute -> FixedDecimal? in
            let thousandths = Int128(120 - minute * 40 / 59)
            return (10..<15).contains(minute)
                ? nil : FixedDecimal(units: thousandths * FixedDecimal.unitsPerOne / 1_000)
        }
        let mean = DetailSamples.decimal("0.098")
        let hour = SpreadHour(minutes: minutes, mean: mean, known: .seconds(55 * 60))
        return SpreadHourViewState(hour, spread: DetailSamples.decimal("0.07"))
    }()

    private static func state(hour: SpreadHourViewState? = hour) -> MarketDetailViewState {
        var state = DetailSamples.state()
        state.orderBook.spreadHour = hour
        return state
    }

    private static func frame(
        columns: Int,
        rows: Int,
        language: Language = .korean,
        actions: [MarketDetailAction] = []
    ) -> Frame {
        DetailSamples.frame(
            state(),
            columns: columns,
            rows: rows,
            language: language,
            actions: actions
        )
    }

    @Test("120 × 36: the trades beside the book leave room for the last hour and the curve")
    func wide() {
        expectPart(
            Self.frame(columns: 120, rows: 36),
            rows: 24..<35,
            columns: 0..<73,
            """
            ───── 호가차 1,000 · 0.07bp < 55분 평균 0.10bp · 중간 143,210,500 ──────│
            체결강도 92.17%          ▶143,210,000◀  -0.65% 0.0421 ▉           0.0421│
            0.08–0.12bp ▇▆ ▅▅▄▃▃▂▂▂▁  143,209,000   -0.65% 0.1738 ███▊        0.2159│
            7.3125  누적잔량  7.3125  143,208,000   -0.65% 0.3055 ██████▋     0.5214│
            █▃▁                  ▁▃█  143,207,000   -0.65% 0.4372 █████████▍  0.9586│
            ███▁▁              ▁▁███  143,206,000   -0.65% 0.1489 ███▎        1.1075│
            █████▄▁▁        ▁▁▄█████  143,205,000   -0.65% 0.2806 ██████      1.3881│
            ████████▁      ▁████████  143,204,000   -0.65% 0.4123 ████████▉   1.8004│
            █████████▃▁▁▁▁▃█████████  143,203,000   -0.66% 0.1240 ██▋         1.9244│
            143,202,000  143,219,000  143,202,000   -0.66% 0.2557 █████▌      2.1801│
            매도잔량 7.3125 34.51%              % 전일대비    매수잔량 7.3125 65.49%│
            """
        )
    }

    @Test("160 × 45, maximized: below the newest trades")
    func maximized() {
        expectPart(
            Self.frame(columns: 160, rows: 45, actions: [.toggleMaximized]),
            rows: 22..<44,
            columns: 0..<84,
            """
            ───────────────────────────────────────────────── 호가차 1,000 · 0.07bp < 55분 평균
            체결강도 92.17%                                                      ▶143,210,000◀
            21:03:11 B 143,210,000                                        0.0012  143,209,000
            21:03:10 S 143,211,000                                        0.0012  143,208,000
            21:03:09 B 143,212,000                                        0.0012  143,207,000
            21:03:08 S 143,210,000                                        0.0012  143,206,000
            21:03:07 B 143,211,000                                        0.0012  143,205,000
            21:03:06 S 143,212,000                                        0.0012  143,204,000
            21:03:05 B 143,210,000                                        0.0012  143,203,000
            21:03:04 S 143,211,000                                        0.0012  143,202,000
            21:03:03 B 143,212,000                                        0.0012  143,201,000
            호가차 0.08–0.12bp ██▇▇▇▇▇▇▆    ▆▆▅▅▅▅▅▅▅▄▄▄▄▄▄▃▃▃▃▃▃▃▂▂▂▂▂▂▂▂▂▂▂▂▂▁  143,200,000
            7.3125                        누적잔량                        7.3125  143,199,000
            █▄▁▁▁▁                                                        ▁▁▁▁▄█  143,198,000
            ██████▄▄▂▂▁▁                                            ▁▁▂▂▄▄██████  143,197,000
            ████████████▄▁▁                                      ▁▁▄████████████  143,196,000
            █████████████████▃▃                              ▃▃█████████████████  143,195,000
            █████████████████████▆▆▁                    ▁▆▆█████████████████████  143,194,000
            ████████████████████████▆▆▄▄            ▄▄▆▆████████████████████████  143,193,000
            ████████████████████████████▆▆▂▂▁▁▁▁▂▂▆▆████████████████████████████  143,192,000
            143,192,000                                              143,229,000
            매도잔량 7.3125 34.51%                                                          % 전
            """
        )
    }

    @Test("160 × 45, English: chart, book and trades")
    func english() {
        expectPart(
            Self.frame(columns: 160, rows: 45, language: .english),
            rows: 33..<44,
            columns: 0..<84,
            """
            ──────────────────── spread 1,000 · 0.07bp < 55m mean 0.10bp · mid 143,210,500 ─────
            Strength 92.17%                        ▶143,210,000◀  -0.65% 0.0421 ██▏
            0.08–0.12bp █▇▇▆  ▆▅▅▅▅▄▄▃▃▃▃▂▂▂▂▂▂▁    143,209,000   -0.65% 0.1738 ████████▉
            7.3125          depth           7.3125  143,208,000   -0.65% 0.3055 ███████████████▉
            █▃▃▁▁                            ▁▁▃▃█  143,207,000   -0.65% 0.4372 ████████████████
            █████▁▁                        ▁▁█████  143,206,000   -0.65% 0.1489 ███████▋
            ███████▄▄▁▁▁              ▁▁▁▄▄███████  143,205,000   -0.65% 0.2806 ██████████████▍
            ████████████▁▁          ▁▁████████████  143,204,000   -0.65% 0.4123 ████████████████
            ██████████████▃▃▁▁  ▁▁▃▃██████████████  143,203,000   -0.66% 0.1240 ██████▎
            143,202,000                143,219,000  143,202,000   -0.66% 0.2557 █████████████▎
            Ask total 7.3125 34.51%                     % vs prev. close                 Bid tot
            """
        )
    }

    @Test("A wider book adds figures to the rule and drops none", arguments: ["<", "="])
    func rule(mark: String) {
        var hour = Self.hour
        hour.trend = mark == "<" ? .down : .flat
        var shown: Set<String> = []
        for columns in 1...140 {
            let line = DetailSamples.frame(
                Self.state(hour: hour),
                columns: columns,
                rows: 24,
                actions: [.toggleMaximized]
            ).lines[12]
            let parts = Set(
                ["호가차", "1,000", "중간 143,210,500", "0.07bp", "\(mark) 55분 평균 0.10bp"]
                    .filter(line.contains)
            )
            #expect(parts.isSuperset(of: shown), "\(columns): \(line)")
            shown = parts
        }
        #expect(shown.count == 5)
    }

    @Test("A whole hour is named, and an unknown one is a dash")
    func length() {
        var hour = Self.hour
        hour.minutesKnown = 60
        let whole = DetailSamples.frame(Self.state(hour: hour), columns: 120, rows: 36)
        #expect(whole.row(of: "1시간 평균 0.10bp") != nil)
        let unknown = DetailSamples.frame(Self.state(hour: nil), columns: 120, rows: 36)
        #expect(unknown.row(of: "호가차 -") != nil)
        #expect(unknown.row(of: "호가차 1,000 · 0.07bp · 중간 143,210,500") != nil)
        hour.meanText = nil
        let young = DetailSamples.frame(Self.state(hour: hour), columns: 120, rows: 36)
        #expect(young.row(of: "평균") == nil)
    }

    @Test("The corner keeps nine trades before it shares its rows, and never shows fewer")
    func corner() {
        var last = BookCorner(rows: 0..<0, areTradesElsewhere: false)
        for count in 1...60 {
            let corner = BookCorner(rows: 5..<(5 + count), areTradesElsewhere: false)
            #expect(corner.strength == 5)
            #expect(corner.trades.count >= min(count - 1, 9))
            #expect(corner.trades.count >= last.trades.count)
            #expect(corner.curve.count >= last.curve.count)
            #expect(corner.spread != nil || last.spread == nil)
            let rows = 1 + corner.trades.count + (corner.spread == nil ? 0 : 1) + corner.curve.count
            #expect(rows == count, "no row is twice used or free")
            let alone = BookCorner(rows: 5..<(5 + count), areTradesElsewhere: true)
            #expect(alone.trades.isEmpty && alone.curve.count == max(count - 2, 0))
            last = corner
        }
    }

    @Test("The list of days leaves the newest trades in the book")
    func days() {
        let frame = Self.frame(columns: 120, rows: 36, actions: [.toggleDays])
        #expect(frame.row(of: "누적잔량") == nil)
        #expect(frame.lines.contains { $0.hasPrefix("B 143,210,000") })
    }
}

@Suite("The depth curve")
struct DepthCurveTests {
    /// A book of prices and cumulative quantities, best first.
    private static func book(
        asks: [(Int64, Int64)],
        bids: [(Int64, Int64)]
    ) -> OrderBookViewState {
        var book = DetailSamples.book(asks: asks.count, bids: bids.count)
        func set(_ levels: inout [OrderBookViewState.Level], _ figures: [(Int64, Int64)]) {
            for (index, figure) in figures.enumerated() {
                levels[index].price = FixedDecimal(figure.0)
                levels[index].priceText = "\(figure.0)"
                levels[index].cumulative = FixedDecimal(figure.1)
            }
        }
        set(&book.asks, asks)
        set(&book.bids, bids)
        book.totals.askQuantity = book.asks.last?.cumulative ?? .zero
        book.totals.bidQuantity = book.bids.last?.cumulative ?? .zero
        return book
    }

    private static func frame(
        _ book: OrderBookViewState,
        columns: Int,
        rows: Int
    ) -> Frame {
        var frame = Frame(size: TerminalSize(columns: columns, rows: rows))
        DepthCurve(book: book, emphasis: [], language: .korean)
            .draw(rows: 0..<rows, columns: 0..<columns, in: &frame)
        return frame
    }

    /// Ten prices a side, a won apart; the asks are twice as many.
    private static let even = book(
        asks: (1...10).map { (100 + $0, $0 * 16) },
        bids: (1...10).map { (101 - $0, $0 * 8) }
    )

    @Test("Bids fall to the middle, asks rise from it, on one scale")
    func shape() {
        expectLines(
            Self.frame(Self.even, columns: 20, rows: 4),
            """
            80.0000     160.0000
                           ▁▃▄▆█
            █▇▆▅▄▄▃▂▁▁▁▃▄▆██████
            91               110
            """
        )
        let frame = Self.frame(Self.even, columns: 20, rows: 4)
        #expect(frame.style(row: 2, column: 0) == CellStyle(.bar, on: .bid))
        #expect(frame.style(row: 2, column: 19) == CellStyle(.bar, on: .ask))
    }

    @Test("Fewer rows leave out quantities, then prices")
    func low() {
        expectLines(
            Self.frame(Self.even, columns: 20, rows: 2),
            """
            ▄▃▃▂▂▂▁▁▁▁▁▁▂▃▄▄▅▆▇█
            91               110
            """
        )
        expectLines(
            Self.frame(Self.even, columns: 20, rows: 1),
            """
            ▄▃▃▂▂▂▁▁▁▁▁▁▂▃▄▄▅▆▇█
            """
        )
    }

    @Test("ASCII keeps sides and heights apart")
    func ascii() {
        expectLines(
            Self.frame(Self.even, columns: 20, rows: 6).inASCII,
            """
            80.0000     160.0000
                             _##
                           =####
            ###=_       _#######
            ########=_=#########
            91               110
            """
        )
    }

    @Test("One side alone, single levels and crossing sides are drawn without overlap")
    func rare() {
        let books = [
            Self.book(asks: [(101, 3)], bids: [(100, 5)]), Self.book(asks: [], bids: [(100, 5)]),
            Self.book(asks: [(101, 1), (105, 9)], bids: []),
            Self.book(asks: [(99, 1), (105, 9)], bids: [(101, 2), (90, 4)]),
        ]
        for book in books {
            for columns in 1...40 {
                for rows in 1...6 {
                    let frame = Self.frame(book, columns: columns, rows: rows)
                    let row = rows == 1 ? 0 : rows - 2
                    let sides = (0..<columns)
                        .map { frame.style(row: row, column: $0).background }
                        .filter { $0 != .standard }
                    // All bids are at the left of all asks.
                    let asks = sides.drop { $0 == .bid }
                    #expect(asks.allSatisfy { $0 == .ask })
                    #expect(frame.lines.allSatisfy { TextWidth.columns($0) == columns })
                }
            }
        }
    }
}

@Suite("Figures with gaps become one row of eighth blocks")
struct GappedSparklineTests {
    private func line(_ figures: [Int64?], columns: Range<Int>) -> String {
        var frame = Frame(size: TerminalSize(columns: 12, rows: 1))
        Sparkline.draw(
            figures.map { $0.map { FixedDecimal($0) } },
            row: 0,
            columns: columns,
            comparesWithFirst: false,
            into: &frame
        )
        return frame.lines[0]
    }

    @Test(
        "An unknown figure is blank, and groups show their newest known one",
        arguments: [
            ([], ""), ([nil, nil], ""), ([7], "▄"), ([1, nil, 8], "▁ █"),
            ([1, 2, 3, 4, 5, 6, 7, 8], "▁▂▃▄▅▆▇█"), ([nil, 5, nil], " ▄"),
        ] as [([Int64?], String)]
    )
    func shapes(figures: [Int64?], text: String) {
        let line = line(figures, columns: 1..<11)
        #expect(line == (" " + text).padding(to: 12))
    }

    @Test("More figures than columns: each column shows the newest known one of its group")
    func groups() {
        #expect(line([1, 8, 1, nil, nil, nil], columns: 0..<3) == "█▁ ".padding(to: 12))
    }
}

extension String {
    fileprivate func padding(to columns: Int) -> String {
        self + String(repeating: " ", count: max(columns - count, 0))
    }
}
