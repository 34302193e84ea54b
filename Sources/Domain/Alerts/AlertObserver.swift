/// Evaluates the alert rules of a process on the events of its board.
///
/// Prices of all markets are followed always, so that a new rule knows the last one. Other signals
/// are computed only where a rule watches them.
public struct AlertObserver: Sendable {
    /// The most markets whose lost trades are read again because a rule watches their price.
    public static let repairedMarketsMax = 100

    /// The rules and their values.
    public internal(set) var book: AlertBook
    /// The signals that rules watch.
    var watched = AlertWatchList()
    /// The turnovers of the markets of which rules watch it, while their trades arrive.
    var turnovers: [MarketID: AlertTurnover] = [:]
    /// Whether a market may lack the turnover that a rule watches.
    private var mayLackTurnovers = false
    /// The users with rules.
    private(set) var owners: [UserID: AlertOwner] = [:]
    /// Whether trades arrive.
    private var isFollowing = false
    /// Exchange time of the latest trade of the subscription.
    private(set) var latestTradeAt: Timestamp?
    /// Whether the feed is lost, or silent: a value is the current one only when it is read.
    private(set) var isFeedLost = false
    /// The trades that REST has told and the stream may still bring, of markets whose trades were
    /// read again.
    var awaited: [MarketID: AwaitedTrades] = [:]
    /// The markets that the stream is subscribed for, as the board knows them.
    private(set) var subscription = MarketSubscription()

    /// An observer without rules.
    ///
    /// - Parameters:
    ///   - feed: the kind of data that will come.
    ///   - stored: the values that were saved last; nil for none.
    public init(feed: FeedKind, restoring stored: AlertBookState? = nil) {
        book = stored.map { AlertBook(feed: feed, restoring: $0) } ?? AlertBook(feed: feed)
    }

    /// The kind of feed.
    public var feed: FeedKind { book.state.feed }

    /// The order books that rules on spreads need, at most ``AlertLimits/booksMax``.
    public var books: Set<MarketID> { watched.markets(of: .spread, atMost: AlertLimits.booksMax) }

    /// The markets whose lost trades are read again, at most ``repairedMarketsMax``.
    public var repairedMarkets: Set<MarketID> {
        watched.markets(of: .price, atMost: Self.repairedMarketsMax)
    }

    /// Whether a rule watches deposits or withdrawals.
    public var needsAssetStates: Bool { watched.needsAssetStates }

    /// The periods of changes that rules need.
    public var periods: Set<ShownPeriod> { watched.periods }

    // MARK: Rules

    /// Takes the rules of users, instead of those that were known of them.
    ///
    /// Rules that are known already go on; their newest firing counts.
    public mutating func set(_ users: [AlertOwner]) {
        for user in users { set(user) }
        watch()
        book.forgetUnwatched()
    }

    /// Watches what the rules need now.
    private mutating func watch() {
        watched = AlertWatchList(book)
        // The trades of a market that no rule watches are not added.
        turnovers = turnovers.filter { watched.needsTurnover(of: $0.key) }
        mayLackTurnovers = true
    }

    private mutating func set(_ user: AlertOwner) {
        let before = owners.updateValue(user, forKey: user.id)
        let known = Dictionary((before?.rules ?? []).map { ($0.number, $0) }) { _, last in last }
        let kept = Set(user.rules.map(\.number))
        for number in known.keys where !kept.contains(number) {
            book.remove(AlertRuleID(number, of: user.id))
        }
        if user.rules.isEmpty { owners[user.id] = nil }
        book.setFavorites(user.favorites, of: user.id)
        for rule in user.rules {
            let id = AlertRuleID(rule.number, of: user.id)
            let isKnown = known[rule.number].map { $0.isSameRule(as: rule) } ?? false
            if !isKnown {
                // A changed rule has not fired.
                book.add(rule.rule, id: id, createdAt: rule.createdAt)
            }
            book.catchUp(with: user.fired[rule.number] ?? [:], of: id)
        }
    }

    /// Takes the rules of all users.
    public mutating func replaceAll(by users: [AlertOwner]) {
        let gone = Set(owners.keys).subtracting(users.map(\.id))
        set(users + gone.map { AlertOwner(id: $0) })
    }

