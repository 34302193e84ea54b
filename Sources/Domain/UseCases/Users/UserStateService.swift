import Concurrency
public import Domain
import Synchronization

/// Keeps what is personal of many users, as far as they asked lately: reads it when it was changed
/// and somebody looks, makes changes, and lets everybody see the same.
///
/// Bound: ``usersMax`` users; when full, those who asked longest ago lose their seats, streams
/// excepted. A reading is shared by all who wait for it. What nobody changed is not read again:
/// news say what was, and a reading counts for a minute at the most.
///
/// While the store is away, what was read before goes on to be shown; how long somebody may see it
/// is for their token to say.
public final class UserStateService<Companion: Sendable>: Sendable {
    /// A user's seat.
    public typealias Seat = UserStateEntry<Companion>

    /// Users who have a seat.
    public static var usersMax: Int { 4_096 }
    /// Streams' users who are read at one time after news.
    static var readingsMax: Int { 8 }
    /// How long after a look news of a user are asked for, where they have to be.
    static var attention: Duration { .seconds(30) }
    /// How often what streams show is looked after.
    static var lookInterval: Duration { .seconds(1) }

    private struct Place {
        let seat: Seat
        var plan: RefreshPolicy
        var waiters: [CheckedContinuation<Void, Never>] = []
    }

    private let repository: any UserRepository
    private let news: any ChangeNotificationRepository
    private let stopwatch: Stopwatch
    private let pause: @Sendable () async throws -> Void
    private let makeCompanion: @Sendable (UserStatePublisher) -> Companion
    private let places = Mutex<[UserID: Place]>([:])
    private let isChanged = AsyncEvent()

    /// Makes a keeper of nobody yet.
    ///
    /// - Parameters:
    ///   - repository: where everything is kept.
    ///   - news: hears what others change.
    ///   - clock: measures how old readings are.
    ///   - makeCompanion: makes what an outlet keeps with a seat.
    public init<C: Clock>(
        repository: any UserRepository,
        news: any ChangeNotificationRepository,
        clock: C,
        makeCompanion: @escaping @Sendable (UserStatePublisher) -> Companion
    ) where C.Duration == Duration {
        self.repository = repository
        self.news = news
        self.makeCompanion = makeCompanion
        stopwatch = Stopwatch(clock)
        let interval = Self.lookInterval
        pause = { try await clock.sleep(for: interval) }
    }

    /// How many users have a seat.
    public var count: Int { places.withLock { $0.count } }

    // MARK: Looking

    /// The seat of a user if what it shows is what is kept; never waits.
    ///
    /// - Returns: nil if ``seat(of:)`` has to be asked.
    public func current(_ user: UserID) -> Seat? {
        places.withLock { places in
            guard var place = places.removeValue(forKey: user) else { return nil }
            let time = stopwatch.elapsed
            let needed = place.plan.arrive(at: time)
            let isCurrent = place.plan.isShown(needing: needed, at: time)
            let seat = place.seat
            places[user] = place
            return isCurrent ? seat : nil
        }
    }

    /// The seat of a user, with what is kept now or was a moment ago.
    ///
    /// - Throws: ``StoreFailure`` if nothing was read before and cannot be now, and `busy` if every
    ///   seat is taken.
    public func seat(of user: UserID) async throws(StoreFailure) -> Seat {
        var (seat, needed) = try arrive(user)
        while true {
            let step: RefreshPolicy.Step? = places.withLock { places in
                guard places[user]?.seat === seat else { return nil }
                return places[user]?.plan.step(needing: needed, at: stopwatch.elapsed)
            }
            switch step {
            // Somebody else has got the seat meanwhile.
            case nil: (seat, needed) = try arrive(user)
            case .look: return seat
            case .fail(let failure): throw failure
            case .wait: await waitForReading(of: user, seat)
            case .read(let reading): await read(seat, reading)
            }
        }
    }

    /// Keeps a user's seat for a stream, and has what it shows read whenever that is another,
    /// until as many ``release(_:)`` came.
    ///
    /// - Throws: ``StoreFailure`` `busy` if every seat is taken.
    public func hold(_ user: UserID) throws(StoreFailure) {
        _ = try arrive(user, pins: 1)
    }

    /// Takes one ``hold(_:)`` back.
    public func release(_ user: UserID) {
        places.withLock { $0[user]?.plan.pins -= 1 }
    }

    /// Lets a user's things be read again before they are shown.
    public func doubt(_ user: UserID) {
        places.withLock { $0[user]?.plan.doubt() }
    }

    // MARK: Changing

    /// Makes a change.
    ///
    /// - Returns: the user's seat, which shows what is kept afterwards.
    /// - Throws: ``StoreFailure``: as the repository does; nothing is changed.
    public func perform(
        _ change: UserChange,
        of user: UserID
    ) async throws(StoreFailure) -> (seat: Seat, record: UserRecord) {
        let (seat, _) = try arrive(user)
        let reading = places.withLock { $0[user]?.plan.beginChange() }
        do throws(StoreFailure) {
            let record = try await repository.perform(change, of: user)
            seat.take(record, mayBeOlder: true)
            end(reading, of: seat, isMade: true)
            return (seat, record)
        } catch {
            end(reading, of: seat, isMade: false)
            throw error
        }
    }

