import Domain
import ViewStates

/// Places the columns of the list for a width and its rows.
///
/// Figures are never truncated: their columns fit the longest figure, and the name gets the rest.
/// Columns that do not fit are dropped: amount, trade value, rate, then rank. Columns that are not
/// essential never take room from a name. Below 60 columns a row has two lines.
struct MarketListColumns {
    /// Below this width a row is folded into two lines.
    static let fullWidth = MarketListLayout.singleLineColumnsMin
    /// The minimum width for the won price of BTC markets.
    static let wonWidth = 90
    /// The minimum width for the name in the other language, and for changes over more periods.
    static let wideWidth = 120
    /// The minimum width for high, low and the line of the day.
    static let dayWidth = 140
    /// A name column wider than this only moves the figures away from their names.
    static let nameMax = 36
    /// The minimum name width beside a won price.
    private static let foldedNameMin = 12
    /// The selection marker and a space.
    static let markerColumns = 2

    /// The rank by popularity, or the place in the current order.
    private(set) var rank: Range<Int>?
    private(set) var name: Range<Int>
    private(set) var otherName: Range<Int>?
    private(set) var price: Range<Int>
    private(set) var wonPrice: Range<Int>?
    private(set) var rate: Range<Int>?
    private(set) var amount: Range<Int>?
    /// The changes over other periods; none or all of them.
    private(set) var otherRates: [Range<Int>] = []
    private(set) var high: Range<Int>?
    private(set) var low: Range<Int>?
    private(set) var tradeValue: Range<Int>?
    /// The prices of the last 24 hours.
    private(set) var line: Range<Int>?

    init(
        width: Int,
        widths: FigureWidths,
        tab: MarketListTab,
        rowHeight: Int,
        hasOtherNames: Bool
    ) {
        self =
            rowHeight > 1
            ? Self(folded: width, widths, tab)
            : Self(
                FittingColumns(width: width, widths, tab, hasOtherNames: hasOtherNames),
                widths
            )
    }

    private init(_ fitting: FittingColumns, _ widths: FigureWidths) {
        var column = Self.markerColumns
        func place(_ columns: Int) -> Range<Int> {
            defer { column += columns + fitting.gap }
            return column..<(column + columns)
        }
        if fitting.rankColumns > 0 {
            rank = column..<(column + fitting.rankColumns - 1)
            column += fitting.rankColumns
        }
        name = place(min(max(fitting.nameRoom, 0), Self.nameMax))
        otherName = fitting.hasOtherName ? place(FittingColumns.otherNameColumns) : nil
        price = place(widths.price)
        wonPrice = fitting.hasWonPrice ? place(widths.wonPrice) : nil
        rate = fitting.hasRate ? place(widths.rate) : nil
        amount = fitting.hasAmount ? place(widths.amount) : nil
        if fitting.hasOtherRates { otherRates = widths.otherRates.map { place($0) } }
        high = fitting.hasRange ? place(widths.high) : nil
        low = fitting.hasRange ? place(widths.low) : nil
        tradeValue = fitting.hasTradeValue ? place(widths.tradeValue) : nil
        line = fitting.lineColumns > 0 ? place(fitting.lineColumns) : nil
    }

