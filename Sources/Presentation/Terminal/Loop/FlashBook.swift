import Domain
import Presentation

/// Remembers which prices have just changed, and until when that is shown.
///
/// Only rows that were in the picture before can flash: a row that scrolls in has not changed.
/// Holds as many entries as the screen has rows.
struct FlashBook {
    /// How long a changed price stands out.
    static let flashDuration: Duration = .milliseconds(250)

    private var prices: [String: FixedDecimal] = [:]
    private var ends: [String: Duration] = [:]

    /// Takes the rows of the next picture, drawn at a time of a clock that only goes forward.
    mutating func take(_ rows: [MarketRowViewState], at uptime: Duration) {
        var shown: [String: FixedDecimal] = [:]
        shown.reserveCapacity(rows.count)
        for row in rows {
            guard let price = row.price else { continue }
            shown[row.market] = price
            if let before = prices[row.market], before != price {
                ends[row.market] = uptime + Self.flashDuration
            }
        }
        ends = ends.filter { $0.value > uptime && shown[$0.key] != nil }
        prices = shown
    }

    /// The markets that flash now.
    var flashing: Set<String> { Set(ends.keys) }

    /// When the next of them stops; nil if none flashes.
    var nextEnd: Duration? { ends.values.min() }
}
