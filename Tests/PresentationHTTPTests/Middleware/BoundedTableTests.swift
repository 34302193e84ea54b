import TestSupport
import Testing

@testable import PresentationHTTP

@Suite("A bounded table remembers those keys that were used last")
struct BoundedTableTests {
    @Test("It never holds more than its bound, and always the newest half of it")
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

    @Test("Looking is no use: only setting keeps a key")
    func looking() {
        var table = BoundedTable<Int, Int>(entriesMax: 4)
        table[1] = 1
        for key in 2...5 {
            _ = table[1]
            table[key] = key
        }
        #expect(table[1] == nil && table[5] == 5)
    }

    @Test("What was taken out is gone from both generations")
    func removal() {
        var table = BoundedTable<Int, Int>(entriesMax: 4)
        for key in 1...3 { table[key] = key }
        table[1] = 9
        table[1] = nil
        #expect(table[1] == nil)
    }
}
