public import DataSourceContracts

/// Which generations of the exchange's API are in use: a pure state machine.
///
/// The primary one has prices, trades, candles and names: 2.x if it is in use. So it is with order
/// books, unless more levels are wanted than its frames have: those come from 1.x if it is in use.
/// A generation is left when its answers say that it is gone, or when it is silent while the other
/// one flows. If only its order books end, only they are left. A left one is probed, and used again
/// once it has answered well twice; it gets its role back with its first data. One is always in
/// use: without the other it is an outage, and its own feeds retry.
struct GenerationStateMachine: Sendable {
    /// The answers of a channel in a row after which a generation is left.
    static let goneAnswersMax = 3
    /// The silence after which a generation is left while the other one flows.
    static let silenceMax = Duration.seconds(45)
    /// The age of the newest data up to which a generation flows.
    static let flowMax = Duration.seconds(5)
    /// The longest pause between data of one flow: in quiet hours the busiest market pauses, too.
    static let flowPauseMax = Duration.seconds(15)
    /// The time between probes of a left generation while the other one flows.
    static let probeInterval = Duration.seconds(600)
    /// The time between probes while none flows, and before the second good one.
    static let urgentProbeInterval = Duration.seconds(10)
    /// The time between an answer that a generation is gone and the probe that confirms it.
    static let confirmationInterval = Duration.milliseconds(400)
    /// The good probes in a row after which a generation is used again.
    static let goodProbesMin = 2

    /// The verdict of an answer on its generation.
    enum Answer: Sendable, Hashable {
        /// The generation serves.
        case good
        /// The exchange does not serve the generation any more.
        case gone(DataSourceError)
        /// Anything else, such as a rate limit or a time-out.
        case unclear
    }

    /// Why a generation was left.
    enum Reason: Sendable, Hashable {
        /// Several answers in a row said that the generation is gone.
        case gone(DataSourceError)
        /// The generation was silent while the other one flowed.
        case silent
    }

    /// A generation that was left.
    struct Leave: Sendable, Hashable {
        var reason: Reason
        var at: Duration
    }

    /// Answers of one channel in a row that it is gone.
    private struct Suspicion {
        /// Those while the other generation flowed: it may be the way to both that is gone.
        var count = 0
        /// When the last one came.
        var answeredAt: Duration?
        /// As `answeredAt`, until a probe confirms nothing.
        var at: Duration?
    }

    private struct State {
        var suspicions: [GenerationChannel: Suspicion] = [:]
        /// When its order books ended, and nothing else.
        var booksEndedAt: Duration?
        /// Whether it is used again and has not sent data yet.
        var isReturning = false
        /// When data last arrived; the start of use until then.
        var dataAt: Duration
        /// Since when data have arrived without a long pause; nil before the first.
        var flowsSince: Duration?
        var leave: Leave?
        var probedAt: Duration?
        var goodProbes = 0
    }

    private var states: [APIGeneration: State]

    /// Uses all of `generations`.
    init(_ generations: Set<APIGeneration>, at now: Duration) {
        precondition(!generations.isEmpty, "One generation is always in use.")
        states = [:]
        for generation in generations { states[generation] = State(dataAt: now) }
    }

    /// The generations in use; never empty.
    var inUse: Set<APIGeneration> { Set(states.filter { $0.value.leave == nil }.keys) }

    /// The use of the generations.
    var use: GenerationUse {
        GenerationUse(
            inUse: inUse,
            primary: preferred(.v2, of: ready),
            books: preferred(.v2, of: withBooks),
            deepBooks: preferred(.v1, of: withBooks)
        )
    }

    /// Those in use that send data, else all in use.
    private var ready: Set<APIGeneration> {
        let ready = inUse.filter { states[$0]?.isReturning == false }
        return ready.isEmpty ? inUse : ready
    }

    /// Those that are ready and have order books, else all that are ready.
    private var withBooks: Set<APIGeneration> {
        let ready = ready
        let withBooks = ready.filter { states[$0]?.booksEndedAt == nil }
        return withBooks.isEmpty ? ready : withBooks
    }