    /// Rank, name and price in the first line; trade value, amount and rate in the second.
    ///
    /// Unusually long figures drop the amount, then the trade value; below 40 columns the rank is
    /// dropped for the name.
    private init(folded width: Int, _ widths: FigureWidths, _ tab: MarketListTab) {
        let priceStart = max(width - widths.price, 0)
        price = priceStart..<(priceStart + widths.price)
        var nameEnd = max(priceStart - 1, Self.markerColumns)
        let wonColumns = widths.wonPrice + 1
        let rankColumns = tab == .popular ? widths.rank + 1 : 0
        let hasRoom = nameEnd - wonColumns - rankColumns - Self.markerColumns >= Self.foldedNameMin
        if widths.hasWonPrice, hasRoom {
            wonPrice = (nameEnd - widths.wonPrice)..<nameEnd
            nameEnd -= wonColumns
        }
        var nameStart = Self.markerColumns
        if rankColumns > 0, nameEnd - nameStart - rankColumns >= 6 {
            rank = nameStart..<(nameStart + rankColumns - 1)
            nameStart += rankColumns
        }
        name = nameStart..<nameEnd
        let rateStart = max(width - widths.rate, 0)
        if rateStart >= Self.markerColumns { rate = rateStart..<(rateStart + widths.rate) }
        let gap = width >= 48 ? 2 : 1
        var room = rateStart - gap - Self.markerColumns
        if room >= widths.tradeValue {
            tradeValue = Self.markerColumns..<(Self.markerColumns + widths.tradeValue)
            room -= widths.tradeValue + gap
        }
        if room >= widths.amount {
            amount = (rateStart - gap - widths.amount)..<(rateStart - gap)
        }
    }
}

/// Which columns of one-line rows fit a width.
private struct FittingColumns {
    static let otherNameColumns = 24
    /// The columns of a line: one for two hours, or for each hour.
    private static let lineColumns = (few: 12, all: MarketBoard.dayLineCount)

    let width: Int
    let widths: FigureWidths
    /// The columns between two figures.
    private(set) var gap = 1
    /// With a space behind it; 0 without one.
    private(set) var rankColumns = 0
    private(set) var hasOtherName = false
    private(set) var hasWonPrice: Bool
    private(set) var hasRate = true
    private(set) var hasAmount = true
    private(set) var hasOtherRates = false
    private(set) var hasRange = false
    private(set) var hasTradeValue = true
    private(set) var lineColumns = 0

    init(width: Int, _ widths: FigureWidths, _ tab: MarketListTab, hasOtherNames: Bool) {
        self.width = width
        self.widths = widths
        hasWonPrice = tab != .krw && width >= MarketListColumns.wonWidth
        if tab == .popular { rankColumns = widths.rank + 1 }
        if nameRoom < 12 { hasWonPrice = false }
        // Figures of unusual length may squeeze the name before they go.
        if nameRoom < 6 { hasAmount = false }
        if nameRoom < 6 { hasTradeValue = false }
        if nameRoom < 6 { hasRate = false }
        if nameRoom < 6 { rankColumns = 0 }
        if width >= 80 { add(leaving: 12) { $0.gap = 2 } }
        if tab != .popular { add { $0.rankColumns = widths.place + 1 } }
        addWideColumns(hasOtherNames: hasOtherNames)
    }

    /// Adds the columns of wide screens, the most useful first, then room between all of them.
    private mutating func addWideColumns(hasOtherNames: Bool) {
        guard width >= MarketListColumns.wideWidth else { return }
        if !widths.otherRates.isEmpty {
            add { ($0.hasOtherRates, $0.gap) = (true, 1) }
        }
        if width >= MarketListColumns.dayWidth, hasOtherRates {
            add { ($0.hasRange, $0.gap) = (true, 1) }
            if hasRange { add { ($0.lineColumns, $0.gap) = (Self.lineColumns.few, 1) } }
        }
        if hasOtherNames, widths.otherRates.isEmpty || lineColumns > 0 {
            add { ($0.hasOtherName, $0.gap) = (true, 2) }
        }
        widen(to: 3)
        // The other name comes first, or a line would shrink for it on a wider screen.
        if lineColumns > 0, hasOtherName || !hasOtherNames {
            add { $0.lineColumns = Self.lineColumns.all }
        }
        widen(to: width < 160 ? 3 : 5)
    }

    private mutating func widen(to widest: Int) {
        while gap < widest {
            let narrower = gap
            add { $0.gap = narrower + 1 }
            if gap == narrower { return }
        }
    }

    /// Makes a change that takes room from the name, unless too little is left of it.
    private mutating func add(
        leaving nameMin: Int = MarketListColumns.nameMax,
        _ change: (inout Self) -> Void
    ) {
        var changed = self
        change(&changed)
        if changed.nameRoom >= nameMin { self = changed }
    }

