import Concurrency
import TestSupport
import Testing

@Suite("A stopwatch and a deadline measure on the clock they were made with")
struct StopwatchTests {
    @Test("a stopwatch starts at zero when it is made, wherever its clock stands")
    func elapsed() {
        let clock = ManualClock()
        clock.advance(by: .seconds(100))
        let stopwatch = Stopwatch(clock)
        #expect(stopwatch.elapsed == .zero)
        clock.advance(by: .milliseconds(1_500))
        #expect(stopwatch.elapsed == .milliseconds(1_500))
    }

    @Test("a deadline counts down to zero and passes there")
    func deadline() {
        let clock = ManualClock()
        let deadline = Deadline(after: .seconds(2), clock: clock)
        #expect(deadline.remaining == .seconds(2))
        clock.advance(by: .milliseconds(1_999))
        #expect(deadline.remaining == .milliseconds(1))
        #expect(!deadline.hasPassed)
        clock.advance(by: .milliseconds(1))
        #expect(deadline.hasPassed)
        clock.advance(by: .seconds(9))
        #expect(deadline.remaining == .zero, "never negative")
    }
}
