import Concurrency
import Domain
import HTTPServer
import Synchronization

/// Serves all stream connections from one thread: emits in steps, reads requests, writes output.
final class StreamServer: Sendable {
    /// The source of frames.
    enum Feed: Sendable {
        case simulated(SimulatedFeed)
        case replay(ReplayFeed)
    }

    /// Removed when serving begins.
    private let loop: Mutex<StreamLoop?>
    private let executor = BlockingExecutor(label: "hoga.exchange.stream")

    init(_ loop: consuming sending StreamLoop) {
        self.loop = Mutex(loop)
    }

    /// Serves until the simulator is stopped, closes every connection and runs `finish`.
    ///
    /// Runs on its own thread because it blocks.
    func run(then finish: @escaping @Sendable () -> Void) async {
        await executor.run {
            if var loop = self.loop.withLock({ $0.take() }) { loop.run() }
            finish()
        }
    }
}

/// The loop of the stream's thread.
///
/// The server blocks only in the poller, never on a client; each client has its own bounded output.
struct StreamLoop: ~Copyable {
    private let feed: StreamServer.Feed
    private let status: SimulatorStatus
    private let inbox: StreamAcceptQueue
    private let poller: SocketPoller
    private let now: @Sendable () -> Timestamp
    private let outputBytesMax: Int
    private let acknowledgementDelay: ClosedRange<Duration>
    private var random: SeededRandom

    /// Connections to the stream of API 1.x.
    private var sessions: [Int: StreamSession] = [:]
    /// Connections to the stream of API 2.x.
    private var markets = MarketStreams()
    private var batch = FrameBatch()
    private var buffer = [UInt8](repeating: 0, count: 65_536)
    private var lastStep: Timestamp
    /// Whether a connection with order book subscriptions has closed.
    private var hasLostSession = false

    /// Time between steps: short enough that frames do not come in bursts.
    private static let stepMilliseconds: Int64 = 10
    /// How much output of a recording is collected before it is written.
    private static let playbackBytesMax = 262_144
    /// How often that happens for one connection before the next one's turn.
    private static let playbackRoundsMax = 16

    init(
        feed: StreamServer.Feed,
        configuration: ExchangeSimulator.Configuration,
        status: SimulatorStatus,
        inbox: StreamAcceptQueue,
        poller: SocketPoller,
        now: @escaping @Sendable () -> Timestamp
    ) {
        self.feed = feed
        self.status = status
        self.inbox = inbox
        self.poller = poller
        self.now = now
        outputBytesMax = configuration.outputBytesMax
        acknowledgementDelay = configuration.acknowledgementDelay
        switch configuration.feed {
        case .simulation(let simulation): random = SeededRandom(seed: ~simulation.seed)
        case .replay: random = SeededRandom(seed: 0)
        }
        lastStep = now()
    }

    /// Serves until the simulator is stopped, then closes every connection.
    mutating func run() {
        while !status.isStopped {
            let sinceStep = (now().microseconds - lastStep.microseconds) / 1_000
            let wait = Self.stepMilliseconds - min(max(sinceStep, 0), Self.stepMilliseconds)
            serve(waitingMilliseconds: Int(wait))
        }
        end()
    }

    /// Serves what is due, after waiting for an event.
    mutating func serve(waitingMilliseconds wait: Int) {
        let events = poller.wait(milliseconds: wait)
        welcome()
        for event in events where event.isReadable {
            read(fromConnection: Int(event.token))
        }
        let faults = status.faults
        let time = now()
        let elapsed = time.microseconds - lastStep.microseconds
        // A clock that was set back must not stop the loop.
        if elapsed >= Self.stepMilliseconds * 1_000 || elapsed < 0 || wantsRefill(events) {
            step(to: time, faults: faults)
        }
        drop(faults)
        flush(faults)
    }

    /// Refuses further connections and closes the open ones.
    mutating func end() {
        inbox.close()
        for connection in connections {
            connection.drop()
            forget(connection)
        }
    }

    // MARK: Connections

    /// All connections, in no order.
    private var connections: [StreamConnection] {
        sessions.values.map(\.connection) + markets.connections
    }

    private mutating func welcome() {
        for arrival in inbox.removeAll() {
            guard let socket = arrival.removeSocket() else { continue }
            let connection = StreamConnection(
                socket,
                at: arrival.place,
                api: arrival.api,
                compression: arrival.compression,
                number: status.nextConnectionNumber(),
                outputBytesMax: outputBytesMax
            )
            guard connection.watch(with: poller) else {
                connection.drop()
                continue
            }
            switch arrival.api {
            case .v1:
                let session = StreamSession(connection)
                sessions[connection.number] = session
                answer(session.requests(in: connection.receiveReadAhead()), of: session)
            case .v2: markets.add(connection, at: now())
            }
        }
    }