    /// The columns that are left to the name.
    var nameRoom: Int {
        var used = MarketListColumns.markerColumns + rankColumns + gap + widths.price
        func use(_ columns: Int, if isShown: Bool) {
            if isShown { used += gap + columns }
        }
        use(Self.otherNameColumns, if: hasOtherName)
        use(widths.wonPrice, if: hasWonPrice)
        use(widths.rate, if: hasRate)
        use(widths.amount, if: hasAmount)
        for columns in widths.otherRates { use(columns, if: hasOtherRates) }
        use(widths.high, if: hasRange)
        use(widths.low, if: hasRange)
        use(widths.tradeValue, if: hasTradeValue)
        use(lineColumns, if: lineColumns > 0)
        return width - used
    }
}

/// How wide the columns of figures must be.
struct FigureWidths {
    /// Columns of the sign ▲ or ▼ and a blank before a rate.
    static let signColumns = 2
    /// Columns of a usual rate with its sign, and of other usual figures.
    private static let usual = (rate: 9, figure: 11)

    private(set) var rank = 0
    /// The place in an order of all markets.
    private(set) var place = 0
    private(set) var price = 0
    private(set) var wonPrice = 0
    /// Whether any price also has a won price.
    private(set) var hasWonPrice = false
    private(set) var rate = 0
    private(set) var amount = 0
    /// The changes over other periods; empty without them.
    private(set) var otherRates: [Int] = []
    private(set) var high = 0
    private(set) var low = 0
    private(set) var tradeValue = 0

    /// Typical widths for a screen width, so that columns rarely move.
    init(width: Int) {
        guard width >= 40 else { return }
        price = Self.usual.figure
        wonPrice = Self.usual.figure
        rate = Self.usual.rate
        amount = Self.usual.figure
        high = Self.usual.figure
        low = Self.usual.figure
        tradeValue = Self.usual.figure
    }

    /// Widens the columns for the figures of a row.
    mutating func include(_ row: MarketRowViewState, wonPriceText: String?) {
        Self.widen(&price, row.priceText)
        Self.widen(&wonPrice, wonPriceText)
        hasWonPrice = hasWonPrice || wonPriceText != nil
        Self.widen(&rate, row.changeRateText, Self.signColumns)
        Self.widen(&amount, row.changeAmountText)
        Self.widen(&tradeValue, row.tradeValueText)
        if let rank = row.rank { self.rank = max(self.rank, String(rank).utf8.count) }
    }

    /// Widens the columns for the facts of wide lists.
    mutating func include(_ row: WideRowViewState) {
        for (index, change) in row.changes.enumerated() where otherRates.indices.contains(index) {
            Self.widen(&otherRates[index], change.rateText, Self.signColumns)
        }
        Self.widen(&high, row.highText)
        Self.widen(&low, row.lowText)
    }

    /// Widens the columns for the headings and for the places of an order.
    mutating func include(headings: ColumnHeadings, places: Int) {
        // Always includes the sort arrow, so that columns do not move.
        rank = max(rank, TextWidth.columns(headings.rankWithArrow))
        place = max(TextWidth.columns(headings.place), String(places).utf8.count)
        Self.widen(&price, headings.price)
        Self.widen(&wonPrice, headings.wonPrice)
        Self.widen(&rate, headings.rate)
        Self.widen(&rate, headings.suspended)
        Self.widen(&amount, headings.amount)
        Self.widen(&tradeValue, headings.tradeValue)
        otherRates = headings.otherRates.map { max(Self.usual.rate, TextWidth.columns($0)) }
        if !otherRates.isEmpty { Self.widen(&rate, headings.rateOfPeriod) }
        Self.widen(&high, headings.high)
        Self.widen(&low, headings.low)
    }

    private static func widen(_ width: inout Int, _ text: String?, _ more: Int = 0) {
        if let text { width = max(width, TextWidth.columns(text) + more) }
    }
}
