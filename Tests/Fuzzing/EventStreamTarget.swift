import DataSourceContracts
@testable import DataSourcesHTTP

extension FuzzTarget {
    /// Event streams: pieces give the same events as the whole, and an event stays within the
    /// bound.
    func judgeEventStreams(_ input: FuzzInput) throws(FuzzFinding) {
        var input = input
        let seed = input.byte()
        let eventBytesMax = Int(input.byte()) + 1
        let bytes = input.bytes
        let whole = events(in: [bytes], eventBytesMax)
        let sliced = events(in: pieces(of: bytes, seed: seed), eventBytesMax)
        // A failed piece loses the events that were complete before it: only counts may differ.
        try requireEqual(sliced.isFailed, whole.isFailed, "pieces fail like the whole")
        if !whole.isFailed {
            try requireEqual(sliced.events, whole.events, "events of pieces")
            try requireEqual(sliced.retry, whole.retry, "retry of pieces")
        }
        for event in sliced.events {
            try require(event.data.count <= eventBytesMax, "an event exceeds its bound")
            try require(!event.name.isEmpty, "an event has no name")
            try require(
                !event.name.utf8.contains { $0 == 0x0a || $0 == 0x0d },
                "a name has lines"
            )
        }
        if !whole.isFailed { try checkWritten(whole.events, eventBytesMax) }
    }

    /// Writes the events as a server does and reads them again.
    private func checkWritten(
        _ expected: [ServerSentEvent],
        _ eventBytesMax: Int
    ) throws(FuzzFinding) {
        var bytes: [UInt8] = []
        for event in expected {
            bytes += Array("id: \(event.lastEventID)\nevent: \(event.name)\n".utf8)
            for line in event.data.split(separator: 0x0a, omittingEmptySubsequences: false) {
                bytes += Array("data: ".utf8) + line + [0x0a]
            }
            bytes.append(0x0a)
        }
        // Names, ids and the fields' own names need room beside the data.
        let again = events(in: [bytes], bytes.count + 1)
        try requireEqual(again.events, expected, "events that were written again")
    }

    private func events(
        in pieces: [[UInt8]],
        _ eventBytesMax: Int
    ) -> (events: [ServerSentEvent], retry: Duration?, isFailed: Bool) {
        var parser = EventStreamParser(eventBytesMax: eventBytesMax)
        var found: [ServerSentEvent] = []
        var retry: Duration?
        for piece in pieces {
            do throws(TransportError) {
                let batch = try parser.parse(piece)
                found += batch.events
                retry = batch.retry ?? retry
            } catch {
                return (found, retry, true)
            }
        }
        return (found, retry, false)
    }
}
