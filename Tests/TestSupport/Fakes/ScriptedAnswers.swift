import DataSourceContracts
import Synchronization

/// The responses of a fake exchange by name; each stays until it is replaced.
final class ScriptedAnswers<Answer: Sendable>: Sendable {
    private struct State {
        var answers: [String: Result<Answer, DataSourceError>] = [:]
        var readCounts: [String: Int] = [:]
        var isHeld = false
    }

    private let absent: Result<Answer, DataSourceError>
    private let state = Mutex(State())
    private let release = Inbox<Void>()

    /// Creates responses; `absent` is the one for unknown names.
    init(absent: Result<Answer, DataSourceError> = .failure(.unlisted)) { self.absent = absent }

    func put(_ answer: Result<Answer, DataSourceError>, name: String) {
        state.withLock { $0.answers[name] = answer }
    }

    /// Holds the next response, already determined, until it is released.
    func hold() { state.withLock { $0.isHeld = true } }

    /// Releases the held response.
    func letGo() {
        state.withLock { $0.isHeld = false }
        release.put(())
    }

    func readCount(name: String) -> Int { state.withLock { $0.readCounts[name] ?? 0 } }

    /// The response for the name.
    func read(name: String) async throws(DataSourceError) -> Answer {
        let (answer, isHeld) = state.withLock { state in
            defer { state.isHeld = false }
            state.readCounts[name, default: 0] += 1
            return (state.answers[name] ?? absent, state.isHeld)
        }
        if isHeld { _ = await release.next() }
        if Task.isCancelled { throw DataSourceError(.cancelled, "the reading was stopped") }
        return try answer.get()
    }
}

extension DataSourceError {
    /// The exchange's error for an unknown market.
    static let unlisted = DataSourceError(
        .refused(status: "5500", message: "not a listed coin"),
        "status 5500"
    )
}
