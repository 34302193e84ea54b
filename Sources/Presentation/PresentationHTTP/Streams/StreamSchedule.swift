/// Decides the order in which topics are served, and which of them wait for the next pass.
///
/// A pass has a budget of time. Clients take turns by the time that their topics took lately, and
/// take in this pass. Topics that found no time are the first of their client in the next pass, so
/// that big or many topics of one client become slower before others do.
struct StreamSchedule<Topic: AnyObject & Sendable, Owner: Hashable & Sendable>: Sendable {
    /// A topic with readers that wait.
    struct Candidate: Sendable {
        let topic: Topic
        /// The client that pays for the topic.
        let owner: Owner
    }

    private struct Entry: Sendable {
        /// How long serving it took last; a guess before the first time.
        var cost: Duration
        /// Passes in which it found no time, since it was served.
        var passesMissed = 0
    }

    /// The time of one pass.
    let budget: Duration
    /// Topics that are removed before they are deallocated, so that no id is used twice.
    private var entries: [ObjectIdentifier: Entry] = [:]
    /// The time that each client took lately; halved in each pass.
    private var used: [Owner: Duration] = [:]

    init(budget: Duration) { self.budget = budget }

    /// The number of topics that were served or missed.
    var count: Int { entries.count }

    /// The order of a pass; the caller stops when the budget is used up.
    mutating func order(_ candidates: [Candidate]) -> [Candidate] {
        used = used.mapValues { $0 / 2 }.filter { $0.value > .microseconds(1) }
        let costs = candidates.map { entries[ObjectIdentifier($0.topic)] ?? newEntry }
        if costs.lazy.map(\.cost).reduce(.zero, +) <= budget,
            costs.allSatisfy({ $0.passesMissed == 0 })
        {
            return candidates
        }
        let oldestFirst = candidates.indices.sorted {
            costs[$0].passesMissed != costs[$1].passesMissed
                ? costs[$0].passesMissed > costs[$1].passesMissed
                : costs[$0].cost < costs[$1].cost
        }
        var spent = used
        var before = [Duration](repeating: .zero, count: candidates.count)
        for index in oldestFirst {
            before[index] = spent[candidates[index].owner, default: .zero]
            spent[candidates[index].owner, default: .zero] += costs[index].cost
        }
        let places = oldestFirst.enumerated().sorted {
            before[$0.element] != before[$1.element]
                ? before[$0.element] < before[$1.element] : $0.offset < $1.offset
        }
        return places.map { candidates[$0.element] }
    }

    /// Records that a topic was served.
    mutating func served(_ candidate: Candidate, in cost: Duration) {
        entries[ObjectIdentifier(candidate.topic)] = Entry(cost: cost)
        used[candidate.owner, default: .zero] += cost
    }

    /// Records that a topic found no time.
    mutating func missed(_ topic: Topic) {
        let new = newEntry
        entries[ObjectIdentifier(topic), default: new].passesMissed += 1
    }

    private var newEntry: Entry { Entry(cost: budget / 10) }

    /// Forgets a topic.
    mutating func remove(_ topic: Topic) { entries[ObjectIdentifier(topic)] = nil }
}
