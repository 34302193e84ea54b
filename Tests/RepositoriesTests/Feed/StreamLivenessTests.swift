import Domain
import TestSupport
import Testing

@testable import Repositories

@Suite("Stream liveness is measured from the subscription on")
struct StreamLivenessTests {
    @Test("the subscription counts as a sign of life, and each sign counts once")
    func signs() {
        let liveness = StreamLiveness()
        liveness.begin(at: .seconds(100), signOfLife: .noon(1))
        #expect(liveness.lastSignOfLife == .seconds(100))
        liveness.note(signOfLife: .noon(1), at: .seconds(103))
        #expect(liveness.lastSignOfLife == .seconds(100), "a sign of an earlier connection")
        liveness.note(signOfLife: nil, at: .seconds(104))
        #expect(liveness.lastSignOfLife == .seconds(100))
        liveness.note(signOfLife: .noon(2), at: .seconds(105))
        liveness.note(signOfLife: .noon(2), at: .seconds(109))
        #expect(liveness.lastSignOfLife == .seconds(105))
    }

    @Test("the first frame counts as a sign of life")
    func firstFrame() {
        let liveness = StreamLiveness()
        liveness.begin(at: .seconds(100), signOfLife: nil)
        liveness.note(signOfLife: .noon(2), at: .seconds(105))
        #expect(liveness.lastSignOfLife == .seconds(105))
    }

    @Test("a silence begins once, after five seconds, and a sign of life ends it")
    func silence() {
        let liveness = StreamLiveness()
        #expect(!liveness.beginsSilence(at: .seconds(1_000)))
        liveness.begin(at: .seconds(100), signOfLife: nil)
        #expect(!liveness.beginsSilence(at: .milliseconds(104_999)))
        #expect(!liveness.note(signOfLife: .noon(1), at: .seconds(105)))
        #expect(!liveness.beginsSilence(at: .milliseconds(109_999)))
        #expect(liveness.beginsSilence(at: .seconds(110)))
        #expect(!liveness.beginsSilence(at: .seconds(111)))
        #expect(!liveness.note(signOfLife: .noon(1), at: .seconds(112)))
        #expect(liveness.note(signOfLife: .noon(2), at: .seconds(113)))
        #expect(liveness.beginsSilence(at: .seconds(118)))
    }

    @Test("a connection is stable fifteen seconds after its subscription")
    func soundness() {
        let liveness = StreamLiveness()
        #expect(!liveness.wasStable(at: .seconds(1_000)))
        liveness.begin(at: .seconds(1_000), signOfLife: nil)
        #expect(!liveness.wasStable(at: .milliseconds(1_014_999)))
        #expect(liveness.wasStable(at: .seconds(1_015)))
    }
}
