import Domain
import ViewStates

/// The columns of the holdings.
enum PortfolioColumn: CaseIterable {
    case quantity, averagePrice, price, value, profit, rate, share, transfers

    /// The columns to drop, in order: the remaining ones always show a coin's value.
    static let removalOrder: [PortfolioColumn] = [
        .averagePrice, .price, .transfers, .quantity, .profit, .share, .rate,
    ]

    var heading: LocalizedText {
        switch self {
        case .quantity: PageStrings.quantity
        case .averagePrice: PageStrings.averagePrice
        case .price: PageStrings.price
        case .value: PageStrings.value
        case .profit: PageStrings.profit
        case .rate: PageStrings.rate
        case .share: PageStrings.share
        case .transfers: PageStrings.transfers
        }
    }
}

/// A row of the holdings as text.
struct PortfolioCells {
    let id: PortfolioScreenState.RowID
    let name: MarketRowViewState.Name
    let code: String
    /// The trading restriction; nil if tradable.
    let note: String?
    let texts: [PortfolioColumn: String]
    /// The sign of the profit: positive, negative or 0.
    let profitSign: Int
    let priceDirection: DirectionViewState?

    init?(_ row: PortfolioViewState.Row, note: String?) {
        guard let asset = Asset(symbol: row.asset) else { return nil }
        id = .asset(asset)
        name = row.name
        code = row.asset
        self.note = note
        var texts: [PortfolioColumn: String] = [:]
        // One's own quantity is no figure of a market: all of it, as it was typed in.
        texts[.quantity] = NumberText.grouped(row.quantity, fractionDigitsMin: 4)
        texts[.averagePrice] = row.averagePrice.map { NumberText.price($0, quote: .krw) }
        texts[.price] = row.price.map { price in
            [row.priceDirection.sign, NumberText.price(price, quote: .krw)].compactMap { $0 }
                .joined(separator: " ")
        }
        texts[.value] = row.valueText
        texts[.profit] = row.profitText
        texts[.rate] = row.profitRatePercent.map(NumberText.rate)
        texts[.share] = row.sharePercent.map(PortfolioCells.share)
        texts[.transfers] = row.deposit.mark + row.withdrawal.mark
        self.texts = texts
        profitSign = row.profit?.sign ?? 0
        priceDirection = row.priceDirection
    }

    init(_ cash: PortfolioViewState.Cash, language: Language) {
        id = .cash
        let word = PageStrings.cash[language]
        name = .init(ko: word, en: word)
        code = "KRW"
        note = nil
        var texts: [PortfolioColumn: String] = [:]
        texts[.share] = cash.sharePercent.map(Self.share)
        texts[.value] = cash.amountText
        // Columns that do not apply to cash are blank: `-` means unknown.
        for column in PortfolioColumn.allCases where column != .value && column != .share {
            texts[column] = ""
        }
        self.texts = texts
        profitSign = 0
        priceDirection = nil
    }

    private static func share(_ percent: FixedDecimal) -> String {
        NumberText.grouped(percent, fractionDigitsMin: 2) + "%"
    }
}

/// Places the columns of the holdings.
///
/// Figures are never truncated: a column fits the longest figure or is dropped.
struct PortfolioColumns {
    private static let markerColumns = 2
    private static let nameMin = 10
    private static let nameMax = 32

    /// A column, its line within a row, from 0, and its range.
    struct Place {
        let column: PortfolioColumn
        let line: Int
        let range: Range<Int>
    }

    private(set) var name: Range<Int>
    private(set) var places: [Place] = []

    init(_ rows: [PortfolioCells], width: Int, isFolded: Bool, language: Language) {
        self =
            isFolded
            ? Self(folded: rows, width: width, language: language)
            : Self(single: rows, width: width, language: language)
    }

    /// The dropped columns.
    var leftOut: [PortfolioColumn] {
        PortfolioColumn.allCases.filter { column in !places.contains { $0.column == column } }
    }

    /// Name and value in the first line; quantity, profit and return in the second, as far as they
    /// fit.
    private init(folded rows: [PortfolioCells], width: Int, language: Language) {
        func columns(_ column: PortfolioColumn) -> Int {
            rows.map { TextWidth.columns($0.texts[column] ?? "-") }.max() ?? 0
        }
        let start = Self.markerColumns
        let value = max(width - columns(.value), start)
        name = start..<max(value - 1, start)
        places = [Place(column: .value, line: 0, range: value..<max(width, value))]
        var end = width
        for column in [PortfolioColumn.rate, .profit] {
            let first = end - columns(column)
            guard first >= start else { return }
            places.append(Place(column: column, line: 1, range: first..<end))
            end = first - 1
        }
        let quantity = start..<(start + columns(.quantity))
        if quantity.upperBound <= end {
            places.append(Place(column: .quantity, line: 1, range: quantity))
        }
    }

    private init(single rows: [PortfolioCells], width: Int, language: Language) {
        var widths: [PortfolioColumn: Int] = [:]
        for column in PortfolioColumn.allCases {
            let heading = TextWidth.columns(column.heading[language])
            let longest = rows.map { TextWidth.columns($0.texts[column] ?? "-") }.max() ?? 0
            widths[column] = max(heading, longest)
        }
        let gap = width < 100 ? 1 : (width < 140 ? 2 : 3)
        var columns = PortfolioColumn.allCases
        // The restriction takes precedence at every width, then the symbol, then the name.
        let nameMin =
            rows.map { row in
                row.note.map { TextWidth.columns($0) + 1 + TextWidth.columns(row.code) } ?? 0
            }.reduce(Self.nameMin, max)
        func nameRoom() -> Int {
            columns.reduce(width - Self.markerColumns) { $0 - gap - (widths[$1] ?? 0) }
        }
        for column in PortfolioColumn.removalOrder where nameRoom() < nameMin {
            columns.removeAll { $0 == column }
        }
        let nameColumns = min(max(nameRoom(), 0), Self.nameMax)
        name = Self.markerColumns..<(Self.markerColumns + nameColumns)
        var start = name.upperBound + gap
        for column in columns {
            let range = start..<(start + (widths[column] ?? 0))
            places.append(Place(column: column, line: 0, range: range))
            start = range.upperBound + gap
        }
    }
}
