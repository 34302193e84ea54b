import TestSupport

@testable import Domain

/// Reference model of a local order book: price by price in a dictionary that keeps everything.
struct NaiveLocalOrderBook {
    private(set) var levels = NaiveLevels()
    private(set) var isReady = false
    private(set) var isComplete = false
    private(set) var comparisons = 0
    private(set) var corrections = 0
    private var waiting: [OrderBookDelta] = []
    private var heardAt = Int64.min
    private var settledAt = Int64.min
    private var lostAt = Int64.min
    private var wasRest = false
    /// Prices up to this one are known and were in the last snapshot.
    private var reach: [BookSide: Limit] = [.ask: .nothing, .bid: .nothing]
    private var range: [BookSide: Limit] = [.ask: .nothing, .bid: .nothing]

    enum Limit {
        case nothing
        case upTo(FixedDecimal)
        case everything

        func holds(_ price: FixedDecimal, _ side: BookSide) -> Bool {
            switch self {
            case .nothing: false
            case .upTo(let last): side == .ask ? price <= last : price >= last
            case .everything: true
            }
        }

        func isFarther(than other: Limit, _ side: BookSide) -> Bool {
            switch (self, other) {
            case (.nothing, _), (_, .everything): false
            case (.everything, _), (_, .nothing): true
            case (.upTo(let price), .upTo(let last)): side == .ask ? price > last : price < last
            }
        }
    }

    var needsReload: Bool { !isReady || !isComplete || levels.shown().isCrossed }

    mutating func markLoss() {
        isComplete = false
        lostAt = heardAt
    }

    mutating func apply(_ delta: OrderBookDelta) {
        let at = delta.at.microseconds
        if isReady {
            for change in delta.changes {
                let place = NaiveLevels.Place(side: change.side, price: change.price)
                let known = levels.known[place]
                if let known, known.at > at { continue }
                if at <= settledAt {
                    let isTold = range[change.side]?.holds(change.price, change.side) ?? false
                    guard let known, !known.quantity.isZero else {
                        if !isTold, !change.quantity.isZero { forgetBeyondRange(change.side) }
                        continue
                    }
                    let isSame = Self.cut(known.quantity) == Self.cut(change.quantity)
                    if isTold, !(wasRest && isSame) { continue }
                }
                levels.known[place] = .init(quantity: change.quantity, at: at)
            }
        } else {
            waiting.append(delta)
        }
        heardAt = max(heardAt, at)
    }

    private mutating func forgetBeyondRange(_ side: BookSide) {
        guard let reached = reach[side], let told = range[side] else { return }
        if reached.isFarther(than: told, side) { reach[side] = told }
    }

    mutating func apply(_ snapshot: OrderBookSnapshot) {
        let isRest = snapshot.origin == .rest
        var time = snapshot.at.microseconds - (isRest ? 1 : 0)
        let latest = snapshot.at.microseconds + (isRest ? 999 : 0)
        if isReady, time <= settledAt {
            guard needsReload, latest >= settledAt else { return }
            time = settledAt
        }
        let replaces = !isComplete && latest >= lostAt
        let mayBeAhead = isRest && !needsReload && latest > max(heardAt, settledAt)
        var isWrong = false
        for side in BookSide.allCases {
            let isSideWrong = compare(side, with: snapshot, settledAt: time, replaces: replaces)
            isWrong = isWrong || isSideWrong
        }
        if isReady {
            comparisons += 1
            corrections += isWrong && !mayBeAhead ? 1 : 0
        }
        let isFirst = !isReady
        isReady = true
        isComplete = isComplete || latest >= lostAt
        settledAt = time
        wasRest = isRest
        if isFirst { for delta in waiting where delta.at.microseconds > time { apply(delta) } }
        heardAt = max(heardAt, time)
    }

    private mutating func compare(
        _ side: BookSide,
        with snapshot: OrderBookSnapshot,
        settledAt: Int64,
        replaces: Bool
    ) -> Bool {
        let isRest = snapshot.origin == .rest
        let truth = snapshot.levels(side)
        let told: Limit =
            snapshot.isComplete(side)
            ? .everything : truth.last.map { .upTo($0.price) } ?? .nothing
        var isWrong = false
        let prices = Set(truth.map(\.price) + levels.places(side).map(\.price))
        for price in prices {
            let place = NaiveLevels.Place(side: side, price: price)
            let held = levels.known[place].flatMap { $0.quantity.isZero ? nil : $0 }
            if let newer = levels.known[place], newer.at > settledAt { continue }
            let shown = truth.first { $0.price == price }?.quantity
            switch (held, shown) {
            case (let held?, let shown?):
                if Self.agree(held, shown, isRest: isRest) {
                    if !held.isCut || isRest { continue }
                } else {
                    isWrong = true
                }
                levels.known[place] = .init(quantity: shown, at: settledAt, isCut: isRest)
            case (nil, let shown?):
                levels.known[place] = .init(quantity: shown, at: settledAt, isCut: isRest)
                let wasKnown = reach[side]?.holds(price, side) ?? false
                if wasKnown, !(wasRest && shown < "0.0001") { isWrong = true }
            case (let held?, nil):
                if told.holds(price, side) {
                    if isRest, held.quantity < "0.0001" { continue }
                    isWrong = true
                    levels.known[place] = nil
                } else if replaces {
                    levels.known[place] = nil
                }
            case (nil, nil): continue
            }
        }
        range[side] = told
        if replaces || (wasRest && !isRest) || told.isFarther(than: reach[side] ?? .nothing, side) {
            reach[side] = told
        }
        return isWrong
    }

    private static func agree(
        _ held: NaiveLevels.Known,
        _ shown: FixedDecimal,
        isRest: Bool
    ) -> Bool {
        if held.quantity == shown { return true }
        if isRest { return cut(held.quantity) == shown }
        return held.isCut && held.quantity == cut(shown)
    }

    static func cut(_ quantity: FixedDecimal) -> FixedDecimal {
        (try? quantity.rounded(toFractionDigits: 4, .truncate)) ?? quantity
    }
}
