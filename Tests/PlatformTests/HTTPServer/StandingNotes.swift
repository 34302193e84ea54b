import Synchronization

@testable import HTTPServer

/// An answer that stands until it is told otherwise.
final class Note: CachedResponse {
    struct Ends: Sendable, Equatable {
        var names: [String] = []
        var wholes: [Bool] = []
    }

    let head: StandingHead
    private let over = Mutex(false)
    private let begun = Mutex(0)
    private let ended = Mutex(Ends())

    init(_ text: String, status: Int = 200) {
        head = StandingHead(
            status: status,
            fields: HTTPServerFields([(name: "X-Shared", value: "all")]),
            body: HTTPServerBody(Array(text.utf8))
        )
    }

    var isOver: Bool { over.withLock { $0 } }
    var ends: Ends { ended.withLock { $0 } }

    func finish() { over.withLock { $0 = true } }

    func begin(_ fields: inout HTTPFieldWriter) -> BegunAnswer? {
        if isOver { return nil }
        let number = begun.withLock { count in
            count += 1
            return count
        }
        fields.begin("X-Number")
        fields.add(number)
        fields.add("-th")
        fields.end()
        return BegunAnswer(name: "\(number)", startedAt: .zero)
    }

    func end(_ answer: BegunAnswer, isWhole: Bool) {
        ended.withLock { ended in
            ended.names.append(answer.name)
            ended.wholes.append(isWhole)
        }
    }
}

/// A handler that leaves a note in each request.
final class Notes: Sendable {
    private let kept = Mutex<[(request: HTTPServerRequest, note: Note)]>([])
    private let make: @Sendable (Int) -> Note

    init(_ make: @escaping @Sendable (Int) -> Note = { Note("note \($0)") }) {
        self.make = make
    }

    var requests: [HTTPServerRequest] { kept.withLock { $0.map(\.request) } }
    var notes: [Note] { kept.withLock { $0.map(\.note) } }

    func handle(_ request: HTTPServerRequest) -> HTTPServerReply {
        let count = kept.withLock { kept in
            let note = make(kept.count + 1)
            kept.append((request, note))
            request.memory.remember(note)
            return kept.count
        }
        return .response(.text("handled \(count)"))
    }
}
