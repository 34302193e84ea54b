import Foundation
import ViewStates
import Testing

@testable import PresentationHTTP

/// An event as a client reads it.
struct StreamedEvent: Equatable {
    var name: String
    var id: String?
    var data: String

    /// Reads events; a `retry` alone is none.
    static func events(_ bytes: [UInt8]) throws -> [StreamedEvent] {
        let text = try #require(String(bytes: bytes, encoding: .utf8))
        #expect(text.hasSuffix("\n\n"))
        return try text.components(separatedBy: "\n\n").dropLast().compactMap { block in
            var fields: [String: String] = [:]
            for line in block.components(separatedBy: "\n") {
                let colon = try #require(line.firstRange(of: ": "))
                let name = String(line[..<colon.lowerBound])
                #expect(fields.updateValue(String(line[colon.upperBound...]), forKey: name) == nil)
            }
            guard Set(fields.keys) != ["retry"] else { return nil }
            return StreamedEvent(
                name: try #require(fields["event"]),
                id: fields["id"],
                data: try #require(fields["data"])
            )
        }
    }
}

/// A reader that builds a document from events.
final class StreamClient<State: StreamedState> {
    private(set) var document: Document<State>?
    private(set) var lastEventID: String?
    private(set) var counts: [String: Int] = [:]
    private var subscription: StreamSubscription?

    init() {}

    /// Begins with an answer to a GET.
    init(answer: [UInt8]) throws {
        let document = try JSONDecoder().decode(Document<State>.self, from: Data(answer))
        self.document = document
        lastEventID = document.revision
    }

    var isConnected: Bool { subscription != nil }

    func connect(_ subscribe: (String?) throws -> StreamSubscription) rethrows {
        subscription = try subscribe(lastEventID)
    }

    func disconnect() {
        subscription?.cancel()
        subscription = nil
    }

    /// Reads the next chunk.
    ///
    /// - Returns: whether there was one.
    @discardableResult
    func take() throws -> Bool {
        switch subscription?.served() {
        case nil, .nothing: return false
        case .end:
            disconnect()
            return false
        case .bytes(let bytes):
            for event in try StreamedEvent.events(bytes) { try read(event) }
            return true
        }
    }

    /// Reads all available chunks.
    func takeAll() throws {
        while try take() {}
    }

    private func read(_ event: StreamedEvent) throws {
        counts[event.name, default: 0] += 1
        let data = Data(event.data.utf8)
        switch event.name {
        case "snapshot", "reset":
            #expect((lastEventID == nil) == (event.name == "snapshot"))
            document = try JSONDecoder().decode(Document<State>.self, from: data)
            #expect(document?.revision == event.id)
        case "patch":
            let patch = try JSONDecoder().decode(DocumentPatch<State>.self, from: data)
            var changed = try #require(document)
            try patch.apply(to: &changed, revision: try #require(event.id))
            #expect(changed.revision != document?.revision)
            document = changed
        case "bookmark": #expect(event.id == document?.revision && event.data == "{}")
        case "bye": #expect(event.id == nil && event.data == "{}")
        default: Issue.record("unknown event \(event.name)")
        }
        lastEventID = event.id ?? lastEventID
    }
}

/// One test uses it at a time.
@available(*, unavailable)
extension StreamClient: Sendable {}
