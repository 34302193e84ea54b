/// Fits the rows of REST to the trades of a tape.
///
/// The trades lie in segments between gaps. The rows are one stretch without a gap that may lie
/// before, behind, between and across the segments. Going back from the newest segment, each is
/// looked for in what is left of the rows.
struct TradeHistoryMerge {
    /// Fewer equal trades within a second than this may be equal by chance.
    static let containedMin = 10

    /// Trades without a gap between them, oldest first; the last segment is the running stream's.
    private(set) var segments: [[TapedTrade]]
    /// Until when everything is known before each segment but the first.
    private(set) var gapsFrom: [Timestamp]
    /// What the stream may bring although it is on the tape.
    private(set) var awaited: ExpectedDuplicates?
    /// Whether the first trade is the oldest row.
    private(set) var beginsWithOldestRow = false

    private let rows: [TradeHistory.Row]
    /// The numbers of the next twins at the moments that were asked for.
    private var twins: [Timestamp: Int] = [:]

    init(segments: [[TapedTrade]], gapsFrom: [Timestamp], rows: some Sequence<TradeHistory.Row>) {
        self.segments = segments
        self.gapsFrom = gapsFrom
        self.rows = Array(rows)
        let seconds = Set(self.rows.map(\.at))
        for trade in segments.joined() where seconds.contains(trade.id.at) {
            twins[trade.id.at] = max(twins[trade.id.at] ?? 0, trade.id.twin + 1)
        }
    }

    /// Fits them.
    ///
    /// - Parameter isTailWanted: whether rows newer than all trades are taken.
    mutating func join(isTailWanted: Bool) {
        let old = segments.dropLast()
        let stream = segments.last ?? []
        let oldGaps = gapsFrom
        segments = []
        gapsFrom = []
        var (rest, current) = joinStream(stream, isTailWanted: isTailWanted)
        if stream.isEmpty, old.isEmpty { expect(rest) }
        for (place, segment) in old.enumerated().reversed() {
            let isFirst = stream.isEmpty && place == old.count - 1
            if !rest.isEmpty, let run = Run(of: segment, in: rest) {
                if isFirst { expect(rest[run.end...]) }
                current = segment + name(rest[run.end...]) + current
                rest = rest[..<run.start]
                continue
            }
            // Rows that begin before the segment's end and yet are others contradict it.
            let last = segment.last?.id.at.second ?? .min
            if let oldest = rest.first, oldest.second < last {
                rest = rest.drop { $0.second <= last }
            }
            if isFirst { expect(rest) }
            close(name(rest) + current, gapFrom: oldGaps[place])
            current = segment
            rest = []
        }
        beginsWithOldestRow = !rest.isEmpty || (rows.first == current.first?.row && old.isEmpty)
        current = name(rest) + current
        if current.isEmpty, !segments.isEmpty {
            gapsFrom.removeLast()
        } else {
            segments.append(current)
        }
        segments.reverse()
        gapsFrom.reverse()
        setTicks()
    }

    /// Fits the rows to the running stream.
    ///
    /// - Returns: the rows that go before it, and the stream with the rows that go behind it.
    private mutating func joinStream(
        _ stream: [TapedTrade],
        isTailWanted: Bool
    ) -> (ArraySlice<TradeHistory.Row>, [TapedTrade]) {
        guard let first = stream.first, let oldest = rows.first, let newest = rows.last else {
            return (rows[...], stream)
        }
        if first.id.at.second < oldest.second { return ([], stream) }
        let told = stream.map(\.row)
        let start = rows.startOfRun(of: told)
        if start < rows.count {
            let end = start + stream.count
            guard isTailWanted, end < rows.count else { return (rows[..<start], stream) }
            awaited = ExpectedDuplicates(rows: rows, first: stream)
            return (rows[..<start], stream + name(rows[end...]))
        }
        if reachesFarther(told) { return ([], stream) }
        if newest.second <= first.id.at.second { return (rows[...], stream) }
        // One of both lacks a trade. The stream is believed from its first second on, and what
        // may be missing between is a gap.
        let before = rows.prefix { $0.second < first.id.at.second }
        close(stream, gapFrom: before.last?.at ?? first.id.at)
        return (before, [])
    }

    /// Whether the rows are some of the stream's that do not begin with its first, all in the
    /// second of both beginnings: then the stream reaches farther back.
    private func reachesFarther(_ told: [TradeHistory.Row]) -> Bool {
        let start = told.startOfRun(of: rows)
        return min(rows.count, told.count - start) >= Self.containedMin
    }

    /// Puts away a segment that a gap precedes; nothing between two gaps makes them one.
    private mutating func close(_ segment: [TapedTrade], gapFrom: Timestamp) {
        if segment.isEmpty, let last = gapsFrom.indices.last {
            gapsFrom[last] = gapFrom
            return
        }
        segments.append(segment)
        gapsFrom.append(gapFrom)
    }

    /// Notes rows that the stream, which has told nothing yet, may bring.
    private mutating func expect(_ rows: ArraySlice<TradeHistory.Row>) {
        awaited = rows.isEmpty ? nil : ExpectedDuplicates(rows: Array(rows), first: [])
    }

    /// Makes trades of rows, with names that no other trade has.
    private mutating func name(_ rows: some Collection<TradeHistory.Row>) -> [TapedTrade] {
        rows.map { row in
            let twin = twins[row.at] ?? 0
            twins[row.at] = twin + 1
            return TapedTrade(row, at: row.at, twin: twin)
        }
    }

    /// Notes where the prices went, now that it is known what came before.
    private mutating func setTicks() {
        for segment in segments.indices {
            for place in segments[segment].indices.dropFirst() {
                segments[segment][place].setTick(after: segments[segment][place - 1])
            }
            if segment > 0, !segments[segment].isEmpty {
                segments[segment][0].setTick(after: nil)
            }
        }
    }
}

extension TradeHistoryMerge {
    /// Where an old segment lies in the rows.
    private struct Run {
        /// The place of the first row that is the segment's; the first row of all if the segment
        /// reaches farther back.
        let start: Int
        /// The place behind the last one.
        let end: Int

        /// Looks for the longest run of rows that equals the end of the segment: all of it, or as
        /// much as the rows reach back.
        init?(of segment: [TapedTrade], in rows: ArraySlice<TradeHistory.Row>) {
            let old = segment.map(\.row)
            for length in stride(from: min(old.count, rows.count), through: 1, by: -1) {
                let end = old.suffix(length)
                let isWhole = length == old.count
                let starts = rows.startIndex...(isWhole ? rows.endIndex - length : rows.startIndex)
                if let start = starts.first(where: { rows[$0...].starts(with: end) }) {
                    self.start = start
                    self.end = start + length
                    return
                }
            }
            return nil
        }
    }
}
