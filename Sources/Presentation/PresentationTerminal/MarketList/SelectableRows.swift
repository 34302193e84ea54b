import Domain
import ViewStates

/// Rows by identity: their order, the selection and the visible window.
///
/// The order changes at most every two seconds, and not while the selection moves. Added and
/// removed rows apply immediately.
public struct SelectableRows<ID: Sendable & Hashable>: Sendable, Equatable {
    /// All rows in their current order.
    public internal(set) var order: [ID] = []
    /// The selected row.
    public internal(set) var selected: ID?
    /// The index in ``order`` of the first visible row.
    public internal(set) var firstVisible = 0
    /// How many rows the screen shows at once.
    public internal(set) var visibleRows = 1
    /// A row to select as soon as it appears.
    var awaited: ID?
    /// Whether ``order`` is outdated: never loaded, or another one was requested.
    private(set) var isAwaited = true
    private var orderedAt: Timestamp?
    private var movedAt: Timestamp?
    private var shownAt: Timestamp?

    init() {}

    /// The indexes of ``order`` that are on the screen.
    public var window: Range<Int> {
        let start = min(max(firstVisible, 0), order.count)
        return start..<min(start + max(visibleRows, 0), order.count)
    }

    /// Makes the order due at once.
    mutating func expireOrder() {
        orderedAt = nil
        isAwaited = true
    }

    /// Makes the order due at once, and shows it from its top.
    mutating func restart() {
        expireOrder()
        selected = nil
        firstVisible = 0
    }

    /// Moves the selection.
    mutating func move(_ action: RowsAction) {
        guard !order.isEmpty else { return }
        let last = order.count - 1
        let index = selected.flatMap { order.firstIndex(of: $0) } ?? 0
        let target: Int =
            switch action {
            case .move(let rows): index + min(max(rows, -last), last)
            case .movePage(let pages): index + min(max(pages, -last), last) * visibleRows
            case .moveToFirst: 0
            case .moveToLast: last
            case .scroll(let rows):
                scrolled(index, by: min(max(rows, -last), last), last: last)
            }
        selected = order[min(max(target, 0), last)]
        movedAt = shownAt
        showSelected()
    }

    /// Scrolls the window.
    ///
    /// - Returns: the selected index: unchanged, or at the nearest visible edge.
    private mutating func scrolled(_ index: Int, by rows: Int, last: Int) -> Int {
        let seen = max(visibleRows, 1)
        firstVisible = min(max(firstVisible + rows, 0), max(last + 1 - seen, 0))
        return min(max(index, firstVisible), firstVisible + seen - 1)
    }

    /// Selects a row, if it exists.
    mutating func select(_ id: ID) {
        guard order.contains(id) else { return }
        selected = id
        movedAt = shownAt
        showSelected()
    }

    /// Applies the newest order if due, and the window size.
    ///
    /// - Parameters:
    ///   - newest: the order.
    ///   - rows: the number of visible rows.
    ///   - isRead: whether the list is loaded, so that an empty order means none.
    ///   - now: the current time.
    mutating func show(
        _ newest: [ID],
        visibleRows rows: Int,
        isRead: Bool = true,
        now: Timestamp
    ) {
        if isRead || !newest.isEmpty { isAwaited = false }
        visibleRows = min(max(rows, 1), MarketListReducer.visibleRowsMax)
        shownAt = now
        if isDue(newest, now) { apply(newest, now) }
        if let wanted = awaited, order.contains(wanted) {
            selected = wanted
            awaited = nil
        }
        showSelected()
    }

    private func isDue(_ newest: [ID], _ now: Timestamp) -> Bool {
        let interval = MarketListReducer.orderInterval
        guard let orderedAt, order.count == newest.count else { return true }
        if order == newest { return false }
        if Set(order) != Set(newest) { return true }
        if let movedAt, !now.isAtLeast(interval, after: movedAt) { return false }
        return now.isAtLeast(interval, after: orderedAt)
    }

    private mutating func apply(_ newest: [ID], _ now: Timestamp) {
        let place = selected.flatMap { order.firstIndex(of: $0) }
        let offset = place.map { $0 - firstVisible }
        order = newest
        orderedAt = now
        guard let selected, let index = order.firstIndex(of: selected) else {
            // The selected row was removed: select the row now in its place.
            selected = order.isEmpty ? nil : order[min(place ?? 0, order.count - 1)]
            return
        }
        // The selection keeps its screen line unless the list is at its top.
        if let offset, firstVisible > 0 { firstVisible = index - offset }
    }

    /// Scrolls so that the selected row is visible and no rows are blank below the last.
    private mutating func showSelected() {
        let rows = max(visibleRows, 1)
        if let index = selected.flatMap({ order.firstIndex(of: $0) }) {
            if index < firstVisible { firstVisible = index }
            if index >= firstVisible + rows { firstVisible = index - rows + 1 }
        }
        firstVisible = min(max(firstVisible, 0), max(order.count - rows, 0))
    }
}

/// Movement of a selection or of a scrolled text; positive is down.
public enum RowsAction: Sendable, Hashable {
    /// By rows.
    case move(Int)
    /// By screens.
    case movePage(Int)
    /// To the first or last row.
    case moveToFirst, moveToLast
    /// Scrolls by rows; the selection stays visible.
    case scroll(Int)
}

/// How far a page of text is scrolled.
public struct TextScroll: Sendable, Equatable {
    /// How many lines are passed over.
    public internal(set) var offset = 0
    /// How many lines the text has.
    private(set) var lines = 0
    /// The number of visible lines.
    private(set) var rows = 1
    /// Whether the length of the text is known.
    private(set) var isMeasured = false
    /// The lines shared by two pages.
    private let overlap: Int

    /// Creates a text scrolled to its beginning.
    ///
    /// - Parameter overlap: lines shared by two pages; two if the edges show `…` in place of a
    ///   line.
    init(overlap: Int = 1) { self.overlap = overlap }

    /// Sets the length of the text and the visible rows.
    mutating func show(lines: Int, rows: Int) {
        isMeasured = true
        self.lines = max(lines, 0)
        self.rows = max(rows, 1)
        offset = min(max(offset, 0), offsetMax)
    }

    /// Scrolls within the text.
    mutating func move(_ action: RowsAction) {
        let target: Int =
            switch action {
            case .move(let count), .scroll(let count): offset + min(max(count, -lines), lines)
            case .movePage(let pages):
                offset + min(max(pages, -lines), lines) * max(rows - overlap, 1)
            case .moveToFirst: 0
            case .moveToLast: offsetMax
            }
        offset = min(max(target, 0), offsetMax)
    }

    /// Whether there are lines below the visible ones.
    public var hasMoreBelow: Bool { offset < offsetMax }

    private var offsetMax: Int { max(lines - rows, 0) }
}
