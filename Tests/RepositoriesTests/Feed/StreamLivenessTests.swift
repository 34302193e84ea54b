import Domain
import TestSupport
import Testing

@testable import Repositories

@Suite("A connection is watched from its subscription on")
struct StreamLivenessTests {
    @Test("counts the subscription as a sign of life, and a sign only once")
    func signs() {
        let watch = StreamLiveness()
        watch.begin(at: .seconds(100), signOfLife: .noon(1))
        #expect(watch.lastSignOfLife == .seconds(100))
        watch.note(signOfLife: .noon(1), at: .seconds(103))
        #expect(watch.lastSignOfLife == .seconds(100), "a sign of the connection before")
        watch.note(signOfLife: nil, at: .seconds(104))
        #expect(watch.lastSignOfLife == .seconds(100))
        watch.note(signOfLife: .noon(2), at: .seconds(105))
        watch.note(signOfLife: .noon(2), at: .seconds(109))
        #expect(watch.lastSignOfLife == .seconds(105))
    }

    @Test("calls the first frame of all a sign")
    func firstFrame() {
        let watch = StreamLiveness()
        watch.begin(at: .seconds(100), signOfLife: nil)
        watch.note(signOfLife: .noon(2), at: .seconds(105))
        #expect(watch.lastSignOfLife == .seconds(105))
    }

    @Test("calls a connection sound after fifteen seconds, and one without subscription never")
    func soundness() {
        let watch = StreamLiveness()
        #expect(!watch.wasStable(at: .seconds(1_000)))
        watch.begin(at: .seconds(1_000), signOfLife: nil)
        #expect(!watch.wasStable(at: .milliseconds(1_014_999)))
        #expect(watch.wasStable(at: .seconds(1_015)))
    }
}
