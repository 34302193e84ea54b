import Domain
import ViewStates

/// Tracks which figures changed recently and until when they flash.
///
/// Only figures of the previous frame flash; rows scrolled into view do not. Holds one entry per
/// visible figure.
struct FlashTimer {
    /// How long a changed figure flashes.
    static let flashDuration: Duration = .milliseconds(250)

    private var values: [String: FixedDecimal] = [:]
    private var ends: [String: Duration] = [:]

    /// Records the rows of the next frame at a monotonic time.
    mutating func apply(_ rows: [MarketRowViewState], at uptime: Duration) {
        var shown: [String: FixedDecimal] = [:]
        shown.reserveCapacity(rows.count)
        for row in rows { shown[row.market] = row.price }
        apply(shown, at: uptime)
    }

    /// Records the figures of the next frame by name.
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

/// The screen whose figures flash.
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
