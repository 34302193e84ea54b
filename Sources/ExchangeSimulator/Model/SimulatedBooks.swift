import Domain

/// The order books of an exchange: made on request, and advanced for subscribers.
///
/// A book without subscribers costs nothing; it catches up on request. Bounded by one book of at
/// most 120 levels for each market.
struct SimulatedBooks: Sendable {
    /// An event of a market's book, sent to its subscribers.
    enum Event: Sendable {
        /// The changes: `orderbookdepth`.
        case changes
        /// The whole book: `orderbooksnapshot`.
        case snapshot
        /// The best levels: `orderbook` of API 2.x, also if nothing has changed.
        case units
    }

    /// A market whose book has subscribers.
    private struct Followed: Sendable {
        var place: Int
        var kinds: FrameKinds
        /// When the book moves next, and when its next snapshot is due.
        var nextMove: Timestamp
        var nextSnapshot: Timestamp
        /// When the next frame of API 2.x is due; nil if nobody wants any.
        var nextUnits: Timestamp?
    }

    private struct Entry: Sendable {
        var book: SimulatedBook
        /// Market time when a request last moved the book.
        var askedAt: Timestamp?
    }

    private var entries: [Int: Entry] = [:]
    private var followed: [Followed] = []
    private var random: SeededRandom
    private let framesPerSecond: Int?
    /// Frames owed at a set rate, in millionths.
    private var credit: Int64 = 0
    /// The market whose turn is next at a set rate.
    private var turn = 0

    /// How often the busiest market's book moves: about four times a second.
    private static let moveMicroseconds = 200_000...300_000
    private static let snapshotMicroseconds = 200_000...250_000
    /// About nine a second, so that about half of them repeat the one before.
    private static let unitsMicroseconds = 90_000...135_000
    /// Number of orders that change on either side in a move.
    private static let changesPerMove = 3...12
    /// Half the levels of a frame at a set rate.
    private static let levelsPerSide = 10
    private static let never = Timestamp(microseconds: .max)
    /// The slowest market is at most this many times slower than the busiest one.
    private static let slownessMax = 40
    /// Maximum time simulated in one step.
    private static let stepMicrosecondsMax: Int64 = 1_000_000

    init(framesPerSecond: Int?, random: SeededRandom) {
        self.framesPerSecond = framesPerSecond
        self.random = random
    }

    /// Whether any book has subscribers.
    var isFollowed: Bool { !followed.isEmpty }

    // MARK: Following

    /// Replaces the subscriptions: by market index the wanted kinds.
    mutating func follow(_ interests: [Int: FrameKinds], from now: Timestamp) {
        let known = Dictionary(uniqueKeysWithValues: followed.map { ($0.place, $0) })
        followed = interests.sorted { $0.key < $1.key }.map { place, kinds in
            var one =
                known[place]
                ?? Followed(place: place, kinds: kinds, nextMove: now, nextSnapshot: now)
            if known[place] == nil {
                one.nextMove = later(than: now, by: Self.moveMicroseconds, slowness: 1)
                one.nextSnapshot = later(than: now, by: Self.snapshotMicroseconds, slowness: 1)
            }
            if !kinds.contains(.marketBook) {
                one.nextUnits = nil
            } else if one.nextUnits == nil {
                one.nextUnits = later(than: now, by: Self.unitsMicroseconds, slowness: 1)
            }
            one.kinds = kinds
            return one
        }
    }

    /// Advances the followed books to a time.
    ///
    /// - Parameters:
    ///   - start: the time reached so far; every event is later.
    ///   - end: the new time, usually at most one step after `start`.
    ///   - exchange: the source of prices.
    ///   - emit: receives each event with the index of its market and the book at that time.
    mutating func advance(
        from start: Timestamp,
        to end: Timestamp,
        of exchange: SimulatedExchange,
        emit: (Event, Int, SimulatedBook, Timestamp) -> Void
    ) {
        guard start < end, !followed.isEmpty else { return }
        // Prevents a burst after a long suspension.
        let first = Timestamp(
            microseconds: max(start.microseconds, end.microseconds - Self.stepMicrosecondsMax) + 1
        )
        if let framesPerSecond {
            shake(framesPerSecond, from: first, to: end, of: exchange, emit: emit)
        }
        for index in followed.indices {
            advance(index, from: first, to: end, of: exchange, emit: emit)
        }
    }

