import DataSourceContracts
import TestSupport
import Testing

@testable import DataSourcesHTTP

@Suite("Pending transfers return each waiter once and stay within their bound")
struct PendingTransfersTests {
    private typealias Transfers = PendingTransfers<Int>

    private static let request = HTTPRequest.to("http://127.0.0.1/")
    private static let ending = TransportError(.cancelled, "over")

    @Test("a request goes from its caller to the loop and back")
    func life() throws {
        var transfers = Transfers(requestsMax: 1)
        let id = try transfers.reserve()
        #expect(transfers.takeCommands().isEmpty)
        #expect(transfers.submit(Self.request, as: id, for: 7) == nil)
        #expect(transfers.takeCommands().map(\.started) == [id])
        #expect(transfers.takeCommands().isEmpty, "a command is given once")
        #expect(transfers.complete(id) == 7)
        #expect(transfers.complete(id) == nil)
        #expect(transfers.cancel(id) == nil, "a complete request cannot be cancelled")
    }

    @Test("a request cancelled before submission never reaches the loop")
    func cancelledEarly() throws {
        var transfers = Transfers(requestsMax: 1)
        let id = try transfers.reserve()
        #expect(transfers.cancel(id) == nil)
        #expect(transfers.submit(Self.request, as: id, for: 7)?.code == .cancelled)
        #expect(transfers.takeCommands().isEmpty)
        _ = try transfers.reserve()
    }

    @Test("a request cancelled while waiting never reaches the loop")
    func cancelledWaiting() throws {
        var transfers = Transfers(requestsMax: 2)
        let ids = [try transfers.reserve(), try transfers.reserve()]
        for id in ids { _ = transfers.submit(Self.request, as: id, for: 7) }
        #expect(transfers.cancel(ids[0]) == 7)
        #expect(transfers.takeCommands().map(\.started) == [ids[1]])
    }

    @Test("a request cancelled in flight counts until it is dropped")
    func cancelledUnderWay() throws {
        var transfers = Transfers(requestsMax: 1)
        let id = try transfers.reserve()
        _ = transfers.submit(Self.request, as: id, for: 7)
        _ = transfers.takeCommands()
        #expect(transfers.cancel(id) == 7)
        #expect(throws: TransportError.self) { try transfers.reserve() }
        #expect(transfers.takeCommands().map(\.dropped) == [id])
        #expect(transfers.complete(id) == nil)
        _ = try transfers.reserve()
    }

    @Test("a resumed stream is passed to the loop once, while its request exists")
    func resumption() throws {
        var transfers = Transfers(requestsMax: 2)
        let ids = [try transfers.reserve(), try transfers.reserve()]
        #expect(transfers.resume(ids[0]) == false, "nothing runs yet")
        for id in ids { _ = transfers.submit(Self.request, as: id, for: 7) }
        _ = transfers.takeCommands()
        #expect(transfers.waiter(of: ids[0]) == 7)
        let isTold = [transfers.resume(ids[0]), transfers.resume(ids[0]), transfers.resume(ids[1])]
        #expect(isTold == [true, true, true])
        _ = transfers.cancel(ids[1])
        let commands = transfers.takeCommands()
        #expect(commands.compactMap(\.resumed) == [ids[0]])
        #expect(commands.compactMap(\.dropped) == [ids[1]])
        #expect(transfers.complete(ids[0]) == 7)
        #expect(transfers.resume(ids[0]) == false)
        #expect(transfers.waiter(of: ids[0]) == nil)
        #expect(transfers.takeCommands().isEmpty)
    }

    @Test("the end fails all waiters, and later requests with the first reason")
    func end() throws {
        var transfers = Transfers(requestsMax: 9)
        let ids = try (0..<3).map { _ in try transfers.reserve() }
        _ = transfers.submit(Self.request, as: ids[0], for: 0)
        _ = transfers.takeCommands()
        _ = transfers.submit(Self.request, as: ids[1], for: 1)
        #expect(transfers.end(because: Self.ending).sorted() == [0, 1])
        #expect(transfers.end(because: TransportError(.other, "again")).isEmpty)
        #expect(transfers.submit(Self.request, as: ids[2], for: 2) == Self.ending)
        #expect(throws: Self.ending) { try transfers.reserve() }
        #expect(transfers.takeCommands().isEmpty)
        #expect(transfers.complete(ids[0]) == nil)
    }

    @Test("random events return each waiter once", arguments: UInt64(1)...50)
    func anyOrder(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let requestsMax = 5
        var transfers = Transfers(requestsMax: requestsMax)
        var reserved: [Transfers.ID] = []
        var all: [Transfers.ID] = []
        var running: Set<Transfers.ID> = []
        var waiting: Set<Int> = []
        var told: [Int] = []
        var lastWaiter = 0

        for _ in 0..<300 {
            switch Int.random(in: 0..<5, using: &random) {
            case 0:
                if let id = try? transfers.reserve() {
                    reserved.append(id)
                    all.append(id)
                }
            case 1:
                guard let id = reserved.popLast() else { continue }
                lastWaiter += 1
                if transfers.submit(Self.request, as: id, for: lastWaiter) == nil {
                    waiting.insert(lastWaiter)
                }
            case 2:
                guard let id = all.randomElement(using: &random) else { continue }
                if let waiter = transfers.cancel(id) { told.append(waiter) }
            case 3:
                for command in transfers.takeCommands() {
                    if let id = command.started { #expect(running.insert(id).inserted) }
                    if let id = command.dropped { #expect(running.remove(id) != nil) }
                }
                #expect(running.count <= requestsMax)
            default:
                guard let id = running.min(by: { "\($0)" < "\($1)" }) else { continue }
                running.remove(id)
                if let waiter = transfers.complete(id) { told.append(waiter) }
            }
        }
        told += transfers.end(because: Self.ending)
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
