import Domain

/// Deposits, withdrawals and warnings of a simulated exchange.
///
/// Pure: the seed, the coin and the time decide, and values set by hand override them. A coin's
/// state is drawn anew each hour at a minute of its own, warnings each day.
struct SimulatedReference: Sendable {
    /// Whether a coin can be deposited and withdrawn.
    struct Flags: Sendable, Equatable {
        var isDepositOpen: Bool
        var isWithdrawalOpen: Bool
    }

    /// One of the exchange's warnings.
    struct Alert: Sendable, Equatable {
        var type: String
        var step: String
        var endsAt: Timestamp
    }

    /// The types of warnings that the exchange documents.
    static let alertTypes = [
        "PRICE_SUDDEN_FLUCTUATION", "TRADING_VOLUME_SUDDEN_FLUCTUATION",
        "DEPOSIT_AMOUNT_SUDDEN_FLUCTUATION", "PRICE_DIFFERENCE_HIGH",
        "SPECIFIC_ACCOUNT_HIGH_TRANSACTION", "EXCHANGE_TRADING_CONCENTRATION",
    ]
    /// The steps of warnings, least severe first.
    static let alertSteps = ["CAUTION", "WARNING", "DANGER"]
    /// Maximum number of warnings set by hand for one market; the oldest is evicted.
    static let alertsPerMarketMax = 8

    private static let second: Int64 = 1_000_000
    private static let hour: Int64 = 3_600 * second
    private static let day: Int64 = 24 * hour
    /// Warnings of the exchange end at 06:59:59 in Seoul, two hours before midnight UTC.
    private static let dayOffset: Int64 = 2 * hour

    private let seed: UInt64
    private var flags: [String: Flags] = [:]
    private var warned: [MarketID: Bool] = [:]
    private var alerts: [MarketID: [Alert]] = [:]

    init(seed: UInt64) { self.seed = seed }

    // MARK: What it says

    /// The state of a coin.
    ///
    /// One of ten has deposits or withdrawals stopped, one of twenty both.
    func flags(of symbol: String, at time: Timestamp) -> Flags {
        if let flags = flags[symbol] { return flags }
        var own = generator("flags " + symbol)
        let shift = Int64(own.below(60)) * 60 * Self.second
        let slot = (time.microseconds + shift) / Self.hour
        var drawn = SeededRandom(seed: own.next() ^ UInt64(bitPattern: slot))
        let draw = drawn.below(1_000)
        return Flags(
            isDepositOpen: !(draw < 60 || (100..<150).contains(draw)),
            isWithdrawalOpen: !(60..<150).contains(draw)
        )
    }

    /// 유의: whether a market has an investment warning; one of twenty has.
    func isWarned(_ market: MarketID, at time: Timestamp) -> Bool {
        if let isWarned = warned[market] { return isWarned }
        var drawn = generator("warning " + market.name, slot: Self.dayNumber(of: time))
        return drawn.happens(50)
    }

    /// 경보: the warnings of a market; one of ten won markets has one or several.
    func alerts(of market: MarketID, at time: Timestamp) -> [Alert] {
        if let alerts = alerts[market] { return alerts.filter { time < $0.endsAt } }
        let day = Self.dayNumber(of: time)
        var drawn = generator("alert " + market.name, slot: day)
        guard market.quote == .krw, drawn.happens(100) else { return [] }
        let end = (day + 1) * Self.day - Self.dayOffset - Self.second
        let first = drawn.below(Self.alertTypes.count)
        return (0..<drawn.number(in: 1...2)).map { index in
            Alert(
                type: Self.alertTypes[(first + index) % Self.alertTypes.count],
                step: Self.alertSteps[drawn.below(Self.alertSteps.count)],
                endsAt: Timestamp(microseconds: end)
            )
        }
    }

    // MARK: What is set by hand

    /// Sets deposits, withdrawals or both; nil leaves a value unchanged.
    mutating func set(deposit: Bool?, withdrawal: Bool?, of symbol: String, at time: Timestamp) {
        var flags = flags(of: symbol, at: time)
        flags.isDepositOpen = deposit ?? flags.isDepositOpen
        flags.isWithdrawalOpen = withdrawal ?? flags.isWithdrawalOpen
        self.flags[symbol] = flags
    }

    mutating func setWarned(_ isWarned: Bool, _ market: MarketID) { warned[market] = isWarned }

    /// Adds a warning to those in force.
    mutating func add(_ alert: Alert, to market: MarketID, at time: Timestamp) {
        let held = alerts(of: market, at: time)
        alerts[market] = Array((held + [alert]).suffix(Self.alertsPerMarketMax))
    }

    mutating func endAlerts(of market: MarketID) { alerts[market] = [] }

    /// Moves values set by hand to a coin's new name.
    mutating func rename(_ market: MarketID, to new: MarketID) {
        if let held = flags[market.symbol] { flags[new.symbol] = held }
        warned[new] = warned.removeValue(forKey: market)
        alerts[new] = alerts.removeValue(forKey: market)
    }

    // MARK: Drawing

    private static func dayNumber(of time: Timestamp) -> Int64 {
        (time.microseconds + dayOffset) / day
    }

    /// A separate generator for each subject, so that a new coin does not change the others.
    private func generator(_ subject: String, slot: Int64 = 0) -> SeededRandom {
        // FNV-1a, 64 bits: the standard library's hashes differ from run to run.
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        for byte in subject.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
        var mixed = SeededRandom(seed: seed ^ hash)
        return SeededRandom(seed: mixed.next() ^ UInt64(bitPattern: slot))
    }
}
