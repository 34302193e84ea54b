import Foundation
import JSON
import TestSupport
import Testing

/// A document, events that change it, and the document behind them: a file of `clients/vectors`,
/// with which clients in any language test how they apply events.
struct ClientVector: CustomTestStringConvertible {
    /// An event of a stream.
    struct Event {
        /// `patch` or `reset`.
        var type: String
        /// The revision.
        var id: String
        /// The patch or the whole document.
        var data: OrderedJSON
    }

    /// The file's name without its extension.
    var name: String
    /// What the vector shows.
    var description: String
    var document: OrderedJSON
    var events: [Event]
    /// The document behind the last event; nil if that does not fit.
    var result: OrderedJSON?

    var testDescription: String { name }

    private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "clients/vectors")

    /// The vectors in `clients/vectors`.
    static func all() throws -> [ClientVector] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted().map { file in
            let json = try OrderedJSON(try Data(contentsOf: folder.appending(path: file)))
            guard let description = json["description"]?.text, let document = json["document"],
                let events = json["events"]?.elements, let result = json["result"],
                file.hasSuffix(".json")
            else { throw CocoaError(.fileReadCorruptFile) }
            return ClientVector(
                name: String(file.dropLast(".json".count)),
                description: description,
                document: document,
                events: try events.map { event in
                    guard let type = event["event"]?.text, let id = event["id"]?.text,
                        let data = event["data"]
                    else { throw CocoaError(.fileReadCorruptFile) }
                    return Event(type: type, id: id, data: data)
                },
                result: result == .null ? nil : result
            )
        }
    }

    /// Writes the vector's file.
    func write() throws {
        let file = Self.folder.appending(path: name + ".json")
        try Data((text + "\n").utf8).write(to: file)
    }

    /// The vector as JSON, a line for each document and event.
    var text: String {
        let events = events.map { event in
            #"{"event":"\#(event.type)","id":"\#(event.id)","data":\#(event.data.compactText)}"#
        }
        return """
            {"description":"\(description)",
            "document":\(document.compactText),
            "events":[
            \(events.joined(separator: ",\n"))
            ],
            "result":\(result?.compactText ?? "null")}
            """
    }

    /// The document after all events.
    ///
    /// - Throws: ``OrderedJSON/PatchMismatch``.
    func applied() throws(OrderedJSON.PatchMismatch) -> OrderedJSON {
        var document = document
        for event in events {
            if event.type == "reset" {
                document = event.data
            } else {
                try document.apply(event.data, revision: event.id)
            }
        }
        return document
    }
}

extension OrderedJSON {
    /// The value on one line.
    fileprivate var compactText: String {
        var json = JSONWriter()
        write(to: &json)
        return String(decoding: json.bytes, as: UTF8.self)
    }

    private func write(to json: inout JSONWriter) {
        switch self {
        case .object(let members):
            json.object { json in
                for member in members {
                    json.name(member.key)
                    member.value.write(to: &json)
                }
            }
        case .array(let elements): json.array(elements) { $1.write(to: &$0) }
        case .string(let text): json.string(text)
        case .number(let text): json.encoded(Array(text.utf8))
        case .boolean(let value): json.boolean(value)
        case .null: json.null()
        }
    }
}
