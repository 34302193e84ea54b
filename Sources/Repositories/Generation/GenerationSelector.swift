import Concurrency
public import DataSourceContracts
import Domain
import Synchronization

/// Tells which generations of the exchange's API are in use, and probes those that were left.
///
/// ``GenerationStateMachine`` decides; feeds and sources report their answers and data here.
public final class GenerationSelector: Sendable {
    /// Probes a generation: why it does not answer; nil if it does.
    public typealias Probe = @Sendable (APIGeneration) async -> DataSourceError?

    /// How the generations are used.
    let use: AsyncValue<GenerationUse>

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
    ///   - probe: asks a generation that was left, or that may be gone.
    public init(
        _ generations: Set<APIGeneration>,
        clock: any Clock<Duration>,
        probe: @escaping Probe
    ) {
        let machine = GenerationStateMachine(generations, at: .zero)
        use = AsyncValue(machine.use)
        state = Mutex(machine)
        self.clock = clock
        self.probe = probe
        stopwatch = Stopwatch(clock)
    }

    /// Whether a failure says that the exchange has ended this generation.
    ///
    /// - Parameters:
    ///   - error: the failure.
    ///   - generation: the generation that failed so.
    ///   - isOtherAnswering: whether the other one answers: without that an unknown name may also
    ///     mean that this computer has no network.
    /// - Returns: whether it says so.
    public static func isEnd(
        _ error: DataSourceError,
        of generation: APIGeneration,
        isOtherAnswering: Bool
    ) -> Bool {
        (isOtherAnswering || error.code != .unknownHost)
            && GenerationStateMachine.Answer(error, of: generation).isGone
    }

    /// Why a generation was left; nil if it is in use.
    func leave(of generation: APIGeneration) -> GenerationStateMachine.Leave? {
        state.withLock { $0.leave(of: generation) }
    }

    /// Why the generation besides this one was left.
    func failure(besides generation: APIGeneration) -> FeedFailure {
        switch leave(of: generation.other)?.reason {
        case .gone(let error): FeedFailure(error)
        case .silent, nil: .silence
        }
    }

    /// Stores the outcome of a call; nil is success.
    public func note(
        _ error: DataSourceError?,
        of generation: APIGeneration,
        on channel: GenerationChannel
    ) {
        let answer = GenerationStateMachine.Answer(error, of: generation)
        change { $0.note(answer, of: generation, on: channel, at: stopwatch.elapsed) }
        // A probe is due soon.
        if answer.isGone { changed.signal() }
    }

    /// Stores the outcome of a probe; nil is success.
    func noteProbe(_ error: DataSourceError?, of generation: APIGeneration) {
        let answer = GenerationStateMachine.Answer(error, of: generation)
        change { $0.noteProbe(answer, of: generation, at: stopwatch.elapsed) }
    }

    /// Stores that live data arrived.
    func noteData(of generation: APIGeneration) {
        let hasBegun = change { $0.noteData(of: generation, at: stopwatch.elapsed) }
        // Suspicions of the other one may be confirmed from now on.
        if hasBegun { changed.signal() }
    }

    /// Watches for silence, and probes, until the task is cancelled.
    public func run() async {
        while !Task.isCancelled {
            let now = stopwatch.elapsed
            change { $0.advance(to: now) }
            for generation in state.withLock({ $0.dueProbes(at: now) }) {
                noteProbe(await probe(generation), of: generation)
            }
            let next = state.withLock { $0.nextDeadline(at: stopwatch.elapsed) }
            let wait = max(next - stopwatch.elapsed, .milliseconds(1))
            await changed.wait(within: wait, clock: clock)
        }
    }

    private func change<Output: Sendable>(
        _ body: (inout GenerationStateMachine) -> Output
    ) -> Output {
        let (output, hasChanged) = state.withLock { state in
            let before = state.use
            let output = body(&state)
            let after = state.use
            guard after != before else { return (output, false) }
            // Under the lock, so that two changes are stored in their order.
            use.update { $0 = after }
            return (output, true)
        }
        if hasChanged { changed.signal() }
        return output
    }
}
