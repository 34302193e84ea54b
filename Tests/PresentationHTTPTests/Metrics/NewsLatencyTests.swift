import Concurrency
import Domain
import TestSupport
import Testing

@testable import PresentationHTTP

@Suite("The latency of news")
struct NewsLatencyTests {
    private let clock = ManualClock()
    private let latency: NewsLatency
    private let kim = UserID(1)

    init() { latency = NewsLatency(clock: clock) }

    /// The latencies in seconds and their number.
    private var sum: [Double?] {
        ["_sum", "_count"].map { suffix in
            latency.histogram.samples.first { $0.suffix == suffix }?.value
        }
    }

    private func change(age: Duration) { latency.receive(.ages([kim: age])) }

    @Test("a change counts from its writing by the store's clock to the published state")
    func published() {
        latency.watch(kim)
        clock.advance(by: .seconds(10))
        change(age: .milliseconds(300))
        #expect(sum == [0, 0], "the state is not published yet")
        clock.advance(by: .milliseconds(200))
        latency.published(kim)
        #expect(sum == [0.5, 1])
        latency.published(kim)
        #expect(sum == [0.5, 1], "nothing was written since")
    }

    @Test("the oldest of several unpublished changes counts, once")
    func several() {
        latency.watch(kim)
        clock.advance(by: .seconds(10))
        change(age: .seconds(1))
        clock.advance(by: .seconds(2))
        change(age: .milliseconds(100))
        clock.advance(by: .seconds(1))
        latency.published(kim)
        #expect(sum == [4, 1])
    }

    @Test("a change that was published before its news arrive does not count")
    func own() {
        latency.watch(kim)
        clock.advance(by: .seconds(10))
        latency.published(kim)
        clock.advance(by: .milliseconds(800))
        change(age: .milliseconds(810))
        clock.advance(by: .seconds(100))
        latency.published(kim)
        #expect(sum == [0, 0])
    }

    @Test("changes of users without an open stream do not count")
    func unwatched() {
        latency.watch(kim)
        latency.watch(kim)
        clock.advance(by: .seconds(10))
        latency.unwatch(kim)
        change(age: .seconds(1))
        latency.published(kim)
        #expect(sum == [1, 1], "one stream is open")
        change(age: .zero)
        latency.unwatch(kim)
        latency.published(kim)
        clock.advance(by: .seconds(10))
        change(age: .seconds(1))
        latency.published(kim)
        latency.receive(.users([kim]))
        latency.published(kim)
        #expect(sum == [1, 1])
    }

    @Test("a histogram is cumulative, and an age below zero counts as zero")
    func histogram() {
        var histogram = LatencyHistogram()
        for milliseconds in [-5, 10, 11, 1_000, 60_001] {
            histogram.observe(.milliseconds(milliseconds))
        }
        let buckets = histogram.samples.filter { $0.suffix == "_bucket" }
        #expect(buckets.map(\.value) == [2, 3, 3, 3, 3, 3, 4, 4, 4, 4, 4, 4, 5])
        #expect(buckets.map { $0.labels[0].value }.suffix(2) == ["60", "+Inf"])
        #expect(buckets[0].labels[0].value == "0.01")
        #expect(histogram.samples.suffix(2).map(\.value) == [61.022, 5])
    }
}
