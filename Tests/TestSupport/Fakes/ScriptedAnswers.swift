import DataSourceContracts
import Synchronization

/// What a fake exchange answers by name: each answer stands until another one takes its place.
final class ScriptedAnswers<Answer: Sendable>: Sendable {
    private struct State {
        var answers: [String: Result<Answer, DataSourceError>] = [:]
        var readCounts: [String: Int] = [:]
        var isHeld = false
    }

    private let absent: Result<Answer, DataSourceError>
    private let state = Mutex(State())
    private let release = Inbox<Void>()

    /// Makes a source's answers; `absent` is the one for a name without an answer.
    init(absent: Result<Answer, DataSourceError> = .failure(.unlisted)) { self.absent = absent }

    func put(_ answer: Result<Answer, DataSourceError>, name: String) {
        state.withLock { $0.answers[name] = answer }
    }

    /// Makes the next answer wait, made up already, until it is released.
    func hold() { state.withLock { $0.isHeld = true } }

    /// Lets the answer go that was held.
    func letGo() {
        state.withLock { $0.isHeld = false }
        release.put(())
    }

    func readCount(name: String) -> Int { state.withLock { $0.readCounts[name] ?? 0 } }

    /// The answer that stands for the name.
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
    /// The exchange's word for a market it does not list.
    static let unlisted = DataSourceError(
        .refused(status: "5500", message: "not a listed coin"),
        "status 5500"
    )
}
