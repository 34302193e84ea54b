import DataSourceContracts
import Domain
import TestSupport

/// The channel from the exchange to the feed: it loses, duplicates and reorders frames.
struct TrialChannel {
    private struct Flight {
        var arrivesAt: Duration
        var number: Int
        var message: StreamMessageDTO
    }

    /// Sent frames.
    private(set) var sent = 0
    /// Lost frames.
    private(set) var lost = 0
    /// Duplicated frames.
    private(set) var doubled = 0
    /// Frames that arrived after one sent later.
    private(set) var overtaken = 0

    private var flights: [Flight] = []
    private var newestArrived = 0
    private var random: SeededGenerator

    init(seed: UInt64) { random = SeededGenerator(seed: seed &* 31 &+ 7) }

    /// The arrival of the next frame.
    var nextArrival: Duration? { flights.map(\.arrivesAt).min() }

    /// Sends a frame, which may be lost, duplicated or late.
    mutating func send(_ message: StreamMessageDTO, at now: Duration) {
        sent += 1
        if isOneOf(BookTrial.lossesPerMille) {
            lost += 1
            return
        }
        let copies = isOneOf(BookTrial.duplicatesPerMille) ? 2 : 1
        doubled += copies - 1
        for _ in 0..<copies {
            var way: Duration = .milliseconds(30)
            if isOneOf(BookTrial.latePerMille) {
                let late = BookTrial.lateness.wholeMicroseconds
                way += .microseconds(Int64.random(in: 0...late, using: &random))
            }
            flights.append(Flight(arrivesAt: now + way, number: sent, message: message))
        }
    }

    /// Removes the frames that arrive at a time, in the order of sending.
    mutating func arrivals(at now: Duration) -> [StreamMessageDTO] {
        let arrived = flights.filter { $0.arrivesAt <= now }
        flights.removeAll { $0.arrivesAt <= now }
        for flight in arrived {
            if flight.number < newestArrived { overtaken += 1 }
            newestArrived = max(newestArrived, flight.number)
        }
        return arrived.map(\.message)
    }

    /// A pause between two frames of the exchange, in milliseconds.
    mutating func pause(of milliseconds: Int64, spread: Int64) -> Duration {
        let (middle, half) = (milliseconds * 1_000, spread * 1_000)
        return .microseconds(Int64.random(in: middle - half...middle + half, using: &random))
    }

    private mutating func isOneOf(_ perMille: Int) -> Bool {
        Int.random(in: 0..<1_000, using: &random) < perMille
    }
}
