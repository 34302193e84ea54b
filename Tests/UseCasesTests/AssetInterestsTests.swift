import Domain
import Synchronization
import TestSupport
import Testing
@testable import UseCases

@Suite(
    "Asset interests: deposits and withdrawals are one interest, leased or touched",
    .tags(.threads)
)
struct AssetInterestsTests {
    @Test("the interest exists while a lease holds it")
    func leases() throws {
        let interests = AssetInterests()
        #expect(!interests.areStatesWanted)
        let first = try #require(interests.enter())
        let second = try #require(interests.enter())
        first.release()
        #expect(interests.areStatesWanted)
        second.release()
        #expect(!interests.areStatesWanted)
    }

    @Test("a touch lasts for a minute")
    func glances() {
        let interests = AssetInterests()
        interests.touch(now: .noon())
        interests.expire(now: .noon(59))
        #expect(interests.areStatesWanted)
        interests.expire(now: .noon(60))
        #expect(!interests.areStatesWanted)
    }

    @Test("the listener is called for the first and the last lease only")
    func listening() throws {
        let interests = AssetInterests()
        let calls = Mutex<[Bool]>([])
        interests.onChange { [interests] in
            let isWanted = interests.areStatesWanted
            calls.withLock { $0.append(isWanted) }
        }
        let first = try #require(interests.enter())
        let second = try #require(interests.enter())
        first.release()
        second.release()
        #expect(calls.withLock { $0 } == [true, false])
    }
}
