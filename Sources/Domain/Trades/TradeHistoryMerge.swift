/// Merges REST's rows into the trades of a tape.
///
/// The trades lie in segments between gaps. The rows are one contiguous run that may lie before,
/// after, between or across the segments. Rows of whole seconds are in order: starting with the
/// newest segment, each one is searched in the remaining rows. Rows of whole milliseconds are
/// compared one by one: see ``joinTimes(isTailWanted:)``.
struct TradeHistoryMerge {
    /// Fewer equal trades within one second than this may be a coincidence.
    static let containedMin = 10

    /// Contiguous trades, oldest first.
    ///
    /// The last segment is the running stream's.
    var segments: [[TapedTrade]]
    /// End of the known trades before each segment except the first.
    var gapsFrom: [Timestamp]
    /// Rows that the stream may still repeat.
    var expected: ExpectedTrades?
    /// Whether the first trade is the oldest row.
    var beginsWithOldestRow = false
    /// Rows that the stream had lost, after the oldest trade; rows of whole seconds are not told
    /// apart.
    var recovered: [TapedTrade] = []

    let rows: [TradeHistory.Row]
    /// Whether no trade exists before the oldest row.
    let isFromFirstTrade: Bool
    /// Whether the exchange serves no trade before the oldest row.
    let isFromOldestServed: Bool
    private let resolution: TradeHistory.Resolution
    private let requestedAt: Timestamp?
    /// The next free sequence number at each moment of a trade.
    private var sequences: [Timestamp: Int] = [:]

    init(segments: [[TapedTrade]], gapsFrom: [Timestamp], _ history: TradeHistory) {
        self.segments = segments
        self.gapsFrom = gapsFrom
        rows =
            switch history.resolution {
            case .second: history.rows.suffix(TradeTape.capacity)
            case .millisecond: history.rows
            }
        isFromFirstTrade = history.beginning == .firstTrade && rows.count == history.rows.count
        isFromOldestServed = history.beginning == .oldestServed
        resolution = history.resolution
        requestedAt = history.requestedAt
        for trade in segments.joined() {
            sequences[trade.id.at] = max(sequences[trade.id.at] ?? 0, trade.id.sequence + 1)
        }
    }

    /// Merges the rows.
    ///
    /// - Parameter isTailWanted: whether rows newer than all trades are added.
    mutating func join(isTailWanted: Bool) {
        switch resolution {
        case .second: joinRun(isTailWanted: isTailWanted)
        case .millisecond: joinTimes(isTailWanted: isTailWanted)
        }
    }

    /// Merges rows of whole seconds, whose order is known.
    private mutating func joinRun(isTailWanted: Bool) {
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
                current = segment + identify(rest[run.end...]) + current
                rest = rest[..<run.start]
                continue
            }
            // Rows that begin before the segment's end without matching it contradict it.
            let last = segment.last?.id.at.second ?? .min
            if let oldest = rest.first, oldest.at.second < last {
                rest = rest.drop { $0.at.second <= last }
            }
            if isFirst { expect(rest) }
            close(identify(rest) + current, gapFrom: oldGaps[place])
            current = segment
            rest = []
        }
        let isFirstRow = rows.first == current.first?.row(in: .second)
        beginsWithOldestRow = !rest.isEmpty || (isFirstRow && old.isEmpty)
        current = identify(rest) + current
        if current.isEmpty, !segments.isEmpty {
            gapsFrom.removeLast()
        } else {
            segments.append(current)
        }
        segments.reverse()
        gapsFrom.reverse()
        setTicks()
    }

    /// Merges the rows with the running stream.
    ///
    /// - Returns: the rows before the stream, and the stream followed by the rows after it.
    private mutating func joinStream(
        _ stream: [TapedTrade],
        isTailWanted: Bool
    ) -> (ArraySlice<TradeHistory.Row>, [TapedTrade]) {
        guard let first = stream.first, let oldest = rows.first, let newest = rows.last else {
            return (rows[...], stream)
        }
        if first.id.at.second < oldest.at.second { return ([], stream) }
        let streamed = stream.map { $0.row(in: .second) }
        let start = rows.startOfRun(of: streamed)
        if start < rows.count {
            let end = start + stream.count
            guard isTailWanted, end < rows.count else { return (rows[..<start], stream) }
            expected = .run(
                ExpectedDuplicates(rows: rows, first: stream, requestedAt: requestedAt)
            )
            return (rows[..<start], stream + identify(rows[end...]))
        }
        if reachesFarther(streamed) { return ([], stream) }
        if newest.at.second <= first.id.at.second { return (rows[...], stream) }
        // REST or the stream lacks a trade. The stream wins from its first second on, and the time
        // in between becomes a gap.
        let before = rows.prefix { $0.at.second < first.id.at.second }
        close(stream, gapFrom: before.last?.at ?? first.id.at)
        return (before, [])
    }

    /// Whether all rows are among the stream's trades without its first one, within the second both
    /// begin in: the stream then reaches farther back.
    private func reachesFarther(_ streamed: [TradeHistory.Row]) -> Bool {
        let start = streamed.startOfRun(of: rows)
        return min(rows.count, streamed.count - start) >= Self.containedMin
    }

    /// Finishes a segment that follows a gap.
    ///
    /// Two gaps with nothing in between become one.
    private mutating func close(_ segment: [TapedTrade], gapFrom: Timestamp) {
        if segment.isEmpty, let last = gapsFrom.indices.last {
            gapsFrom[last] = gapFrom
            return
        }
        segments.append(segment)
        gapsFrom.append(gapFrom)
    }

    /// Records rows that the stream may repeat, while it has sent nothing yet.
    private mutating func expect(_ rows: ArraySlice<TradeHistory.Row>) {
        expected =
            rows.isEmpty ? nil : .run(ExpectedDuplicates(rows: Array(rows), first: []))
    }

    /// Makes trades of rows, with unique identifiers.
    mutating func identify(_ rows: some Collection<TradeHistory.Row>) -> [TapedTrade] {
        rows.map { row in
            let sequence = sequences[row.at] ?? 0
            sequences[row.at] = sequence + 1
            return TapedTrade(row, at: row.at, sequence: sequence)
        }
    }

    /// Updates price directions after the order is known.
    mutating func setTicks() {
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
    /// The position of an old segment in the rows.
    private struct Run {
        /// Index of the segment's first row; the first index of all if the segment reaches farther
        /// back.
        let start: Int
        /// Index after the last row.
        let end: Int

        /// Finds the longest run of rows that equals the end of the segment: the whole segment, or
        /// as much as the rows reach back.
        init?(of segment: [TapedTrade], in rows: ArraySlice<TradeHistory.Row>) {
            let old = segment.map { $0.row(in: .second) }
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
