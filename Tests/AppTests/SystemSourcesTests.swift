import Dispatch
import Synchronization
import Testing

@testable import App

@Suite("Request ids are short and unique", .tags(.threads))
struct SystemSourcesTests {
    @Test("100,000 ids from several threads are distinct")
    func requestNames() {
        let names = Mutex<[String]>([])
        DispatchQueue.concurrentPerform(iterations: 8) { _ in
            let own = (0..<12_500).map { _ in SystemSources.requestID() }
            names.withLock { $0 += own }
        }
        let all = names.withLock { $0 }
        #expect(all.count == 100_000 && Set(all).count == 100_000)
        let letters = Set("0123456789abcdefghjkmnpqrstvwxyz")
        #expect(all.allSatisfy { $0.count == 12 && letters.isSuperset(of: $0) })
    }

    @Test("consecutive ids look unrelated")
    func mixed() {
        let names = (0..<4_096).map { _ in SystemSources.requestID() }
        // Each of 32 letters occurs in 128 of 4,096 uniform choices, with a deviation of eleven.
        for place in 0..<12 {
            let counts = Dictionary(grouping: names) { Array($0)[place] }.mapValues(\.count)
            #expect(counts.count == 32 && counts.values.allSatisfy { (40..<220).contains($0) })
        }
    }
}
