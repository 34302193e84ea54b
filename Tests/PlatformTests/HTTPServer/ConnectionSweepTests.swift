import Testing

@testable import HTTPServer

@Suite("A sweep names connections that trickle, and leaves idle and busy ones alone")
struct ConnectionSweepTests {
    /// Calls that a header or a body may last.
    private static let callsMax = 3

    @Test("A first header that does not end is overdue, counted from the connection's beginning")
    func firstHeader() {
        var sweep = ConnectionSweep(callsMax: Self.callsMax)
        sweep.add(ConnectionRecord(descriptor: 7))
        #expect((1...5).map { _ in Self.call(&sweep) } == [[], [], [], [7], [7]])
    }

    @Test("A connection that idles between requests is never overdue")
    func idle() {
        var sweep = ConnectionSweep(callsMax: Self.callsMax)
        let record = ConnectionRecord(descriptor: 7)
        sweep.add(record)
        record.enter(.answer)
        record.enter(.nextHeader)
        for _ in 0..<20 { #expect(Self.call(&sweep, bytes: 500).isEmpty) }
    }

    @Test("The next header's time begins when its first bytes come")
    func nextHeader() {
        var sweep = ConnectionSweep(callsMax: Self.callsMax)
        let record = ConnectionRecord(descriptor: 7)
        sweep.add(record)
        record.enter(.nextHeader)
        for _ in 0..<10 { #expect(Self.call(&sweep, bytes: 500).isEmpty) }
        // One byte at a time, noticed in the first of these calls.
        let overdue = (1...5).map { Self.call(&sweep, bytes: 500 + UInt64($0)) }
        #expect(overdue == [[], [], [], [], [7]])
    }

    @Test("A body has its own time, and an answer any")
    func body() {
        var sweep = ConnectionSweep(callsMax: Self.callsMax)
        let record = ConnectionRecord(descriptor: 7)
        sweep.add(record)
        #expect((1...3).map { _ in Self.call(&sweep) } == [[], [], []])
        record.enter(.body)
        #expect((1...5).map { _ in Self.call(&sweep) } == [[], [], [], [], [7]])
        record.enter(.answer)
        for _ in 0..<20 { #expect(Self.call(&sweep).isEmpty) }
    }

    @Test("Requests that follow each other quickly never add up")
    func busy() {
        var sweep = ConnectionSweep(callsMax: Self.callsMax)
        let record = ConnectionRecord(descriptor: 7)
        sweep.add(record)
        for number in 0..<50 {
            record.enter(.body)
            record.enter(.answer)
            record.enter(.nextHeader)
            #expect(Self.call(&sweep, bytes: UInt64(number * 100)).isEmpty)
        }
    }

    @Test("A connection that has ended is forgotten")
    func removal() {
        var sweep = ConnectionSweep(callsMax: Self.callsMax)
        sweep.add(ConnectionRecord(descriptor: 7))
        sweep.remove(descriptor: 7)
        #expect(sweep.connectionCount == 0)
        for _ in 0..<10 { #expect(Self.call(&sweep).isEmpty) }
    }

    private static func call(_ sweep: inout ConnectionSweep, bytes: UInt64 = 0) -> [Int32] {
        sweep.overdue { _ in bytes }
    }
}
