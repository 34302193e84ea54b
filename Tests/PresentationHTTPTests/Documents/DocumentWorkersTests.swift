import Dispatch
import Domain
import HTTPServer
import NetworkAddresses
import Synchronization
import TestSupport
import ViewStates
import Testing

@testable import PresentationHTTP

@Suite("Threads that make documents", .tags(.threads))
struct DocumentWorkersTests {
    private static func client(_ number: UInt8) -> RateLimits.Key {
        RateLimits.Key(NetworkAddress(203, 0, 113, number))
    }

    private static func product(
        _ count: Int,
        of sequence: UInt64 = 1
    ) -> DocumentWorkers.Product {
        var query = MarketDetailQuery(market: "BTC_KRW")
        query.candles = .newest(count: count, before: nil)
        return .init(query: .candles(query), isGzip: false, sequence: sequence)
    }

    private static let done = RouteResponse(status: 204, content: .nothing)

    /// Numbers from other threads, in order.
    private final class Mailbox: Sendable {
        private let numbers = Mutex<[Int]>([])
        private let arrived = DispatchSemaphore(value: 0)

        var isEmpty: Bool { numbers.withLock { $0.isEmpty } }

        func put(_ number: Int) {
            numbers.withLock { $0.append(number) }
            arrived.signal()
        }

        /// The next number; blocks until there is one.
        func next() -> Int {
            arrived.wait()
            return numbers.withLock { $0.removeFirst() }
        }
    }

    /// Jobs that wait until they are released.
    private final class Gate: Sendable {
        private let waiting = Mutex<[DocumentWorkers.Completion]>([])
        let begun = Mailbox()
        let finished = Mailbox()

        func job(_ number: Int) -> @Sendable (@escaping DocumentWorkers.Completion) -> Void {
            { completion in
                self.waiting.withLock { $0.append(completion) }
                self.begun.put(number)
            }
        }

        func release() {
            let completions = waiting.withLock { waiting in
                defer { waiting.removeAll() }
                return waiting
            }
            for completion in completions { completion(DocumentWorkersTests.done) }
        }
    }

    @Test("requests for one product wait for one job")
    func shared() {
        let workers = DocumentWorkers(threadCount: 2)
        let gate = Gate()
        for number in 1...5 {
            let isTaken = workers.submit(
                Self.product(1),
                for: Self.client(UInt8(number)),
                gate.job(1)
            ) { _ in gate.finished.put(number) }
            #expect(isTaken)
        }
        #expect(gate.begun.next() == 1)
        gate.release()
        #expect(Set((0..<5).map { _ in gate.finished.next() }) == Set(1...5))
        #expect(gate.begun.isEmpty)
        // The next request has the product made anew.
        _ = workers.submit(Self.product(1), for: Self.client(1), gate.job(2)) { _ in }
        #expect(gate.begun.next() == 2)
        // Jobs that are not finished keep their workers.
        gate.release()
    }

    @Test("a request after a newer snapshot does not get what was begun before it")
    func newerSnapshot() {
        let workers = DocumentWorkers(threadCount: 2)
        let gate = Gate()
        for number in 1...2 {
            _ = workers.submit(
                Self.product(1, of: UInt64(number)),
                for: Self.client(UInt8(number)),
                gate.job(number)
            ) { _ in gate.finished.put(number) }
            #expect(gate.begun.next() == number)
        }
        gate.release()
        #expect(Set((0..<2).map { _ in gate.finished.next() }) == [1, 2])
    }

    @Test("a client with too many jobs is refused; others are not")
    func full() {
        let workers = DocumentWorkers(threadCount: 2)
        // Occupies the one thread that a client may use.
        let (hasBegun, isReleased) = (Mailbox(), Mailbox())
        _ = workers.submit(nil, for: Self.client(1)) { completion in
            hasBegun.put(0)
            _ = isReleased.next()
            completion(Self.done)
        } completion: { _ in
        }
        _ = hasBegun.next()
        let gate = Gate()
        for number in 1...DocumentWorkers.waitingPerClientMax {
            #expect(
                workers.submit(Self.product(number), for: Self.client(1), gate.job(number)) { _ in }
            )
        }
        #expect(!workers.submit(Self.product(99), for: Self.client(1), gate.job(99)) { _ in })
        #expect(workers.submit(Self.product(98), for: Self.client(2), gate.job(98)) { _ in })
        #expect(gate.begun.next() == 98)
        // Another client's request for a waiting product takes that client's turn.
        #expect(workers.submit(Self.product(7), for: Self.client(2), gate.job(7)) { _ in })
        #expect(gate.begun.next() == 7)
        isReleased.put(0)
        let rest = (1..<DocumentWorkers.waitingPerClientMax).map { _ in gate.begun.next() }
        #expect(rest == (1...DocumentWorkers.waitingPerClientMax).filter { $0 != 7 })
        #expect(workers.waitingCount == 0)
        gate.release()
    }
}
