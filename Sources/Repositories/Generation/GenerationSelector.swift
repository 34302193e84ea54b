import Concurrency
public import DataSourceContracts
import Domain
import Synchronization

/// Tells which generations of the exchange's API are in use, and probes those that were left.
///
/// ``GenerationStateMachine`` decides; feeds and sources report their answers and data here.
public final class GenerationSelector: Sendable {
    /// Probes a generation: whether it answers.
    public typealias Probe = @Sendable (APIGeneration) async -> Bool

    /// The generations in use; never empty.
    let inUse: AsyncValue<Set<APIGeneration>>

    private let state: Mutex<GenerationStateMachine>
    private let changed = AsyncEvent()
    private let clock: any Clock<Duration>
    private let stopwatch: Stopwatch
    private let probe: Probe

    /// Makes a selector that uses all of `generations`.
    ///
    /// - Parameters:
    ///   - generations: at least one; with one alone there is nothing to select.
    ///   - clock: measures silence and the time between probes.
    ///   - probe: asks a generation that was left.
    public init(
        _ generations: Set<APIGeneration>,
        clock: any Clock<Duration>,
        probe: @escaping Probe
    ) {
        inUse = AsyncValue(generations)
        state = Mutex(GenerationStateMachine(generations, at: .zero))
        self.clock = clock
        self.probe = probe
        stopwatch = Stopwatch(clock)
    }

    /// The generation of prices, trades, candles and names: 2.x while it is in use.
    var primary: APIGeneration { Self.primary(of: inUse.value) }

    /// The generation of order books: 1.x, whose books are deeper, while it is in use.
    var ofBooks: APIGeneration { Self.ofBooks(inUse.value) }

    /// The primary one of the generations in use.
    static func primary(of inUse: Set<APIGeneration>) -> APIGeneration {
        inUse.contains(.v2) ? .v2 : .v1
    }

    /// The one of the generations in use that has the order books.
    static func ofBooks(_ inUse: Set<APIGeneration>) -> APIGeneration {
        inUse.contains(.v1) ? .v1 : .v2
    }

    /// Why a generation was left; nil if it is in use.
    func leave(of generation: APIGeneration) -> GenerationStateMachine.Leave? {
        state.withLock { $0.leave(of: generation) }
    }

    /// Why the generation besides this one was left.
    func failure(besides generation: APIGeneration) -> FeedFailure {
        let other: APIGeneration = generation == .v1 ? .v2 : .v1
        return switch leave(of: other)?.reason {
        case .gone(let error): FeedFailure(error)
        case .silent, nil: .silence
        }
    }

    /// Stores the outcome of a call; nil is success.
    public func note(_ error: DataSourceError?, of generation: APIGeneration) {
        let answer = GenerationStateMachine.Answer(error, of: generation)
        change { $0.note(answer, of: generation, at: stopwatch.elapsed) }
    }

    /// Stores that live data arrived.
    func noteData(of generation: APIGeneration) {
        change { $0.noteData(of: generation, at: stopwatch.elapsed) }
    }

    /// Watches for silence, and probes, until the task is cancelled.
    public func run() async {
        while !Task.isCancelled {
            let now = stopwatch.elapsed
            change { $0.advance(to: now) }
            for generation in state.withLock({ $0.dueProbes(at: now) }) {
                let isGood = await probe(generation)
                change { $0.noteProbe(isGood: isGood, of: generation, at: stopwatch.elapsed) }
            }
            let next = state.withLock { $0.nextDeadline(at: stopwatch.elapsed) }
            let wait = max(next - stopwatch.elapsed, .milliseconds(1))
            await changed.wait(within: wait, clock: clock)
        }
    }

    private func change(_ body: (inout GenerationStateMachine) -> Void) {
        let (before, after) = state.withLock { state in
            let before = state.inUse
            body(&state)
            return (before, state.inUse)
        }
        guard before != after else { return }
        inUse.update { $0 = after }
        changed.signal()
    }
}
