public import Domain
public import ExchangeSimulator

/// A way between hoga and the exchange, whose faults are independent of the others'.
public enum TrialPath: String, Sendable, Hashable, CaseIterable {
    /// Requests of both APIs.
    case rest
    /// The stream of API 1.x.
    case stream1
    /// The stream of API 2.x.
    case stream2
}

/// A fault, or a deed of a user or a reader, at one moment of a trial or for some time.
public enum ProgramFault: Sendable, Hashable {
    /// New connections are refused.
    case refused(TrialPath)
    /// Every connection and request in flight is reset.
    case reset(TrialPath)
    /// Open connections stay open and carry nothing any more; new ones time out.
    case halfOpen(TrialPath)
    /// Everything arrives later, in order.
    case slow(TrialPath, milliseconds: Int)
    /// Bytes of a stream arrive in small pieces, each at the next step.
    case sliced(TrialPath)
    /// Some messages are lost.
    case lost(TrialPath, perMille: Int)
    /// Some messages arrive twice.
    case duplicated(TrialPath, perMille: Int)
    /// Some messages arrive up to ``TrialNetwork/lateness`` later, behind others.
    case late(TrialPath, perMille: Int)
    /// Some messages or bodies are unreadable.
    case corrupted(TrialPath, perMille: Int)
    /// A fault of the exchange.
    case exchange(SimulatorFault)
    /// A market gets another code from then on; it keeps its price.
    case rename(MarketID, to: MarketID)
    /// The exchange rests: nothing is traded and nothing is sent.
    case maintenance
    /// The local clock is set forward or back.
    case clockJump(seconds: Int)
    /// The store fails before it does what it is asked for, or after it: for one instance, or all.
    case store(StoreFaultKind, instance: Int?)
    /// An instance ends without notice, and starts again when the fault ends.
    case crash(instance: Int)
    /// A user changes something at one instance; each number is another change.
    case change(instance: Int, number: Int)
    /// A user makes, changes or removes an alert rule at one instance; each number is another rule.
    case alertRule(instance: Int, number: Int)
    /// The readers of the streams leave, and come back when the fault ends.
    case readersAway

    /// The kind, for counts.
    public var name: String {
        switch self {
        case .refused(let path): "refused \(path)"
        case .reset(let path): "reset \(path)"
        case .halfOpen(let path): "half-open \(path)"
        case .slow(let path, _): "slow \(path)"
        case .sliced(let path): "sliced \(path)"
        case .lost(let path, _): "lost \(path)"
        case .duplicated(let path, _): "duplicated \(path)"
        case .late(let path, _): "late \(path)"
        case .corrupted(let path, _): "corrupted \(path)"
        case .exchange(let fault): "exchange \(fault.kind.rawValue)"
        case .rename: "rename"
        case .maintenance: "maintenance"
        case .clockJump: "clock jump"
        case .store(let kind, nil): "store \(kind.rawValue)"
        case .store(let kind, _): "store \(kind.rawValue) for one"
        case .crash: "crash"
        case .change: "change"
        case .alertRule: "alert rule"
        case .readersAway: "readers away"
        }
    }

    /// Whether the times of trades of the stream differ from those over REST.
    var shiftsTimes: Bool {
        if case .exchange(.shiftedStreamTimes) = self { return true }
        return false
    }

    /// Whether trades of API 1.x, which have no id, may arrive twice.
    var repeatsTrades: Bool {
        switch self {
        case .duplicated(let path, _): path == .stream1
        // A broken frame follows the good one, with all its trades but one.
        case .exchange(.wrongTypes): true
        default: false
        }
    }

    /// Whether it makes a stream lose messages without a lost connection, which no client notices.
    var isSilentLoss: Bool {
        switch self {
        case .lost(let path, _), .corrupted(let path, _): path != .rest
        // Trades of API 1.x have no id, so a repeated one hides another one of its second.
        case .duplicated(let path, _): path == .stream1
        // Frames that arrive behind later ones are dropped as old, and the stall loses its frames.
        case .late(let path, _): path != .rest
        case .exchange(let fault):
            switch fault {
            case .stream1Stall, .stream2Stall, .stall: true
            default: false
            }
        default: false
        }
    }
}

/// How a store fails.
public enum StoreFaultKind: String, Sendable, Hashable, CaseIterable {
    /// The connection is lost before a statement reaches the store.
    case before
    /// The connection is lost after a statement was executed: the caller does not know.
    case after
    /// The store is busy.
    case busy
    /// The store is full.
    case full
}

/// A fault at its time.
public struct ScheduledFault: Sendable, Hashable, CustomStringConvertible {
    /// When it begins, since the start of the trial.
    public var at: Duration
    /// How long it lasts; zero for a moment.
    public var lasting: Duration
    /// The fault.
    public var fault: ProgramFault

    /// Schedules a fault.
    public init(at: Duration, lasting: Duration, fault: ProgramFault) {
        self.at = at
        self.lasting = lasting
        self.fault = fault
    }

    /// The time and the fault.
    public var description: String {
        "\(at.milliseconds) ms + \(lasting.milliseconds) ms: \(fault)"
    }
}

extension Duration {
    var milliseconds: Int64 { wholeMicroseconds / 1_000 }
}
