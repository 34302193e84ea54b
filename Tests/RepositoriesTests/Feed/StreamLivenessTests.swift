import Domain
import TestSupport
import Testing

@testable import Repositories

@Suite("Stream liveness is measured from the subscription on")
struct StreamLivenessTests {
    @Test("counts the subscription as a sign of life, and each sign once")
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

    @Test("counts the first frame as a sign of life")
    func firstFrame() {
        let watch = StreamLiveness()
        watch.begin(at: .seconds(100), signOfLife: nil)
        watch.note(signOfLife: .noon(2), at: .seconds(105))
        #expect(watch.lastSignOfLife == .seconds(105))
    }

    @Test("calls a connection stable fifteen seconds after its subscription")
    func soundness() {
        let watch = StreamLiveness()
        #expect(!watch.wasStable(at: .seconds(1_000)))
        watch.begin(at: .seconds(1_000), signOfLife: nil)
        #expect(!watch.wasStable(at: .milliseconds(1_014_999)))
        #expect(watch.wasStable(at: .seconds(1_015)))
    }
}
