/// What happened in one minute of one market.
struct Minute: Sendable, Equatable {
    /// The first price; without a meaning if nothing was traded.
    var open: Int64
    /// The last price, also of minutes without a trade.
    var close: Int64
    /// The highest price; below every price if nothing was traded.
    var high = Int64.min
    /// The lowest price; above every price if nothing was traded.
    var low = Int64.max
    /// What takers sold, in volume units.
    var sold: Int128 = 0
    /// What takers bought, in volume units.
    var bought: Int128 = 0
    /// Price × volume, in value units.
    var value: Int128 = 0

    init(close: Int64) {
        open = close
        self.close = close
    }

    /// Whether anything was traded.
    var hasTrades: Bool { high != .min }

    /// The volume in units of 10⁻⁸ coins, without finer dust.
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

/// The sums and extremes of some minutes together.
struct MinuteSums: Sendable, Equatable {
    var high = Int64.min
    var low = Int64.max
    var sold: Int128 = 0
    var bought: Int128 = 0
    var value: Int128 = 0

    var volume: Int128 { sold + bought }
    /// Whether anything was traded.
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

/// The last 25 hours of a market minute by minute, with running sums of four windows.
///
/// A window of W minutes covers the current minute and the W − 1 before it; its opening price is
/// the close of the minute before those. So windows move in steps of a minute. The bound: 1,501
/// minutes, always all there; the oldest is there for its close alone.
struct MinuteHistory: Sendable {
    /// The lengths of the windows in minutes, shortest first.
    static let windowMinutes = [30, 60, 720, 1_440]
    static let capacity = 1_501

    /// The current minute, counted from the Unix epoch.
    private(set) var minute: Int
    private var ring: [Minute]
    /// Per window the minutes before the current one.
    private var completed: [MinuteSums]

    /// Makes a history from its 1,501 minutes, oldest first; the last one is the current one.
    init(minutes: [Minute], current: Int) {
        precondition(minutes.count == Self.capacity, "a history has 1,501 minutes")
        minute = current
        ring = minutes
        completed = []
        // The oldest minute goes where its number says.
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

    /// The figures of a window, the current minute included.
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
        // The slot of the minute that is now too old; only its close was still in use.
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