    private mutating func read(fromConnection number: Int) {
        if let session = sessions[number] {
            let messages = session.connection.read(into: &buffer)
            answer(session.requests(in: messages), of: session)
        } else {
            markets.read(fromConnection: number, into: &buffer, at: now())
        }
    }

    /// Drops the connections that faults end.
    private func drop(_ faults: FaultSet) {
        let dropsAll = status.consumeDropRequest()
        for connection in connections where dropsAll || faults.isStreamGone(connection.api) {
            connection.drop()
        }
    }

    private mutating func answer(_ requests: [SubscriptionRequest], of session: StreamSession) {
        for request in requests {
            session.filter.apply(request)
            session.owe(acknowledgementAt: now().advanced(by: nextDelay()))
            guard session.playback == nil, case .replay(let replay) = feed else { continue }
            session.playback = Playback(replay.recording)
        }
    }

    private mutating func nextDelay() -> Duration {
        let low = acknowledgementDelay.lowerBound.wholeMicroseconds
        let high = acknowledgementDelay.upperBound.wholeMicroseconds
        return .microseconds(random.number(in: Int(low)...Int(max(low, high))))
    }

    private mutating func forget(_ connection: StreamConnection) {
        if sessions.removeValue(forKey: connection.number) != nil { hasLostSession = true }
        markets.remove(connection)
        status.connectionEnded(connection.report)
    }

    // MARK: Steps

    /// Whether a recording can continue because a client has made room.
    private func wantsRefill(_ events: [SocketPoller.Event]) -> Bool {
        guard case .replay = feed else { return false }
        return events.contains { $0.isWritable }
    }

    private mutating func step(to time: Timestamp, faults: FaultSet) {
        let elapsed = time.microseconds - lastStep.microseconds
        lastStep = time
        if faults.isOn(.stall) { return }
        for session in sessions.values where !faults.isStalled(.v1) {
            if !session.isGreeted, !faults.isOn(.greetingWithheld) { session.greet() }
            session.advance(to: time)
        }
        if !faults.isStalled(.v2) { markets.advance(to: time) }
        guard status.beginEmitting() else { return }
        switch feed {
        case .simulated(let simulated): emit(simulated, faults: faults)
        case .replay(let replay):
            for session in sessions.values { play(replay, on: session, elapsed: elapsed) }
        }
    }

    private mutating func emit(_ feed: SimulatedFeed, faults: FaultSet) {
        let listings = feed.listings
        var kinds: FrameKinds = []
        var hasChanged = hasLostSession
        for session in sessions.values {
            if session.filter.update(for: listings) { hasChanged = true }
            kinds.formUnion(session.filter.kinds)
        }
        if markets.update(for: listings, faults) { hasChanged = true }
        if hasChanged {
            var books: [Int: FrameKinds] = [:]
            for session in sessions.values {
                books.merge(session.filter.books) { $0.union($1) }
            }
            for place in markets.interests.books.keys {
                books[place, default: []].formUnion(.marketBook)
            }
            feed.follow(books)
            hasLostSession = false
        }
        if !faults.isStalled(.v2) { markets.sendSnapshots(of: feed, faults: faults) }
        markets.advance(feed, kinds: kinds, faults: faults, batch: &batch)
        for session in sessions.values where !faults.isStalled(.v1) { session.append(batch) }
    }

    /// Sends due frames as fast as the client reads; a recording waits for it.
    private mutating func play(
        _ replay: ReplayFeed,
        on session: StreamSession,
        elapsed: Int64
    ) {
        let connection = session.connection
        guard var playback = session.playback, !connection.isClosing else { return }
        // Moved out, so that changing it does not copy it.
        session.playback = nil
        defer { session.playback = playback }
        playback.advance(by: elapsed)
        for _ in 0..<Self.playbackRoundsMax where connection.end == nil {
            while connection.waitingBytes < Self.playbackBytesMax,
                let frame = playback.nextDue(at: replay.speed)
            {
                connection.append(recorded: frame.text)
                replay.reach(frame.position)
            }
            guard connection.waitingBytes >= Self.playbackBytesMax else { break }
            connection.flush(with: poller)
            if connection.waitingBytes > 0 { return }
        }
        if playback.isAtEnd {
            replay.reach(.max)
            connection.close(code: 4_000, reason: "recording ended")
        } else if let position = playback.position(at: replay.speed) {
            replay.reach(position)
        }
    }

    private mutating func flush(_ faults: FaultSet) {
        for connection in connections {
            if !faults.isStalled(connection.api) { connection.flush(with: poller) }
            if connection.end != nil { forget(connection) }
        }
        status.finishEmitting(
            connections: connections.map(\.report).sorted { $0.number < $1.number }
        )
    }
}