    /// Takes the firings of stored rules instead of those that this process found.
    ///
    /// A process that begins to store alerts calls it: alerts that it found before are stored only
    /// if ``mayStore(_:)`` says so.
    public mutating func replaceFirings(by users: [AlertOwner]) {
        var fired: [AlertRuleID: [AlertSubject: AlertState]] = [:]
        for user in users {
            for (number, states) in user.fired where !states.isEmpty {
                fired[AlertRuleID(number, of: user.id)] = states
            }
        }
        book.replaceFirings(by: fired)
        // A rule that fires once, and had not fired by what is stored, is watched again.
        watch()
    }

    /// Whether an alert that was found before may be stored after ``replaceFirings(by:)``.
    ///
    /// If so, the rule's state becomes that of the alert.
    public mutating func mayStore(_ fired: FiredAlert) -> Bool {
        book.apply(fired)
    }

    /// Whether an alert found here is stored, or a later one of its rule, or values were saved that
    /// are later than it.
    ///
    /// - Parameters:
    ///   - found: the alert.
    ///   - values: the values that were saved last; nil if they are not known.
    /// - Returns: whether the alert need not wait for the process that stores alerts any longer.
    public func isDecided(_ found: FiredAlert, knowing values: AlertBookState?) -> Bool {
        book.isDecided(found, stored: stored(found), knowing: values)
    }

    /// Takes back alerts that were found here, but not stored by the process that stores alerts.
    ///
    /// Their rules may fire again as if they had not fired here.
    ///
    /// - Returns: whether any was taken back.
    @discardableResult
    public mutating func withdraw(_ alerts: [FiredAlert]) -> Bool {
        var isAny = false
        for found in alerts {
            let isWithdrawn = book.withdraw(found, stored: stored(found))
            isAny = isAny || isWithdrawn
        }
        // A rule that fires once was no longer watched.
        if isAny { watch() }
        return isAny
    }

    /// The newest stored firing of an alert's rule and subject.
    private func stored(_ found: FiredAlert) -> AlertState? {
        owners[found.alert.rule.owner]?.fired[found.alert.rule.number]?[found.alert.subject]
    }

    // MARK: Events

    /// Applies an event and appends the alerts that it fires.
    mutating func apply(_ event: AlertEvent, _ fired: inout [FiredAlert]) {
        fired += book.apply(event).compactMap { book.fired($0) }
    }

    /// Notes that the feed is lost, before it may begin anew.
    mutating func interrupt(_ fired: inout [FiredAlert]) {
        isFollowing = false
        isFeedLost = true
        latestTradeAt = nil
        turnovers = [:]
        mayLackTurnovers = true
        apply(.interrupted, &fired)
    }

    /// Notes that trades arrive from now on.
    ///
    /// - Parameter isSilent: whether nothing has arrived for long, so that they may not.
    mutating func beginStream(isSilent: Bool = false) {
        isFollowing = true
        isFeedLost = isSilent
    }

    /// Takes the subscription from the board.
    mutating func noteSubscription(of board: MarketBoard) { subscription = board.subscription }

    /// Whether the subscription has brought its first trade, so that those of all markets arrive
    /// that are not joining.
    var areTradesFollowed: Bool { latestTradeAt != nil }

    /// Notes a trade, and adds it to the turnover of its market if a rule watches that.
    mutating func note(_ trade: Trade) {
        guard isFollowing else { return }
        isFeedLost = false
        latestTradeAt = max(latestTradeAt ?? trade.executedAt, trade.executedAt)
        turnovers[trade.market]?.add(trade)
    }

    /// Notes that markets may have been listed.
    mutating func noteListing() { mayLackTurnovers = true }

    /// Begins the turnovers that rules watch, of the markets whose trades arrive.
    mutating func beginTurnovers(_ board: MarketBoard) {
        guard mayLackTurnovers, let since = latestTradeAt else { return }
        mayLackTurnovers = false
        for market in board.markets.lazy.map(\.id)
        where turnovers[market] == nil && watched.needsTurnover(of: market) {
            // Trades before the first one of a market that joins the subscription may not arrive.
            if subscription.late[market] == nil {
                turnovers[market] = AlertTurnover(since: since)
            } else {
                mayLackTurnovers = true
            }
        }
    }
}

/// A user with alert rules, and all that the rules depend on.
public struct AlertOwner: Sendable, Hashable {
    /// The user.
    public var id: UserID
    /// The rules.
    public var rules: [UserAlertRule]
    /// The states of the rules that have fired, by number.
    public var fired: [Int64: [AlertSubject: AlertState]]
    /// The user's favorites.
    public var favorites: Set<MarketID>
    /// The user's holdings.
    public var holdings: [Holding]
    /// The user's cash in won; nil if it is not known.
    public var cash: FixedDecimal?

