public import DataSources
import Synchronization

/// An exchange's REST side: it answers with what stands in it at that moment.
public final class InMemoryTickerSource: TickerSource {
    private struct State {
        var answers: [String: Result<TickerAllDTO, DataSourceError>] = [:]
        var isHeld = false
    }

    private let log: AccessLog
    private let state = Mutex(State())
    private let release = Inbox<Void>()

    /// Makes a source that lists no market yet.
    public init(log: AccessLog) { self.log = log }

    /// What a quote currency's answer is from now on.
    public func put(_ answer: TickerAllDTO, quote: String) {
        state.withLock { $0.answers[quote] = .success(answer) }
    }

    /// How asking for a quote currency fails from now on.
    public func fail(_ error: DataSourceError, quote: String) {
        state.withLock { $0.answers[quote] = .failure(error) }
    }

    /// Makes the next answer wait, made up already, until it is released.
    public func hold() { state.withLock { $0.isHeld = true } }

    /// Lets the answer go that was held.
    public func letGo() {
        state.withLock { $0.isHeld = false }
        release.put(())
    }

    /// The answer that stands for the quote currency; an empty one where none was put.
    public func tickers(quote: String) async throws(DataSourceError) -> TickerAllDTO {
        log.note(.listing(quote: quote))
        let (answer, isHeld) = state.withLock { state in
            defer { state.isHeld = false }
            return (state.answers[quote] ?? .success(TickerAllDTO()), state.isHeld)
        }
        if isHeld { _ = await release.next() }
        if Task.isCancelled { throw DataSourceError(.cancelled, "the reading was stopped") }
        return try answer.get()
    }
}
