import Domain

@testable import PresentationTerminal

/// Something that a layout shows of a market, counted where more of it can be shown.
enum DetailFact: Hashable, CaseIterable {
    case price, levels, quantities, bars, change, cumulative, totals, keyFigures, strength
    case trades, tradeSide, tradeQuantity, tradeTime, tradeAmount
    case spreadHour, depthCurve, depthPrices
    case candles, chartRows, chartFigures, averages, volume, times, axis
}

extension MarketDetailLayout {
    /// Figures as wide as those of 비트코인.
    private static let priceColumns = 11
    private static let quantityColumns = 8
    private static let amountColumns = 10

    /// The facts of all visible panes, with their numbers.
    var facts: [DetailFact: Int] {
        var facts: [DetailFact: Int] = [.price: price == nil ? 0 : 1]
        for pane in visible {
            let more =
                switch pane {
                case .book: bookFacts(areTradesElsewhere: visible.contains(.trades))
                case .chart: chartFacts
                case .trades: tradesFacts
                }
            facts.merge(more) { max($0, $1) }
        }
        return facts.filter { $1 > 0 }
    }

    /// Columns of the book's figures at these widths.
    var bookColumns: BookColumns {
        BookColumns(
            columns: area(.book).columns,
            price: Self.priceColumns,
            quantity: Self.quantityColumns,
            cumulative: Self.amountColumns
        )
    }

    private func bookFacts(areTradesElsewhere: Bool) -> [DetailFact: Int] {
        let layout = BookLayout(area(.book))
        let columns = bookColumns
        let rows = layout.levels.count
        let (above, below) = ((rows - 1) / 2, rows - 1 - (rows - 1) / 2)
        var facts: [DetailFact: Int] = [
            .levels: rows, .quantities: columns.quantity, .bars: columns.bar > 0 ? 1 : 0,
            .change: columns.change == nil ? 0 : 1, .cumulative: columns.cumulative ?? 0,
            .totals: layout.totals == nil ? 0 : 1,
        ]
        if columns.figures.count >= BookPane.factsColumnsMin, above > 0 {
            let (rolling, hasHeadings) = BookPane.rollingFigures(rows: above)
            let all = rolling + BookPane.todayFigures
            facts[.keyFigures] = hasHeadings ? all : min(above, all)
        }
        let room = columns.newest.count
        if room >= BookPane.cornerColumnsMin, below > 0 {
            let corner = BookCorner(rows: 0..<below, areTradesElsewhere: areTradesElsewhere)
            facts[.strength] = 1
            facts[.spreadHour] = corner.spread == nil ? 0 : 1
            facts[.depthCurve] = corner.curve.isEmpty ? 0 : 1
            let hasPrices = corner.curve.count > 1 && room > 2 * Self.priceColumns
            facts[.depthPrices] = hasPrices ? 1 : 0
            let needed = 2 + Self.priceColumns + 1 + Self.quantityColumns
            if room >= needed, !corner.trades.isEmpty {
                facts[.trades] = corner.trades.count
                facts[.tradeSide] = 1
                facts[.tradeQuantity] = 1
                if room >= needed + 9 { facts[.tradeTime] = 1 }
            }
        }
        return facts
    }

    private var tradesFacts: [DetailFact: Int] {
        let columns = TableColumns(
            widths: [8, 4, Self.priceColumns + 2, Self.quantityColumns, Self.amountColumns],
            wordCount: 2,
            leavingOut: TradesPane.leavingOut,
            room: area(.trades).columns
        ).columns.map { $0 == nil ? 0 : 1 }
        return [
            .trades: TradeTableLayout(area(.trades)).rows.count, .tradeTime: columns[0],
            .tradeSide: columns[1], .tradeQuantity: columns[3], .tradeAmount: columns[4],
        ]
    }

    private var chartFacts: [DetailFact: Int] {
        let area = area(.chart)
        let layout = ChartLayout(area: area, hasLegend: true, hasVolume: true, volumeRows: nil)
        let range = ChartScreenState.bucketsRange
        let buckets = min(max(Self.buckets(in: area), range.lowerBound), range.upperBound)
        let plot = layout.plotColumns(besideAxis: Self.axisColumns)
        return [
            .candles: buckets, .chartRows: area.rows.count,
            .chartFigures: layout.title == nil ? 0 : 1,
            .averages: layout.legend == nil ? 0 : 1, .volume: layout.divider == nil ? 0 : 1,
            .times: layout.times == nil ? 0 : 1, .axis: plot == area.columns ? 0 : 1,
        ]
    }
}
