import Testing

@testable import PresentationHTTP

@Suite("A change either begins or is withdrawn", .tags(.threads))
struct ChangePermitTests {
    @Test("the first call of begin() or withdraw() wins, however often both are called")
    func first() {
        let begun = ChangePermit()
        #expect(begun.begin() && begun.begin() && !begun.withdraw() && begun.begin())
        let withdrawn = ChangePermit()
        #expect(withdrawn.withdraw() && withdrawn.withdraw() && !withdrawn.begin())
    }

    @Test("exactly one of two concurrent calls wins")
    func race() async {
        for _ in 0..<200 {
            let permit = ChangePermit()
            async let begun = Self.begin(permit)
            async let withdrawn = Self.withdraw(permit)
            let both = await (begun, withdrawn)
            #expect(both.0 != both.1)
        }
    }

    @concurrent
    private static func begin(_ permit: ChangePermit) async -> Bool { permit.begin() }

    @concurrent
    private static func withdraw(_ permit: ChangePermit) async -> Bool { permit.withdraw() }
}
