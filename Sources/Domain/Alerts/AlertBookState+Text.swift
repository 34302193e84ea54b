extension AlertBookState {
    /// One line of text for each fact, sorted, so that equal states have equal lines.
    public var lines: [String] {
        let gaugeLines = gauges.map { key, gauge in
            ["gauge", key.signal.field, key.subject.field, gauge.text].joined(separator: " ")
        }
        let listingLines = listings.map { "listing \($0.rawValue) \($1.text)" }
        let firedLines = fired.flatMap { id, states in
            states.map { "fired \(id.owner.number):\(id.number) \($0.field) \($1.text)" }
        }
        let head = "feed \(feed.rawValue) \(AlertText.text(liveUntil))"
        return [head] + gaugeLines.sorted() + listingLines.sorted() + firedLines.sorted()
    }

    /// Parses ``lines``; nil if one of them is none.
    public init?(lines: [String]) {
        let head = (lines.first ?? "").split(separator: " ")
        guard head.count == 3, head[0] == "feed", let feed = FeedKind(rawValue: String(head[1])),
            let until = AlertText.optionalTime(head[2])
        else { return nil }
        self.init(feed: feed)
        liveUntil = until
        for line in lines.dropFirst() {
            let words = line.split(separator: " ")
            guard let kind = words.first, read(kind, words.dropFirst()) else { return nil }
        }
    }

    private mutating func read(_ kind: Substring, _ words: ArraySlice<Substring>) -> Bool {
        var words = words
        guard let name = words.popFirst() else { return false }
        switch kind {
        case "listing":
            guard let quote = Quote(rawValue: String(name)), let gauge = AlertGauge(words) else {
                return false
            }
            listings[quote] = gauge
        case "gauge":
            guard let signal = AlertSignal(field: name),
                let subject = words.popFirst().flatMap({ AlertSubject(field: $0) }),
                let gauge = AlertGauge(words)
            else { return false }
            gauges[AlertGaugeKey(signal: signal, subject: subject)] = gauge
        case "fired":
            guard let id = AlertRuleID(field: name),
                let subject = words.popFirst().flatMap({ AlertSubject(field: $0) }),
                let state = AlertState(text: words.joined(separator: " "))
            else { return false }
            fired[id, default: [:]][subject] = state
        default: return false
        }
        return true
    }
}

/// Fields of text.
enum AlertText {
    static func text(_ time: Timestamp?) -> String {
        time.map { String($0.microseconds) } ?? "-"
    }

    static func time(_ text: some StringProtocol) -> Timestamp? {
        Int64(text).map { Timestamp(microseconds: $0) }
    }

    /// The outer value is nil for an invalid text.
    static func optionalTime(_ text: some StringProtocol) -> Timestamp?? {
        text == "-" ? .some(nil) : time(text).map { .some($0) }
    }
}

extension AlertRuleID {
    /// Parses the numbers of user and rule, `1:7`.
    fileprivate init?(field: Substring) {
        let numbers = field.split(separator: ":", omittingEmptySubsequences: false)
        guard numbers.count == 2, let owner = Int64(numbers[0]), let number = Int64(numbers[1])
        else { return nil }
        self.init(number, of: UserID(owner))
    }
}

extension AlertGauge {
    fileprivate var text: String {
        let fields = [
            value.canonicalText, AlertText.text(at), String(source.rawValue),
            AlertText.text(knownUntil), loss.rawValue,
        ]
        let stretches = [current?.text ?? "-"] + past.map(\.text)
        return (fields + stretches).joined(separator: " ")
    }

    fileprivate init?(_ words: ArraySlice<Substring>) {
        let fields = Array(words)
        guard fields.count >= 6, let value = try? FixedDecimal(parsing: String(fields[0])),
            let at = AlertText.time(fields[1]),
            let source = Int(fields[2]).flatMap(MarketState.ValueSource.init(rawValue:)),
            let knownUntil = AlertText.optionalTime(fields[3]),
            let loss = Alert.Lateness(rawValue: String(fields[4]))
        else { return nil }
        self.init(value: value, at: at, source: source, knownUntil: knownUntil, loss: loss)
        current = Stretch(fields[5])
        past = fields.dropFirst(6).compactMap { Stretch($0) }
        // A stretch that is none is neither kept nor passed over.
        guard past.count == fields.count - 6, current != nil || fields[5] == "-" else {
            return nil
        }
    }
}

extension AlertGauge.Stretch {
    fileprivate var text: String {
        let kind = isOfTrades ? "trades" : "others"
        return "\(start.microseconds):\(low.canonicalText):\(high.canonicalText):\(kind)"
    }

    fileprivate init?(_ text: Substring) {
        let parts = text.split(separator: ":")
        guard parts.count == 4, let start = AlertText.time(parts[0]),
            let low = try? FixedDecimal(parsing: String(parts[1])),
            let high = try? FixedDecimal(parsing: String(parts[2])),
            parts[3] == "trades" || parts[3] == "others"
        else { return nil }
        self.init(start: start, low: low, high: high, isOfTrades: parts[3] == "trades")
    }
}

extension AlertSubject {
    /// `BTC_KRW`, `7/BTC_KRW` or `7/-`.
    fileprivate var field: String {
        let market = market?.name ?? "-"
        return owner.map { "\($0.number)/\(market)" } ?? market
    }

    fileprivate init?(field: Substring) {
        let parts = field.split(separator: "/")
        guard let last = parts.last, parts.count <= 2 else { return nil }
        let owner = parts.count == 2 ? Int64(parts[0]).map { UserID($0) } : nil
        let market = MarketID(name: String(last))
        guard parts.count == 1 || owner != nil, market != nil || last == "-" && owner != nil else {
            return nil
        }
        self.init(owner: owner, market: market)
    }
}

extension AlertSignal {
    private static let plain: [(signal: AlertSignal, field: String)] = [
        (.price, "price"), (.spread, "spread"), (.strength, "strength"), (.deposit, "deposit"),
        (.withdrawal, "withdrawal"), (.caution, "caution"), (.exchangeAlert, "alert"),
        (.listed, "listed"), (.trading, "trading"), (.value, "value"), (.profitRate, "return"),
    ]

    /// `price`, `change:24H`, `turnover:5`.
    fileprivate var field: String {
        switch self {
        case .change(let period): "change:\(period.rawValue)"
        case .turnover(let minutes): "turnover:\(minutes)"
        case .price, .spread, .strength, .deposit, .withdrawal, .caution, .exchangeAlert, .listed,
            .trading, .value, .profitRate:
            Self.plain.first { $0.signal == self }?.field ?? ""
        }
    }

    fileprivate init?(field: Substring) {
        let parts = field.split(separator: ":")
        if parts.count == 2, parts[0] == "change",
            let period = ChangePeriod(rawValue: String(parts[1]))
        {
            self = .change(period)
        } else if parts.count == 2, parts[0] == "turnover", let minutes = Int(parts[1]) {
            self = .turnover(minutes: minutes)
        } else if let plain = Self.plain.first(where: { $0.field == field }) {
            self = plain.signal
        } else {
            return nil
        }
    }
}