    private func preferred(
        _ generation: APIGeneration,
        of candidates: Set<APIGeneration>
    ) -> APIGeneration {
        candidates.contains(generation) ? generation : generation.other
    }

    /// Why and when a generation was left; nil if it is in use.
    func leave(of generation: APIGeneration) -> Leave? { states[generation]?.leave }

    /// Stores an answer of a channel of a generation in use.
    mutating func note(
        _ answer: Answer,
        of generation: APIGeneration,
        on channel: GenerationChannel,
        at now: Duration
    ) {
        guard var state = states[generation], state.leave == nil else { return }
        switch answer {
        case .good: state.suspicions[channel] = nil
        case .unclear: return
        case .gone(let error):
            var suspicion = state.suspicions[channel] ?? Suspicion()
            if isProof(error, after: suspicion.answeredAt, of: generation, at: now) {
                suspicion.count += 1
            }
            (suspicion.answeredAt, suspicion.at) = (now, now)
            state.suspicions[channel] = suspicion
            guard suspicion.count >= Self.goneAnswersMax else { break }
            switch channel {
            case .rest, .stream: state.leave = Leave(reason: .gone(error), at: now)
            case .books: state.booksEndedAt = state.booksEndedAt ?? now
            }
        }
        states[generation] = state
    }

    /// Stores that data of a generation in use arrived.
    ///
    /// - Returns: whether they are the first, or the first after a pause.
    @discardableResult
    mutating func noteData(of generation: APIGeneration, at now: Duration) -> Bool {
        guard var state = states[generation], state.leave == nil else { return false }
        let hasBegun = state.flowsSince == nil || now - state.dataAt > Self.flowMax
        if state.flowsSince == nil || now - state.dataAt > Self.flowPauseMax {
            state.flowsSince = now
        }
        state.dataAt = now
        state.isReturning = false
        states[generation] = state
        return hasBegun
    }

    /// Stores the result of a probe, which asks each channel but that of the order books.
    mutating func noteProbe(_ answer: Answer, of generation: APIGeneration, at now: Duration) {
        guard var state = states[generation] else { return }
        guard state.leave != nil else {
            for channel in Self.probed where state.suspicions[channel]?.at != nil {
                // An unclear one confirms nothing; the next answer that it is gone asks again.
                states[generation]?.suspicions[channel]?.at = nil
                note(answer, of: generation, on: channel, at: now)
            }
            return
        }
        state.probedAt = now
        state.goodProbes = answer == .good ? state.goodProbes + 1 : 0
        if state.goodProbes >= Self.goodProbesMin {
            state = State(isReturning: true, dataAt: now)
        }
        states[generation] = state
    }

    /// Leaves a generation that has been silent for too long, and lets ended order books be asked
    /// for again.
    mutating func advance(to now: Duration) {
        for (generation, state) in states where state.leave == nil {
            if let end = state.booksEndedAt, now - end >= Self.probeInterval {
                states[generation]?.booksEndedAt = nil
                // One more answer ends them again.
                let suspicion = Suspicion(count: Self.goneAnswersMax - 1)
                states[generation]?.suspicions[.books] = suspicion
            }
            // Silence counts while the other one flows: after an outage of both, one returns first.
            guard let flow = flowOfOther(than: generation, at: now),
                now - max(state.dataAt, flow) >= Self.silenceMax
            else { continue }
            states[generation]?.leave = Leave(reason: .silent, at: now)
        }
    }

    /// The generations to probe now: left ones, and those in use whose last answer said that they
    /// are gone.
    func dueProbes(at now: Duration) -> [APIGeneration] {
        states.keys.filter { probeTime(of: $0, at: now).map { $0 <= now } ?? false }
            .sorted { $0.rawValue < $1.rawValue }
    }

