import TestSupport
import Testing

@testable import PresentationHTTP

@Suite("Request metrics")
struct RequestMetricsTests {
    private let tallies = RequestMetrics(routes: ["/v1/markets", "/v1/stream"])

    private func samples(_ name: String) -> [MetricFamily.Sample] {
        RequestCounter.families(tallies.tallies).first { $0.name == name }?.samples ?? []
    }

    @Test("each route and status has a count; all others share one")
    func counts() {
        tallies.count(route: "/v1/markets", status: 200, duration: .milliseconds(1), bytes: 10)
        tallies.count(route: "/v1/markets", status: 200, duration: .milliseconds(1), bytes: 5)
        tallies.count(route: "/v1/markets", status: 503, duration: .milliseconds(1), bytes: 1)
        tallies.count(route: nil, status: 404, duration: .zero, bytes: 0)
        tallies.count(route: "/etc/passwd", status: 418, duration: .zero, bytes: 0)
        let counts = samples("hoga_http_requests_total").map { sample in
            (sample.labels.map(\.value), sample.value)
        }
        let expected: [([String], Double)] = [
            (["/v1/markets", "200"], 2), (["/v1/markets", "503"], 1), (["other", "404"], 1),
            (["other", "other"], 1),
        ]
        #expect(counts.elementsEqual(expected) { $0 == $1 })
        let markets = tallies.tallies[0]
        #expect(markets.count == 3 && markets.errorCount == 1 && markets.bytes == 16)
        #expect(tallies.tallies[2].errorCount == 2)
    }

    @Test("the number of samples is bounded")
    func bounded() {
        for number in 0..<2_000 {
            tallies.count(
                route: "/v1/markets/\(number)",
                status: number,
                duration: .microseconds(number),
                bytes: number
            )
        }
        #expect(tallies.tallies.count == 3)
        #expect(samples("hoga_http_requests_total").count <= RequestMetrics.statuses.count + 1)
        #expect(tallies.tallies.last?.count == 2_000)
    }

    @Test("the histogram is cumulative")
    func histogram() {
        var generator = SeededGenerator(seed: 7)
        let durations = (0..<500).map { _ in
            Duration.microseconds(Int64.random(in: 0...20_000_000, using: &generator))
        }
        for duration in durations {
            tallies.count(route: "/v1/markets", status: 200, duration: duration, bytes: 0)
        }
        let samples = samples("hoga_http_duration_seconds")
        for bound in RequestCounter.shownBounds {
            let label = MetricsText.number(Double(bound) / 1_000_000)
            let sample = samples.first { $0.labels == [.init("le", label)] }
            let expected = durations.count { $0 <= .microseconds(bound) }
            #expect(sample?.value == Double(expected), "up to \(label) s")
        }
        #expect(samples.first { $0.labels == [.init("le", "+Inf")] }?.value == 500)
        #expect(samples.last?.value == 500)
        let sum = durations.reduce(0) { $0 + $1.inSeconds }
        let exportedSum = samples.first { $0.suffix == "_sum" }?.value ?? 0
        #expect(abs(exportedSum - sum) < 0.001)
    }

    @Test("every exported bound is a counted bound")
    func bounds() {
        let bounds = RequestMetrics.boundsMicroseconds
        #expect(bounds == bounds.sorted() && Set(bounds).count == bounds.count)
        #expect(bounds.first == 10 && bounds.last == 100_000_000)
        #expect(RequestCounter.shownBounds.allSatisfy { bounds.contains($0) })
    }

    @Test("a quantile is the next bound above the true value")
    func quantiles() {
        var generator = SeededGenerator(seed: 3)
        var durations = (0..<999).map { _ in Int.random(in: 1...5_000_000, using: &generator) }
        for duration in durations {
            tallies.count(
                route: "/v1/markets",
                status: 200,
                duration: .microseconds(duration),
                bytes: 0
            )
        }
        durations.sort()
        for (share, place) in [(0.5, 499), (0.99, 989), (1.0, 998)] {
            let index = RequestMetrics.place(of: durations[place])
            let bound = RequestMetrics.boundsMicroseconds[index]
            #expect(tallies.tallies[0].quantile(share) == .microseconds(bound))
            #expect(bound >= durations[place])
        }
        #expect(tallies.tallies[1].quantile(0.5) == nil)
    }

    @Test("a stream counts as a request without a duration")
    func streams() {
        tallies.count(route: "/v1/stream", status: 200, duration: nil, bytes: 1_000)
        #expect(tallies.tallies[1].count == 1 && tallies.tallies[1].timedCount == 0)
        #expect(samples("hoga_http_duration_seconds").last?.value == 0)
    }

    @Test("counts since an earlier state are the difference")
    func since() {
        tallies.count(route: "/v1/markets", status: 500, duration: .seconds(200), bytes: 4)
        let before = tallies.tallies[0]
        tallies.count(route: "/v1/markets", status: 200, duration: .milliseconds(2), bytes: 6)
        let delta = tallies.tallies[0].since(before)
        #expect(delta.count == 1 && delta.errorCount == 0 && delta.bytes == 6)
        #expect(delta.quantile(0.99) == .milliseconds(2))
        #expect(before.quantile(0.5) == nil, "longer than the last bound")
    }

    @Test("labels are route templates, never market names")
    func routes() {
        let names = RequestMetrics().tallies.map(\.route)
        #expect(names.count == (Route.all + Route.page).count + 1)
        #expect(names.contains("/v1/markets/{market}"))
        #expect(names.last == "other")
    }
}
