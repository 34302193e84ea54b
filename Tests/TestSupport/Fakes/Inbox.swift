import Synchronization

/// A queue from a test to one reader.
///
/// Unbounded: the test decides how much it adds.
public final class Inbox<Element: Sendable>: Sendable {
    private struct State {
        var elements: [Element] = []
        var reader: CheckedContinuation<Element?, Never>?
    }

    private let state = Mutex(State())

    /// Creates an empty queue.
    public init() {}

    /// Whether everything was read.
    public var isEmpty: Bool { state.withLock { $0.elements.isEmpty } }

    /// Adds an element, or hands it to a waiting reader.
    public func put(_ element: Element) {
        let reader = state.withLock { state in
            let reader = state.reader
            state.reader = nil
            if reader == nil { state.elements.append(element) }
            return reader
        }
        reader?.resume(returning: element)
    }

    /// The next element; nil when the task is cancelled.
    public func next() async -> Element? {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let answer: Element?? = state.withLock { state in
                    if Task.isCancelled { return .some(nil) }
                    if !state.elements.isEmpty { return state.elements.removeFirst() }
                    precondition(state.reader == nil, "An inbox has one reader.")
                    state.reader = continuation
                    return nil
                }
                if let answer { continuation.resume(returning: answer) }
            }
        } onCancel: {
            let reader = state.withLock { state in
                let reader = state.reader
                state.reader = nil
                return reader
            }
            reader?.resume(returning: nil)
        }
    }
}