    /// When to call ``advance(to:)`` and ``dueProbes(at:)`` again; now if a probe is due.
    func nextDeadline(at now: Duration) -> Duration {
        let used = states.values.filter { $0.leave == nil }
        let silences = used.map { $0.dataAt + Self.silenceMax }
        let returns = used.compactMap { $0.booksEndedAt.map { $0 + Self.probeInterval } }
        // A passed one waits for the other generation's flow, which is checked again this soon.
        let coming = (silences + returns).filter { $0 > now } + [now + Self.flowMax]
        let probes = states.keys.compactMap { probeTime(of: $0, at: now) }
        return max((coming + probes).min() ?? now, now)
    }

    /// The channels that a probe asks.
    private static let probed: [GenerationChannel] = [.rest, .stream]

    private func probeTime(of generation: APIGeneration, at now: Duration) -> Duration? {
        guard let state = states[generation] else { return nil }
        guard let leave = state.leave else {
            guard flowOfOther(than: generation, at: now) != nil else { return nil }
            let suspected = Self.probed.compactMap { state.suspicions[$0]?.at }.max()
            return suspected.map { $0 + Self.confirmationInterval }
        }
        let isUrgent = state.goodProbes > 0 || flowOfOther(than: generation, at: now) == nil
        let interval = isUrgent ? Self.urgentProbeInterval : Self.probeInterval
        return (state.probedAt ?? leave.at) + interval
    }

    /// Whether an answer that a generation is gone says so of it alone.
    ///
    /// The other one has to flow. A computer that has lost its network knows no name, and what the
    /// other one sent before is no proof: it has to send since the last such answer.
    private func isProof(
        _ error: DataSourceError,
        after last: Duration?,
        of generation: APIGeneration,
        at now: Duration
    ) -> Bool {
        guard flowOfOther(than: generation, at: now) != nil else { return false }
        guard error.code == .unknownHost, let last else { return true }
        return states[generation.other].map { $0.dataAt > last } ?? false
    }

    /// Since when the other generation has flowed; nil if it does not.
    private func flowOfOther(than generation: APIGeneration, at now: Duration) -> Duration? {
        states.first { other, state in
            other != generation && state.leave == nil && now - state.dataAt <= Self.flowMax
        }?.value.flowsSince
    }
}

/// How the generations of the exchange's API are used.
struct GenerationUse: Sendable, Equatable {
    /// Those in use; never empty.
    var inUse: Set<APIGeneration>
    /// The one of prices, trades, candles and names.
    var primary: APIGeneration
    /// The one of order books of as many levels as a frame of 2.x has.
    var books: APIGeneration
    /// The one of deeper order books.
    var deepBooks: APIGeneration
}

extension APIGeneration {
    /// The one besides it.
    public var other: APIGeneration { self == .v1 ? .v2 : .v1 }
}

extension GenerationStateMachine.Answer {
    /// Whether it says that the generation is not there any more.
    var isGone: Bool {
        switch self {
        case .gone: true
        case .good, .unclear: false
        }
    }

    /// The verdict of a call's outcome; a nil error is success.
    init(_ error: DataSourceError?, of generation: APIGeneration) {
        guard let error else {
            self = .good
            return
        }
        switch (error.code, generation) {
        case (.httpStatus(404), _), (.httpStatus(410), _), (.unknownHost, _),
            (.refused(status: "5100", _), .v1):
            self = .gone(error)
        // The gateway's word for a path that leads nowhere; a market may be "not found", too.
        case (.refused(status: "not_found", let message), _)
        where message.lowercased().hasPrefix("no route matched"):
            self = .gone(error)
        case (.httpStatus(let status), _)
        where error.isOfHandshake && (400..<500).contains(status) && status != 429:
            self = .gone(error)
        case (.refused, _): self = .good
        case (.unreachable, _), (.proxy, _), (.untrusted, _), (.timedOut, _), (.disconnected, _),
            (.httpStatus, _), (.rateLimited, _), (.unserved, _), (.malformed, _), (.ended, _),
            (.cancelled, _):
            self = .unclear
        }
    }
}
