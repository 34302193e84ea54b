import Testing

@testable import PresentationHTTP

@Suite("Order in which streamed documents are served")
struct StreamScheduleTests {
    private final class Topic: Sendable {
        let name: String
        let owner: Int
        let cost: Duration

        init(_ name: String, _ owner: Int, _ milliseconds: Int) {
            self.name = name
            self.owner = owner
            cost = .milliseconds(milliseconds)
        }
    }

    private typealias Schedule = StreamSchedule<Topic, Int>

    private static let budget = Duration.milliseconds(50)

    /// Runs a pass as the streams do; returns the topics that were served.
    private func pass(_ topics: [Topic], _ schedule: inout Schedule) -> [Topic] {
        var spent = Duration.zero
        var served: [Topic] = []
        for candidate in schedule.order(topics.map { .init(topic: $0, owner: $0.owner) }) {
            guard spent < Self.budget else {
                schedule.missed(candidate.topic)
                continue
            }
            schedule.served(candidate, in: candidate.topic.cost)
            spent += candidate.topic.cost
            served.append(candidate.topic)
        }
        return served
    }

    @Test("topics that fit into a pass are all served")
    func all() {
        var schedule = Schedule(budget: Self.budget)
        let topics = (0..<50).map { Topic("\($0)", $0 % 7, 1) }
        for _ in 0..<3 { #expect(pass(topics, &schedule).count == 50) }
    }

    @Test("small topics are served in every pass beside another client's big ones")
    func small() {
        var schedule = Schedule(budget: Self.budget)
        let big = (0..<16).map { Topic("big \($0)", 1, 15) }
        let small = (0..<20).map { Topic("small \($0)", $0 + 2, 1) }
        _ = pass(big + small, &schedule)
        _ = pass(big + small, &schedule)
        for _ in 0..<20 {
            let served = pass(big + small, &schedule)
            #expect(small.allSatisfy { each in served.contains { $0 === each } })
        }
    }

    @Test("a topic beyond the budget does not delay cheap ones of others")
    func dear() {
        var schedule = Schedule(budget: Self.budget)
        let dear = (0..<4).map { Topic("dear \($0)", 1, 120) }
        let cheap = (0..<20).map { Topic("cheap \($0)", $0 + 2, 1) }
        for _ in 0..<4 { _ = pass(dear + cheap, &schedule) }
        for _ in 0..<20 {
            let served = pass(dear + cheap, &schedule)
            #expect(cheap.allSatisfy { each in served.contains { $0 === each } })
            #expect(served.count == 21)
        }
    }

    @Test("big topics take turns: each is served again after the others")
    func turns() {
        var schedule = Schedule(budget: Self.budget)
        let big = (0..<16).map { Topic("\($0)", 1, 25) }
        var counts: [String: Int] = [:]
        for _ in 0..<80 {
            for topic in pass(big, &schedule) { counts[topic.name, default: 0] += 1 }
        }
        #expect(counts.count == 16)
        #expect(counts.values.allSatisfy { (8...12).contains($0) })
    }

    @Test("clients with more work than a pass has are served in turns")
    func clients() {
        var schedule = Schedule(budget: Self.budget)
        let topics = (0..<30).map { Topic("\($0)", $0 % 10, 20) }
        var counts: [Int: Int] = [:]
        for _ in 0..<100 {
            for topic in pass(topics, &schedule) { counts[topic.owner, default: 0] += 1 }
        }
        #expect(counts.count == 10 && counts.values.allSatisfy { (25...35).contains($0) })
    }

    @Test("a removed topic is forgotten")
    func removed() {
        var schedule = Schedule(budget: Self.budget)
        let topics = [Topic("a", 1, 60), Topic("b", 1, 60)]
        #expect(pass(topics, &schedule).count == 1)
        schedule.remove(topics[1])
        schedule.remove(topics[0])
        #expect(pass(topics, &schedule).map(\.name) == ["a"])
    }
}
