import NetworkAddresses
import SharedMemory
import TestSupport
import Testing

@testable import HTTPServer

@Suite("Budget of unsent bytes")
struct UnsentBudgetTests {
    private static let (kim, lee, park) = (
        NetworkAddress(10, 0, 0, 1), NetworkAddress(10, 0, 0, 2), NetworkAddress(10, 0, 0, 3)
    )

    /// An output: its client, own bytes and perhaps shared ones.
    struct Row: Sendable {
        var client: NetworkAddress
        var own: Int
        var shared: (id: UInt, count: Int)?

        init(_ client: NetworkAddress, _ own: Int, shared: (id: UInt, count: Int)? = nil) {
            (self.client, self.own, self.shared) = (client, own, shared)
        }

        var output: UnsentOutput {
            UnsentOutput(
                ownByteCount: own,
                sharedID: shared?.id ?? 0,
                sharedByteCount: shared?.count ?? 0
            )
        }
    }

    /// Outputs in their order, and what must remain of them in a budget of 100, 40 for a client.
    struct Case: Sendable {
        var name: String
        var rows: [Row]
        /// The numbers that are dropped, in order.
        var dropped: [Int]
        var byteCount: Int
    }

    private static let cases = [
        Case(name: "within both", rows: [Row(kim, 20), Row(kim, 20)], dropped: [], byteCount: 40),
        Case(
            name: "a client loses its oldest outputs",
            rows: [Row(kim, 10), Row(lee, 40), Row(kim, 20), Row(kim, 30)],
            dropped: [1, 3],
            byteCount: 70
        ),
        Case(
            name: "one long output stays",
            rows: [Row(kim, 30), Row(kim, 90)],
            dropped: [1],
            byteCount: 90
        ),
        Case(
            name: "the client with the most loses first in all",
            rows: [Row(lee, 30), Row(kim, 15), Row(kim, 25), Row(park, 35)],
            dropped: [2],
            byteCount: 90
        ),
        Case(
            name: "equal clients: the oldest output",
            rows: [Row(lee, 40), Row(kim, 40), Row(park, 40)],
            dropped: [1],
            byteCount: 80
        ),
        Case(
            name: "the last output of all stays",
            rows: [Row(lee, 40), Row(kim, 400)],
            dropped: [2],
            byteCount: 40
        ),
        Case(
            name: "shared bytes count once for a client",
            rows: (0..<9).map { _ in Row(kim, 1, shared: (7, 30)) },
            dropped: [],
            byteCount: 39
        ),
        Case(
            name: "shared bytes count once in all",
            rows: [kim, lee, park].map { Row($0, 1, shared: (7, 39)) },
            dropped: [],
            byteCount: 42
        ),
        Case(
            name: "an output may drop others that share its bytes",
            rows: [
                Row(kim, 20, shared: (7, 20)), Row(lee, 1, shared: (7, 20)), Row(kim, 30),
            ],
            dropped: [1],
            byteCount: 51
        ),
    ]

    @Test("outputs beyond a limit are dropped, the oldest first", arguments: cases)
    func table(row: Case) {
        var budget = UnsentBudget(bytesMax: 100, clientBytesMax: 40)
        let dropped = row.rows.flatMap { budget.add($0.output, of: $0.client).dropped }
        #expect(dropped == row.dropped, "\(row.name)")
        #expect(budget.byteCount == row.byteCount, "\(row.name)")
    }

    @Test("random outputs stay within both limits and leave nothing behind", arguments: 0..<20)
    func random(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        var budget = UnsentBudget(bytesMax: 1_000, clientBytesMax: 300)
        var live: [Int: Row] = [:]
        var drops = 0
        for _ in 0..<500 {
            if Bool.random(using: &generator),
                let number = live.keys.sorted().randomElement(
                    using: &generator
                )
            {
                budget.remove(number)
                live[number] = nil
            } else {
                let id = UInt.random(in: 1...4, using: &generator)
                let row = Row(
                    NetworkAddress(10, 0, 0, UInt8.random(in: 1...6, using: &generator)),
                    Int.random(in: 0...150, using: &generator),
                    shared: (id, Int(id) * 30)
                )
                let (number, dropped) = budget.add(row.output, of: row.client)
                live[number] = row
                for number in dropped {
                    #expect(live.removeValue(forKey: number) != nil)
                    // A connection of a dropped output ends later.
                    budget.remove(number)
                }
                drops += dropped.count
            }
            #expect(budget.byteCount == Self.bytes(of: Array(live.values)))
            #expect(budget.byteCount <= 1_000)
            for (_, rows) in Dictionary(grouping: live.values, by: \.client) {
                #expect(rows.count == 1 || Self.bytes(of: rows) <= 300)
            }
        }
        #expect(drops > 0 && budget.dropped.values.reduce(0, +) == drops)
        for number in live.keys { budget.remove(number) }
        #expect(budget.byteCount == 0)
    }

    /// The bytes of outputs, shared ones once.
    private static func bytes(of rows: [Row]) -> Int {
        let shared = rows.compactMap(\.shared).map { [Int($0.id), $0.count] }
        return rows.reduce(0) { $0 + $1.own } + Set(shared).reduce(0) { $0 + $1[1] }
    }

    @Test("outputs with one body or one file share its bytes; equal bodies do not")
    func identity() throws {
        let body = [UInt8](repeating: 1, count: 50_000)
        let file = try #require(MemoryFile(body))
        func output(head: Int, body: [UInt8] = [], file: MemoryFile? = nil) -> UnsentOutput {
            var output = Output()
            output.head = [UInt8](repeating: 2, count: head)
            (output.body, output.file) = (body, file)
            return UnsentOutput(output)
        }
        let (one, other) = (output(head: 10, body: body), output(head: 20, body: body))
        #expect(one.sharedID == other.sharedID && one.sharedByteCount == 50_000)
        #expect(one.ownByteCount == 10 && other.ownByteCount == 20)
        let copy = body.map { $0 }
        #expect(output(head: 1, body: copy).sharedID != one.sharedID)
        #expect(body.count == copy.count, "both arrays exist until here")
        let filed = output(head: 5, file: file)
        #expect(filed.sharedID == output(head: 6, file: file).sharedID)
        #expect(filed.sharedID != one.sharedID && filed.sharedByteCount == 50_000)
        #expect(filed.ownByteCount == 5)
    }
}
