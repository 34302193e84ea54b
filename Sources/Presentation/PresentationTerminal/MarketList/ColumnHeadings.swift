import Domain
import ViewStates

/// The names of the columns, with an arrow on the one that the list is sorted by.
struct ColumnHeadings {
    let rank: String
    /// The heading at its widest.
    let rankWithArrow: String
    /// The place in the current order.
    let place: String
    let name: String
    let otherName: String
    let price: String
    let wonPrice: String
    let rate: String
    /// That of the rate where other periods are beside it.
    let rateOfPeriod: String
    let amount: String
    /// Those of changes over other periods.
    let otherRates: [String]
    /// High, low and prices of the day.
    let high: String
    let low: String
    let line: String
    let tradeValue: String
    /// Not a heading: the word in the rate's column of a suspended market.
    let suspended: String

    /// Creates the headings; wide screens name the unit of the trade value.
    ///
    /// - Parameters:
    ///   - state: the list, whose sort key has an arrow.
    ///   - periods: the periods beside the chosen one.
    ///   - language: the language.
    ///   - width: the width of the list.
    init(
        state: MarketListScreenState,
        periods: [ChangePeriod],
        language: Language,
        width: Int
    ) {
        let sort = state.sortInForce
        let arrow = MarketListStrings.arrow(state.directionInForce)
        func heading(_ text: LocalizedText, sortedBy keys: [MarketSortKey] = []) -> String {
            text[language] + (sort.map(keys.contains) == true ? arrow : "")
        }
        let isRanked = state.tab == .popular
        rank = heading(MarketListStrings.rank, sortedBy: isRanked ? [.popularity] : [])
        rankWithArrow = MarketListStrings.rank[language] + MarketListStrings.arrow(.descending)
        place = MarketListStrings.place
        name = heading(MarketListStrings.name, sortedBy: [.name])
        otherName = MarketListStrings.otherName[language]
        price = heading(MarketListStrings.price, sortedBy: [.price])
        wonPrice = MarketListStrings.wonPrice[language]
        rate = heading(MarketListStrings.rate, sortedBy: [.changeRate])
        rateOfPeriod = heading(
            MarketListStrings.percent(of: state.period),
            sortedBy: [.changeRate]
        )
        amount = MarketListStrings.amount[language]
        otherRates = periods.map { MarketListStrings.percent(of: $0)[language] }
        high = MarketListStrings.highToday[language]
        low = MarketListStrings.lowToday[language]
        line = MarketListStrings.dayLine[language]
        // Popularity is the trade value in won: without a column for the rank its arrow is here.
        let unit = state.tab == .krw && width >= 80 ? MarketListStrings.millions[language] : ""
        let isByValue = sort == .tradeValue || (sort == .popularity && !isRanked)
        tradeValue =
            MarketListStrings.tradeValue[language] + unit
            + (isByValue ? arrow : "")
        suspended = MarketListStrings.suspended[language]
    }
}
