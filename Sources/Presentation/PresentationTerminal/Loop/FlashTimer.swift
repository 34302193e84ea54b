import Domain
import ViewStates

/// Remembers which figures have just changed, and until when that is shown.
///
/// Only what was in the picture before can flash: a row that scrolls in has not changed. Holds as
/// many entries as the screen has figures that can flash.
struct FlashTimer {
    /// How long a changed figure stands out.
    static let flashDuration: Duration = .milliseconds(250)

    private var values: [String: FixedDecimal] = [:]
    private var ends: [String: Duration] = [:]

    /// Takes the rows of the next picture, drawn at a time of a clock that only goes forward.
    mutating func apply(_ rows: [MarketRowViewState], at uptime: Duration) {
        var shown: [String: FixedDecimal] = [:]
        shown.reserveCapacity(rows.count)
        for row in rows { shown[row.market] = row.price }
        apply(shown, at: uptime)
    }

    /// Takes the figures of the next picture by what they are called in it.
    mutating func apply(_ shown: [String: FixedDecimal], at uptime: Duration) {
        for (name, value) in shown {
            if let before = values[name], before != value {
                ends[name] = uptime + Self.flashDuration
            }
        }
        ends = ends.filter { $0.value > uptime && shown[$0.key] != nil }
        values = shown
    }

    /// The names of what flashes now.
    var flashing: Set<String> { Set(ends.keys) }

    /// When the next of them stops; nil if none flashes.
    var nextEnd: Duration? { ends.values.min() }
}

/// What figures that flash are of: a page, a market, or both beside one another.
enum FlashSubject: Equatable {
    case page(ScreenPage)
    case market(MarketID)
    case split(MarketID)

    init(_ state: ScreenState) {
        if state.isSplit, let detail = state.detail {
            self = .split(detail.market)
        } else {
            self = state.focusedDetail.map { .market($0.market) } ?? .page(state.page)
        }
    }
}