    private func end(_ reading: RefreshPolicy.Reading?, of seat: Seat, isMade: Bool) {
        guard let reading else { return }
        places.withLock { places in
            places[seat.user]?.plan.endChange(reading, isMade: isMade, at: stopwatch.elapsed)
        }
    }

    // MARK: Running

    /// Hears news, and reads what streams show, until the task is cancelled; to be called once.
    public func run() async {
        await withTaskGroup { group in
            group.addTask {
                await self.news.run(
                    watchedUsers: { self.watchedUsers() },
                    deliver: { self.hear($0) }
                )
            }
            group.addTask { await self.refresh() }
            group.addTask {
                while !Task.isCancelled {
                    try? await self.pause()
                    self.isChanged.signal()
                }
            }
            await group.waitForAll()
        }
    }

    private func hear(_ news: ChangeNotification) {
        places.withLock { places in
            switch news {
            case .users(let users):
                for user in users { places[user]?.plan.doubt() }
            case .anybody:
                for user in Array(places.keys) { places[user]?.plan.doubt() }
            }
        }
        isChanged.signal()
    }

    private func watchedUsers() -> [UserID] {
        let time = stopwatch.elapsed
        return places.withLock { places in
            places.filter { _, place in
                place.plan.pins > 0 || time - place.plan.usedAt < Self.attention
            }
            .map(\.key)
        }
    }

    /// Reads what streams show and news say is another.
    private func refresh() async {
        while !Task.isCancelled {
            await isChanged.wait()
            let time = stopwatch.elapsed
            let doubtful = places.withLock { places in
                places.filter { $0.value.plan.pins > 0 && $0.value.plan.isDoubtful(at: time) }
                    .map(\.key)
            }
            await withTaskGroup(of: Void.self) { group in
                for (number, user) in doubtful.enumerated() {
                    if number >= Self.readingsMax { await group.next() }
                    // What fails is tried again with the next look.
                    group.addTask { _ = try? await self.seat(of: user) }
                }
                await group.waitForAll()
            }
        }
    }

    // MARK: Reading

    private func read(_ seat: Seat, _ reading: RefreshPolicy.Reading) async {
        do throws(StoreFailure) {
            let record = try await repository.record(of: seat.user)
            ended(reading, of: seat, failure: nil) { seat.take(record, mayBeOlder: $0) }
        } catch {
            ended(reading, of: seat, failure: error) { _ in seat.fail(error) }
        }
    }

    private func ended(
        _ reading: RefreshPolicy.Reading,
        of seat: Seat,
        failure: StoreFailure?,
        publish: (_ mayBeOlder: Bool) -> Void
    ) {
        let waiters = places.withLock { places in
            guard var place = places.removeValue(forKey: seat.user) else {
                preconditionFailure("A seat that is read is not given away.")
            }
            // Before anybody is told that it was read.
            publish(place.plan.ended(reading, failure: failure, at: stopwatch.elapsed))
            let waiters = place.waiters
            place.waiters = []
            places[seat.user] = place
            return waiters
        }
        for waiter in waiters { waiter.resume() }
    }

    private func waitForReading(of user: UserID, _ seat: Seat) async {
        await withCheckedContinuation { waiter in
            let isWaiting = places.withLock { places in
                guard let place = places[user], place.seat === seat, place.plan.isReading else {
                    return false
                }
                places[user]?.waiters.append(waiter)
                return true
            }
            if !isWaiting { waiter.resume() }
        }
    }

    // MARK: Seats

    private func arrive(
        _ user: UserID,
        pins: Int = 0
    ) throws(StoreFailure) -> (seat: Seat, needed: UInt64) {
        let time = stopwatch.elapsed
        return try places.withLock { places throws(StoreFailure) in
            if places[user] == nil {
                try Self.makeRoom(in: &places)
                places[user] = Place(
                    seat: Seat(user, makeCompanion: makeCompanion),
                    plan: RefreshPolicy(at: time)
                )
            }
            guard let seat = places[user]?.seat, let needed = places[user]?.plan.arrive(at: time)
            else { preconditionFailure("A seat that was made is there.") }
            places[user]?.plan.pins += pins
            return (seat, needed)
        }
    }

    /// Takes an eighth of the seats from those who asked longest ago, so that it is seldom done.
    private static func makeRoom(in places: inout [UserID: Place]) throws(StoreFailure) {
        guard places.count >= usersMax else { return }
        let oldest = places.filter { $0.value.plan.isIdle }
            .sorted { $0.value.plan.usedAt < $1.value.plan.usedAt }
            .prefix(usersMax / 8)
        guard !oldest.isEmpty else { throw StoreFailure.tooManyUsers }
        for (user, _) in oldest { places[user] = nil }
    }
}

extension StoreFailure {
    /// Every seat is taken by somebody who is being served.
    static let tooManyUsers = StoreFailure(
        .busy,
        "more users are being served than may; repeat it in a moment"
    )
}
