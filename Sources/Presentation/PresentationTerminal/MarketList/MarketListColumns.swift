import ViewStates

/// Places the columns of the list for a width and its rows.
///
/// Figures are never truncated: their columns fit the longest figure, and the name gets the rest.
/// Columns that do not fit are dropped: amount, trade value, rate, then rank. Below 60 columns a
/// row has two lines.
struct MarketListColumns {
    /// Below this width a row is folded into two lines.
    static let fullWidth = MarketListLayout.singleLineColumnsMin
    /// The minimum width for the won price of BTC markets.
    static let wonWidth = 90
    /// The minimum width for the name in the other language.
    static let otherNameWidth = 120
    /// A name column wider than this only moves the figures away from their names.
    private static let nameMax = 36
    private static let otherNameColumns = 24
    /// The minimum name width beside a won price.
    private static let foldedNameMin = 12
    /// The selection marker and a space.
    private static let markerColumns = 2

    private(set) var rank: Range<Int>?
    private(set) var name: Range<Int>
    private(set) var otherName: Range<Int>?
    private(set) var price: Range<Int>
    private(set) var wonPrice: Range<Int>?
    private(set) var rate: Range<Int>?
    private(set) var amount: Range<Int>?
    private(set) var tradeValue: Range<Int>?

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
            : Self(single: width, widths, tab, hasOtherNames: hasOtherNames)
    }

    private init(
        single width: Int,
        _ widths: FigureWidths,
        _ tab: MarketListTab,
        hasOtherNames: Bool
    ) {
        var gap = 1
        var rankColumns = tab == .popular ? widths.rank + 1 : 0
        var hasOtherName = hasOtherNames && width >= Self.otherNameWidth
        var hasWonPrice = tab != .krw && width >= Self.wonWidth
        var hasAmount = true
        var hasTradeValue = true
        var hasRate = true

        func nameRoom() -> Int {
            var used = Self.markerColumns + rankColumns + gap + widths.price
            if hasOtherName { used += gap + Self.otherNameColumns }
            if hasWonPrice { used += gap + widths.wonPrice }
            if hasRate { used += gap + widths.rate }
            if hasAmount { used += gap + widths.amount }
            if hasTradeValue { used += gap + widths.tradeValue }
            return width - used
        }
        if nameRoom() < 12 { hasOtherName = false }
        if nameRoom() < 12 { hasWonPrice = false }
        // Figures of unusual length may squeeze the name before they go.
        if nameRoom() < 6 { hasAmount = false }
        if nameRoom() < 6 { hasTradeValue = false }
        if nameRoom() < 6 { hasRate = false }
        if nameRoom() < 6 { rankColumns = 0 }

        // Wider gaps take room from the name, and never a column.
        let widest = width < 80 ? 1 : (width < 120 ? 2 : (width < 160 ? 3 : 5))
        while gap < widest {
            gap += 1
            if nameRoom() < 12 {
                gap -= 1
                break
            }
        }

        var column = Self.markerColumns
        func place(_ columns: Int) -> Range<Int> {
            defer { column += columns + gap }
            return column..<(column + columns)
        }
        let nameColumns = min(max(nameRoom(), 0), Self.nameMax)
        if rankColumns > 0 {
            rank = column..<(column + rankColumns - 1)
            column += rankColumns
        }
        name = place(nameColumns)
        otherName = hasOtherName ? place(Self.otherNameColumns) : nil
        price = place(widths.price)
        wonPrice = hasWonPrice ? place(widths.wonPrice) : nil
        rate = hasRate ? place(widths.rate) : nil
        amount = hasAmount ? place(widths.amount) : nil
        tradeValue = hasTradeValue ? place(widths.tradeValue) : nil
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

/// How wide the columns of figures must be.
struct FigureWidths {
    /// Columns of the sign ▲ or ▼ and a blank before a rate.
    static let signColumns = 2

    private(set) var rank = 0
    private(set) var price = 0
    private(set) var wonPrice = 0
    /// Whether any price also has a won price.
    private(set) var hasWonPrice = false
    private(set) var rate = 0
    private(set) var amount = 0
    private(set) var tradeValue = 0

    /// Typical widths for a screen width, so that columns rarely move.
    init(width: Int) {
        guard width >= 40 else { return }
        price = 11
        wonPrice = 11
        rate = 9
        amount = 11
        tradeValue = 11
    }

    /// Widens the columns for the figures of a row.
    mutating func include(_ row: MarketRowViewState, wonPriceText: String?) {
        func widen(_ width: inout Int, _ text: String?, _ more: Int = 0) {
            if let text { width = max(width, TextWidth.columns(text) + more) }
        }
        widen(&price, row.priceText)
        widen(&wonPrice, wonPriceText)
        hasWonPrice = hasWonPrice || wonPriceText != nil
        widen(&rate, row.changeRateText, Self.signColumns)
        widen(&amount, row.changeAmountText)
        widen(&tradeValue, row.tradeValueText)
        if let rank = row.rank { self.rank = max(self.rank, String(rank).utf8.count) }
    }

    /// Widens the columns for the headings.
    mutating func include(headings: ColumnHeadings) {
        // Always includes the sort arrow, so that columns do not move.
        rank = max(rank, TextWidth.columns(headings.rankWithArrow))
        price = max(price, TextWidth.columns(headings.price))
        wonPrice = max(wonPrice, TextWidth.columns(headings.wonPrice))
        rate = max(rate, TextWidth.columns(headings.rate), TextWidth.columns(headings.suspended))
        amount = max(amount, TextWidth.columns(headings.amount))
        tradeValue = max(tradeValue, TextWidth.columns(headings.tradeValue))
    }
}