    /// Makes an owner; without rules by default.
    public init(
        id: UserID,
        rules: [UserAlertRule] = [],
        fired: [Int64: [AlertSubject: AlertState]] = [:],
        favorites: Set<MarketID> = [],
        holdings: [Holding] = [],
        cash: FixedDecimal? = nil
    ) {
        self.id = id
        self.rules = rules
        self.fired = fired
        self.favorites = favorites
        self.holdings = holdings
        self.cash = cash
    }
}

/// An alert with what a store needs to keep it.
public struct FiredAlert: Sendable, Hashable {
    /// The alert.
    public var alert: Alert
    /// The rule's creation or last change; a rule that was changed since does not fire.
    public var createdAt: Timestamp
    /// The rule's state afterwards.
    public var state: AlertState
    /// Of an alert whose value before was not known up to the crossing, the end of its time; nil of
    /// others.
    ///
    /// Another process, which had data meanwhile, may have found the crossing before.
    public var unknownSince: Timestamp?
    /// When a rule with hysteresis had been armed again since its firing before; nil without one.
    ///
    /// A store does not know it, and the values since then may hide it.
    public var armedAt: Timestamp?

    /// Makes an alert.
    public init(
        alert: Alert,
        createdAt: Timestamp,
        state: AlertState,
        unknownSince: Timestamp? = nil,
        armedAt: Timestamp? = nil
    ) {
        self.alert = alert
        self.createdAt = createdAt
        self.state = state
        self.unknownSince = unknownSince
        self.armedAt = armedAt
    }

    /// The state of a firing before, with what this alert tells of the time after it.
    func arming(_ before: AlertState) -> AlertState {
        guard let armedAt, armedAt >= before.firedAt else { return before }
        var armed = before
        armed[alert.direction] = min(before[alert.direction] ?? armedAt, armedAt)
        return armed
    }
}

extension UserAlertRule {
    /// Whether nothing but firings differs.
    fileprivate func isSameRule(as other: UserAlertRule) -> Bool {
        rule == other.rule && createdAt == other.createdAt
    }
}

/// The signals that the rules of a book watch, besides firings.
struct AlertWatchList: Sendable {
    private var signals: [MarketID: Set<AlertSignal>] = [:]
    /// Signals of all markets.
    private(set) var shared: Set<AlertSignal> = []
    /// Signals of users' holdings.
    private(set) var personal: [AlertGaugeKey] = []

    init() {}

    init(_ book: AlertBook) {
        shared = book.sharedSignals
        for key in book.watchedKeys {
            if key.subject.owner != nil {
                personal.append(key)
            } else if let market = key.subject.market {
                signals[market, default: []].insert(key.signal)
            }
        }
    }

    /// The watched signals of a market.
    func signals(of market: MarketID) -> Set<AlertSignal> {
        guard let own = signals[market] else { return shared }
        return shared.isEmpty ? own : own.union(shared)
    }

    /// Markets of which a rule watches a signal other than those of all markets.
    var markets: Dictionary<MarketID, Set<AlertSignal>>.Keys { signals.keys }

    func needsTurnover(of market: MarketID) -> Bool {
        func isTurnover(_ signal: AlertSignal) -> Bool {
            if case .turnover = signal { true } else { false }
        }
        return shared.contains(where: isTurnover)
            || signals[market]?.contains(where: isTurnover) ?? false
    }

    var needsAssetStates: Bool {
        func isOfAssets(_ signal: AlertSignal) -> Bool {
            signal == .deposit || signal == .withdrawal
        }
        return shared.contains(where: isOfAssets)
            || signals.values.contains { $0.contains(where: isOfAssets) }
    }

    /// The first markets, by name, of which rules watch a signal by name.
    func markets(of signal: AlertSignal, atMost count: Int) -> Set<MarketID> {
        let markets = signals.filter { $0.value.contains(signal) }.keys
        return markets.count <= count ? Set(markets) : Set(markets.sorted().prefix(count))
    }

    /// The periods of changes whose bases have to be read.
    var periods: Set<ShownPeriod> {
        var periods: Set<ShownPeriod> = []
        for (market, signals) in signals {
            for case .change(let period) in signals where period.window != nil {
                periods.insert(.row(period, market))
            }
        }
        for case .change(let period) in shared {
            periods.formUnion(Set<ShownPeriod>.lists(period, of: Set(Quote.allCases)))
        }
        return periods
    }
}
