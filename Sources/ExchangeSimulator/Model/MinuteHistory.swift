/// The figures of one minute of one market.
struct Minute: Sendable, Equatable {
    /// The first price; undefined without trades.
    var open: Int64
    /// The last price, also of minutes without trades.
    var close: Int64
    /// The highest price; below every price without trades.
    var high = Int64.min
    /// The lowest price; above every price without trades.
    var low = Int64.max
    /// Volume sold by takers, in volume units.
    var sold: Int128 = 0
    /// Volume bought by takers, in volume units.
    var bought: Int128 = 0
    /// Price × volume, in value units.
    var value: Int128 = 0

    init(close: Int64) {
        open = close
        self.close = close
    }

    /// Whether there are trades.
    var hasTrades: Bool { high != .min }

    /// Volume in units of 10⁻⁸ coins; smaller remainders are dropped.
    var wholeVolume: Int128 { sold / 100 + bought / 100 }

    mutating func add(_ trade: SimulatedTrade) {
        if !hasTrades { open = trade.price }
        close = trade.price
        high = max(high, trade.price)
        low = min(low, trade.price)
        let volume = trade.volume
        if trade.isBuy { bought += volume } else { sold += volume }
        value += Int128(trade.price) * volume
    }
}

/// Sums and extremes of several minutes.
struct MinuteSums: Sendable, Equatable {
    var high = Int64.min
    var low = Int64.max
    var sold: Int128 = 0
    var bought: Int128 = 0
    var value: Int128 = 0

    var volume: Int128 { sold + bought }
    /// Whether there are trades.
    var hasTrades: Bool { high != .min }

    mutating func add(_ minute: Minute) {
        high = max(high, minute.high)
        low = min(low, minute.low)
        sold += minute.sold
        bought += minute.bought
        value += minute.value
    }

    func adding(_ minute: Minute) -> MinuteSums {
        var sums = self
        sums.add(minute)
        return sums
    }
}

/// The last 25 hours of a market by minute, with running sums of four windows.
///
/// A window of W minutes covers the current minute and the W − 1 before it. Its opening price is
/// the close of the minute before those, so windows move in steps of a minute. There are always
/// 1,501 minutes; the oldest is kept only for its close.
struct MinuteHistory: Sendable {
    /// The lengths of the windows in minutes, shortest first.
    static let windowMinutes = [30, 60, 720, 1_440]
    static let capacity = 1_501

    /// The current minute, since the Unix epoch.
    private(set) var minute: Int
    private var ring: [Minute]
    /// Per window the sums of the minutes before the current one.
    private var completed: [MinuteSums]

    /// Makes a history of 1,501 minutes, oldest first; the last one is the current one.
    init(minutes: [Minute], current: Int) {
        precondition(minutes.count == Self.capacity, "a history needs 1,501 minutes")
        minute = current
        ring = minutes
        completed = []
        // Rotates so that each minute lies at its number modulo the capacity.
        let shift = (current + 1) % Self.capacity
        ring = Array(minutes[(Self.capacity - shift)...] + minutes[..<(Self.capacity - shift)])
        for length in Self.windowMinutes {
            var sums = MinuteSums()
            for number in (current - length + 1)..<current { sums.add(self[number]) }
            completed.append(sums)
        }
    }

    /// A minute by its number, of the last 1,501.
    subscript(number: Int) -> Minute {
        ring[number % Self.capacity]
    }

    /// Adds a trade to the current minute.
    mutating func add(_ trade: SimulatedTrade) {
        ring[minute % Self.capacity].add(trade)
    }

    /// The figures of a window, including the current minute.
    func sums(ofWindow window: Int) -> MinuteSums {
        completed[window].adding(self[minute])
    }

    /// The price at the start of a window.
    func open(ofWindow window: Int) -> Int64 {
        self[minute - Self.windowMinutes[window]].close
    }

    /// Begins the next minute.
    mutating func advance() {
        let ended = self[minute]
        minute += 1
        for (index, length) in Self.windowMinutes.enumerated() {
            let leaving = self[minute - length]
            var sums = completed[index].adding(ended)
            sums.sold -= leaving.sold
            sums.bought -= leaving.bought
            sums.value -= leaving.value
            completed[index] = sums
            // Extremes cannot be subtracted: they are searched again when one of them leaves.
            if leaving.hasTrades, leaving.high == sums.high || leaving.low == sums.low {
                searchExtremes(ofWindow: index)
            }
        }
        // Reuses the slot of the oldest minute; only its close was still needed.
        ring[minute % Self.capacity] = Minute(close: ended.close)
    }

    private mutating func searchExtremes(ofWindow index: Int) {
        var high = Int64.min
        var low = Int64.max
        for number in (minute - Self.windowMinutes[index] + 1)..<minute {
            let slot = number % Self.capacity
            high = max(high, ring[slot].high)
            low = min(low, ring[slot].low)
        }
        completed[index].high = high
        completed[index].low = low
    }
}
