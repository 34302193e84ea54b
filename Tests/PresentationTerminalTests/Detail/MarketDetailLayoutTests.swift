import Domain
import TestSupport
import Testing

@testable import PresentationTerminal

@Suite("A market's layout: a bigger screen never shows less", .tags(.manyCases))
struct MarketDetailLayoutTests {
    private static let heights = Cases.widths(4...100)

    @Test(
        "Every fact of a size is shown with one column and with one row more",
        arguments: Cases.widths(20...300),
        DetailView.all
    )
    func growth(columns: Int, view: DetailView) {
        for rows in Self.heights {
            let facts = Self.layout(columns, rows, view).facts
            let wider = Self.layout(columns + 1, rows, view).facts
            let higher = Self.layout(columns, rows + 1, view).facts
            for (fact, count) in facts {
                #expect(wider[fact, default: 0] >= count, "\(fact) at \(columns) × \(rows), wider")
                #expect(
                    higher[fact, default: 0] >= count,
                    "\(fact) at \(columns) × \(rows), higher"
                )
            }
        }
    }

    @Test(
        "Panes lie side by side in the body, and no free rectangle is above 15 % of the screen",
        arguments: Cases.widths(20...300),
        DetailView.all
    )
    func cover(columns: Int, view: DetailView) {
        for rows in Self.heights {
            let layout = Self.layout(columns, rows, view)
            #expect(layout.visible.contains(view.focus))
            let body = ((layout.tabs ?? 1) + 1)..<(layout.bottom ?? rows)
            var used = 0
            for pane in layout.visible {
                let area = layout.area(pane)
                #expect(!area.isEmpty)
                #expect(area.clamped(to: FrameArea(rows: body, columns: 0..<columns)) == area)
                for other in layout.visible where other != pane {
                    #expect(area.clamped(to: layout.area(other)).isEmpty)
                }
                used +=
                    area.columns.count * (area.rows.count + (layout.titles[pane] == nil ? 0 : 1))
            }
            let line = layout.divider.map { $0.rows.count } ?? 0
            let free = columns * body.count - used - line
            #expect(free >= 0)
            #expect(free * 100 <= columns * rows * 15, "\(columns) × \(rows), \(view)")
        }
    }

    @Test("From 20 × 4 on the price and two rows of the focused pane are shown")
    func smallest() {
        for pane in DetailPane.allCases {
            let layout = Self.layout(20, 4, DetailView(focus: pane))
            #expect(layout.visible == [pane])
            #expect(layout.price == 1)
            #expect(layout.area(pane).rows.count == 2)
        }
    }

    @Test(
        "A focused chart has all columns, whichever panes are visible",
        arguments: Cases.widths(20...300)
    )
    func chart(columns: Int) {
        for rows in Self.heights {
            for layout in UserSettings.MarketLayout.allCases {
                let view = DetailView(focus: .chart, layout: layout)
                let area = Self.layout(columns, rows, view).area(.chart)
                #expect(area.columns == 0..<columns)
            }
        }
    }

    @Test("A layout shows its panes on a screen with room for all")
    func layouts() {
        func visible(_ view: DetailView) -> [DetailPane] { Self.layout(160, 45, view).visible }
        #expect(visible(DetailView()) == [.book, .chart, .trades])
        #expect(visible(DetailView(layout: .chartAndBook)) == [.book, .chart])
        #expect(visible(DetailView(focus: .trades, layout: .chartAndBook)) == [.chart, .trades])
        #expect(visible(DetailView(focus: .chart, layout: .chart)) == [.chart])
        for pane in DetailPane.allCases {
            #expect(visible(DetailView(focus: pane, isMaximized: true)) == [pane])
        }
    }

    private static func layout(
        _ columns: Int,
        _ rows: Int,
        _ view: DetailView
    )
        -> MarketDetailLayout
    {
        MarketDetailLayout(TerminalSize(columns: columns, rows: rows), view: view)
    }
}
