import Foundation
import TestSupport
import Testing

@testable import ViewStates

/// `make vectors` writes `clients/vectors`, with which client libraries test how they apply events.
@Suite("Test vectors of client libraries")
struct ClientVectorTests {
    @Test("the stored vectors are those of today's documents, else make vectors")
    func upToDate() throws {
        let stored = try ClientVector.all()
        let today = try ClientVectorRecorder.vectors()
        #expect(Set(stored.map(\.name)) == Set(today.map(\.name)), "make vectors")
        for vector in today {
            let old = try #require(stored.first { $0.name == vector.name })
            #expect(old.text == vector.text, "make vectors: \(vector.name)")
        }
    }

    @Test(
        "today's vectors are written",
        .enabled(if: ProcessInfo.processInfo.environment["HOGA_VECTORS"] == "1", "make vectors")
    )
    func write() throws {
        for vector in try ClientVectorRecorder.vectors() { try vector.write() }
    }

    @Test(
        "the events of a vector lead from its document to its result, or do not fit",
        arguments: try ClientVector.all()
    )
    func applied(vector: ClientVector) throws {
        if let result = vector.result {
            #expect(try vector.applied() == result)
            #expect(vector.document != result)
        } else {
            #expect(throws: OrderedJSON.PatchMismatch.self) { try vector.applied() }
        }
    }

    @Test("the vectors cover every kind of patch, both ends of lists and each key of rows")
    func coverage() throws {
        var seen: Set<String> = []
        for vector in try ClientVector.all() where vector.result != nil {
            var removed: Set<String> = []
            for event in vector.events {
                seen.insert(event.type)
                for patch in event.data["patches"]?.elements ?? [] {
                    seen.formUnion(Self.kinds(of: patch, after: &removed))
                }
            }
        }
        let wanted: Set<String> = [
            "patch", "reset", "value", "null", "nested", "first", "last", "remove", "order",
            "back", "several", "market", "asset", "id", "openTime",
        ]
        #expect(wanted.subtracting(seen) == [])
    }

    /// What a patch shows; `removed` are the keys of rows that earlier ones removed.
    private static func kinds(of patch: OrderedJSON, after removed: inout Set<String>) -> [String] {
        var kinds: [String] = []
        let path = patch["path"]?.text ?? ""
        if path.contains(".") { kinds.append("nested") }
        if let value = patch["value"] { kinds += ["value"] + (value == .null ? ["null"] : []) }
        let rows = patch["upsert"]?.elements ?? []
        let keys = rows.compactMap { row in
            ["market", "asset", "id", "openTime"].compactMap { name in
                row[name]?.text.map { (name, $0) }
            }.first
        }
        kinds += keys.map(\.0)
        if !rows.isEmpty, let insert = patch["insert"]?.text { kinds.append(insert) }
        if rows.count > 1 { kinds.append("several") }
        if let order = patch["order"], order != .null { kinds.append("order") }
        if keys.contains(where: { removed.contains($0.1) }) { kinds.append("back") }
        let gone = (patch["remove"]?.elements ?? []).compactMap(\.text)
        if !gone.isEmpty { kinds.append("remove") }
        removed.formUnion(gone)
        return kinds
    }
}
