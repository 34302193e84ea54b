import TestSupport
import Testing

@testable import PresentationHTTP

@Suite("Bounded table")
struct BoundedTableTests {
    @Test("the table holds at least half of its bound, the newest keys")
    func bound() {
        var random = SeededGenerator(seed: 47)
        var table = BoundedTable<Int, Int>(entriesMax: 64)
        var uses: [Int] = []
        for number in 0..<5_000 {
            let key = Int.random(in: 0..<200, using: &random)
            table[key] = number
            uses.removeAll { $0 == key }
            uses.append(key)
            #expect(table.count <= 64)
            let isKept = uses.suffix(32).allSatisfy { table[$0] != nil }
            #expect(isKept)
            #expect(table[key] == number)
        }
    }

    @Test("reading does not keep a key, setting does")
    func looking() {
        var table = BoundedTable<Int, Int>(entriesMax: 4)
        table[1] = 1
        for key in 2...5 {
            _ = table[1]
            table[key] = key
        }
        #expect(table[1] == nil && table[5] == 5)
    }

    @Test("a removed key is gone from both generations")
    func removal() {
        var table = BoundedTable<Int, Int>(entriesMax: 4)
        for key in 1...3 { table[key] = key }
        table[1] = 9
        table[1] = nil
        #expect(table[1] == nil)
    }
}