    private mutating func advance(
        _ index: Int,
        from first: Timestamp,
        to end: Timestamp,
        of exchange: SimulatedExchange,
        emit: (Event, Int, SimulatedBook, Timestamp) -> Void
    ) {
        let place = followed[index].place
        let market = exchange.markets[place]
        guard market.standing == .active else { return }
        draw(market, at: place)
        let slowness = Self.slowness(of: market, heaviest: exchange.heaviestWeight)
        while true {
            let one = followed[index]
            let nextMove = isPacedAlone(one) ? one.nextMove : Self.never
            let nextUnits = one.nextUnits ?? Self.never
            let next = min(one.nextSnapshot, nextMove, nextUnits)
            let due = max(next, first)
            guard due <= end else { return }
            // If several are due, the move comes first and the others include it.
            if max(nextMove, first) == due {
                let changes = random.number(in: Self.changesPerMove) / slowness + 1
                entries[place]?.book.move(with: market, changes: changes)
                followed[index].nextMove = later(
                    than: due,
                    by: Self.moveMicroseconds,
                    slowness: slowness
                )
                if one.kinds.contains(.depth), let book = entries[place]?.book, !book.isUnchanged {
                    emit(.changes, place, book, due)
                }
            } else if max(nextUnits, first) == due {
                followed[index].nextUnits = later(
                    than: due,
                    by: Self.unitsMicroseconds,
                    slowness: slowness
                )
                if let book = entries[place]?.book { emit(.units, place, book, due) }
            } else {
                followed[index].nextSnapshot = later(
                    than: due,
                    by: Self.snapshotMicroseconds,
                    slowness: slowness
                )
                guard one.kinds.contains(.snapshot), let book = entries[place]?.book else {
                    continue
                }
                emit(.snapshot, place, book, due)
            }
        }
    }

    /// Whether a book moves at its own pace; at a set rate it moves with its change frames.
    private func isPacedAlone(_ one: Followed) -> Bool {
        framesPerSecond == nil || !one.kinds.contains(.depth)
    }

    /// Makes change frames at a set rate, for one market after the other.
    ///
    /// Snapshots that are due before a change in its market are emitted before it: a snapshot
    /// includes every change up to its time, and none after it.
    private mutating func shake(
        _ framesPerSecond: Int,
        from first: Timestamp,
        to end: Timestamp,
        of exchange: SimulatedExchange,
        emit: (Event, Int, SimulatedBook, Timestamp) -> Void
    ) {
        let wanting = followed.indices.filter {
            followed[$0].kinds.contains(.depth)
                && exchange.markets[followed[$0].place].standing == .active
        }
        guard !wanting.isEmpty else { return }
        let elapsed = end.microseconds - first.microseconds + 1
        credit += elapsed * Int64(framesPerSecond)
        let count = credit / 1_000_000
        credit -= count * 1_000_000
        for frame in 0..<count {
            turn = (turn + 1) % wanting.count
            let index = wanting[turn]
            let place = followed[index].place
            let market = exchange.markets[place]
            let at = first.microseconds + (elapsed - 1) * (frame + 1) / count
            let before = Timestamp(microseconds: at - 1)
            // `advance` also makes the book of the market, unless it exists.
            advance(index, from: first, to: before, of: exchange, emit: emit)
            entries[place]?.book.shake(with: market, levelsPerSide: Self.levelsPerSide)
            guard let book = entries[place]?.book, !book.isUnchanged else { continue }
            emit(.changes, place, book, Timestamp(microseconds: at))
        }
    }

    // MARK: Asking

    /// Whether a market's book has subscribers.
    func isFollowed(_ place: Int) -> Bool { followed.contains { $0.place == place } }

    /// The book of a market as its subscribers know it; a book without subscribers catches up
    /// first.
    mutating func book(ofMarketAt place: Int, of exchange: SimulatedExchange) -> SimulatedBook {
        let market = exchange.markets[place]
        guard market.standing == .active else { return .empty(of: market) }
        var entry = draw(market, at: place)
        guard !isFollowed(place), entry.askedAt != exchange.now else { return entry.book }
        // Twice, because a price that has just left one side joins the other one later.
        for _ in 0..<2 {
            entry.book.move(with: market, changes: Self.changesPerMove.lowerBound)
        }
        entry.askedAt = exchange.now
        entries[place] = entry
        return entry.book
    }

    /// Makes the book of a market unless it exists.
    @discardableResult
    private mutating func draw(_ market: SimulatedMarket, at place: Int) -> Entry {
        if let entry = entries[place] { return entry }
        let entry = Entry(book: SimulatedBook(of: market))
        entries[place] = entry
        return entry
    }

    // MARK: Pace

    /// How many times more slowly a market's book moves than the busiest one's.
    private static func slowness(of market: SimulatedMarket, heaviest: Int) -> Int {
        guard market.weight > 0 else { return slownessMax }
        var slowness = 1
        while slowness < slownessMax, slowness * slowness * market.weight < heaviest {
            slowness += 1
        }
        return slowness
    }

    private mutating func later(
        than time: Timestamp,
        by range: ClosedRange<Int>,
        slowness: Int
    ) -> Timestamp {
        time.advanced(by: .microseconds(random.number(in: range) * slowness))
    }
}
