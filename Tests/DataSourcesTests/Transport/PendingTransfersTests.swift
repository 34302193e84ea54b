import DataSourceContracts
import TestSupport
import Testing

@testable import DataSourcesHTTP

@Suite("Pending transfers return each waiter once and stay within their bound")
struct PendingTransfersTests {
    private typealias Ledger = PendingTransfers<Int>

    private static let request = HTTPRequest.to("http://127.0.0.1/")
    private static let ending = TransportError(.cancelled, "over")

    @Test("a request goes from its caller to the loop and back")
    func life() throws {
        var ledger = Ledger(requestsMax: 1)
        let id = try ledger.reserve()
        #expect(ledger.takeCommands().isEmpty)
        #expect(ledger.submit(Self.request, as: id, for: 7) == nil)
        #expect(ledger.takeCommands().map(\.started) == [id])
        #expect(ledger.takeCommands().isEmpty, "a command is given once")
        #expect(ledger.complete(id) == 7)
        #expect(ledger.complete(id) == nil)
        #expect(ledger.cancel(id) == nil, "a complete request cannot be cancelled")
    }

    @Test("a request cancelled before submission never reaches the loop")
    func cancelledEarly() throws {
        var ledger = Ledger(requestsMax: 1)
        let id = try ledger.reserve()
        #expect(ledger.cancel(id) == nil)
        #expect(ledger.submit(Self.request, as: id, for: 7)?.code == .cancelled)
        #expect(ledger.takeCommands().isEmpty)
        _ = try ledger.reserve()
    }

    @Test("a request cancelled while waiting never reaches the loop")
    func cancelledWaiting() throws {
        var ledger = Ledger(requestsMax: 2)
        let ids = [try ledger.reserve(), try ledger.reserve()]
        for id in ids { _ = ledger.submit(Self.request, as: id, for: 7) }
        #expect(ledger.cancel(ids[0]) == 7)
        #expect(ledger.takeCommands().map(\.started) == [ids[1]])
    }

    @Test("a request cancelled in flight counts until it is dropped")
    func cancelledUnderWay() throws {
        var ledger = Ledger(requestsMax: 1)
        let id = try ledger.reserve()
        _ = ledger.submit(Self.request, as: id, for: 7)
        _ = ledger.takeCommands()
        #expect(ledger.cancel(id) == 7)
        #expect(throws: TransportError.self) { try ledger.reserve() }
        #expect(ledger.takeCommands().map(\.dropped) == [id])
        #expect(ledger.complete(id) == nil)
        _ = try ledger.reserve()
    }

    @Test("a resumed stream is passed to the loop once, while its request exists")
    func resumption() throws {
        var ledger = Ledger(requestsMax: 2)
        let ids = [try ledger.reserve(), try ledger.reserve()]
        #expect(ledger.resume(ids[0]) == false, "nothing runs yet")
        for id in ids { _ = ledger.submit(Self.request, as: id, for: 7) }
        _ = ledger.takeCommands()
        #expect(ledger.waiter(of: ids[0]) == 7)
        let isTold = [ledger.resume(ids[0]), ledger.resume(ids[0]), ledger.resume(ids[1])]
        #expect(isTold == [true, true, true])
        _ = ledger.cancel(ids[1])
        let commands = ledger.takeCommands()
        #expect(commands.compactMap(\.resumed) == [ids[0]])
        #expect(commands.compactMap(\.dropped) == [ids[1]])
        #expect(ledger.complete(ids[0]) == 7)
        #expect(ledger.resume(ids[0]) == false)
        #expect(ledger.waiter(of: ids[0]) == nil)
        #expect(ledger.takeCommands().isEmpty)
    }

    @Test("the end fails all waiters, and later requests with the first reason")
    func end() throws {
        var ledger = Ledger(requestsMax: 9)
        let ids = try (0..<3).map { _ in try ledger.reserve() }
        _ = ledger.submit(Self.request, as: ids[0], for: 0)
        _ = ledger.takeCommands()
        _ = ledger.submit(Self.request, as: ids[1], for: 1)
        #expect(ledger.end(because: Self.ending).sorted() == [0, 1])
        #expect(ledger.end(because: TransportError(.other, "again")).isEmpty)
        #expect(ledger.submit(Self.request, as: ids[2], for: 2) == Self.ending)
        #expect(throws: Self.ending) { try ledger.reserve() }
        #expect(ledger.takeCommands().isEmpty)
        #expect(ledger.complete(ids[0]) == nil)
    }

    @Test("random events return each waiter once", arguments: UInt64(1)...50)
    func anyOrder(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let requestsMax = 5
        var ledger = Ledger(requestsMax: requestsMax)
        var reserved: [Ledger.ID] = []
        var all: [Ledger.ID] = []
        var running: Set<Ledger.ID> = []
        var waiting: Set<Int> = []
        var told: [Int] = []
        var lastWaiter = 0

        for _ in 0..<300 {
            switch Int.random(in: 0..<5, using: &random) {
            case 0:
                if let id = try? ledger.reserve() {
                    reserved.append(id)
                    all.append(id)
                }
            case 1:
                guard let id = reserved.popLast() else { continue }
                lastWaiter += 1
                if ledger.submit(Self.request, as: id, for: lastWaiter) == nil {
                    waiting.insert(lastWaiter)
                }
            case 2:
                guard let id = all.randomElement(using: &random) else { continue }
                if let waiter = ledger.cancel(id) { told.append(waiter) }
            case 3:
                for command in ledger.takeCommands() {
                    if let id = command.started { #expect(running.insert(id).inserted) }
                    if let id = command.dropped { #expect(running.remove(id) != nil) }
                }
                #expect(running.count <= requestsMax)
            default:
                guard let id = running.min(by: { "\($0)" < "\($1)" }) else { continue }
                running.remove(id)
                if let waiter = ledger.complete(id) { told.append(waiter) }
            }
        }
        told += ledger.end(because: Self.ending)
        #expect(Set(told) == waiting)
        #expect(told.count == waiting.count)
    }
}

extension PendingTransfers.Command {
    /// The request to start, if that is the command.
    fileprivate var started: PendingTransfers.ID? {
        switch self {
        case .start(let id, _): id
        case .drop, .resume: nil
        }
    }

    /// The request to drop, if that is the command.
    fileprivate var dropped: PendingTransfers.ID? {
        switch self {
        case .start, .resume: nil
        case .drop(let id): id
        }
    }

    /// The request to go on with, if that is the command.
    fileprivate var resumed: PendingTransfers.ID? {
        switch self {
        case .start, .drop: nil
        case .resume(let id): id
        }
    }
}
