/// The chart rows of a market since the simulation began, without the running minute.
///
/// Bounded by ``ChartInterval/rowsMax``; the oldest rows are evicted. Rows of one and three minutes
/// come from the minutes themselves, those of 6 and 12 hours from the hours.
struct ChartRows: Sendable {
    private static let spans: [ChartInterval] = [
        .minutes5, .minutes10, .minutes30, .hour1, .hours24,
    ]
    /// How many rows are evicted at once, so that eviction is rare.
    private static let dropCount = 256

    private var lists = [[CandleRow]](repeating: [], count: Self.spans.count)

    /// Adds a finished minute.
    mutating func close(_ minute: Minute, number: Int) {
        guard let row = CandleRow(minute, start: number, last: number) else { return }
        for (index, span) in Self.spans.enumerated() {
            lists[index].fold(row, by: span)
            if lists[index].count > span.rowsMax + Self.dropCount {
                lists[index].removeFirst(Self.dropCount)
            }
        }
    }

    /// The stored rows from which an interval is built.
    func rows(for span: ChartInterval) -> [CandleRow] {
        switch span {
        case .minute1, .minutes3: []
        case .minutes5: lists[0]
        case .minutes10: lists[1]
        case .minutes30: lists[2]
        case .hour1, .hours6, .hours12: lists[3]
        case .hours24: lists[4]
        }
    }
}

extension SimulatedMarket {
    /// One row as the exchange sends it, with its odd times.
    struct WrittenRow: Sendable, Equatable {
        /// The time sent, as a minute since the Unix epoch.
        var minute: Int
        var row: CandleRow
    }

    /// The rows of a chart in ascending order, each bucket once.
    ///
    /// `archive` holds the time before the simulation; nil if there is none.
    func candles(_ span: ChartInterval, archive: ChartArchive?) -> [CandleRow] {
        let rows =
            switch span {
            case .minute1, .minutes3: minuteRows(span)
            case .minutes5, .minutes10, .minutes30, .hour1, .hours6, .hours12, .hours24:
                storedRows(span, archive: archive)
            }
        return rows.suffix(span.rowsMax)
    }

    /// The rows of a chart as the exchange sends them.
    func writtenCandles(_ span: ChartInterval, archive: ChartArchive?) -> [WrittenRow] {
        let rows = candles(span, archive: archive)
        let running = span.start(of: history.minute)
        let repeated = archive.flatMap { repeatedStart(of: span, in: $0) }
        var written: [WrittenRow] = []
        written.reserveCapacity(rows.count + span.copiesOfRepeatedRow)
        for row in rows {
            let minute = span.writtenMinute(of: row, isRunning: row.start == running)
            let copies = row.start == repeated ? span.copiesOfRepeatedRow : 1
            for _ in 0..<copies { written.append(WrittenRow(minute: minute, row: row)) }
        }
        return written.suffix(span.rowsMax)
    }

    /// The bucket whose row is sent repeatedly: an old one, the same in every answer.
    private func repeatedStart(of span: ChartInterval, in archive: ChartArchive) -> Int? {
        guard span.copiesOfRepeatedRow > 1 else { return nil }
        let rows = archive.rows(for: span)
        return rows.isEmpty ? nil : rows[rows.count * 2 / 3].start
    }

    private func minuteRows(_ span: ChartInterval) -> [CandleRow] {
        // The oldest minute is kept only for its close, and the bucket around it is incomplete.
        let oldest = history.minute - MinuteHistory.capacity + 2
        let start = span.start(of: oldest + span.minutes - 1)
        return (start...history.minute)
            .compactMap { CandleRow(history[$0], start: $0, last: $0) }
            .folded(by: span)
    }

    private func storedRows(_ span: ChartInterval, archive: ChartArchive?) -> [CandleRow] {
        var rows = archive?.rows(for: span) ?? []
        // The bucket in which the simulation began has rows on both sides.
        for row in chartRows.rows(for: span) { rows.fold(row, by: rowSpan(of: span)) }
        let minute = history.minute
        if let running = CandleRow(history[minute], start: minute, last: minute) {
            rows.fold(running, by: rowSpan(of: span))
        }
        guard rowSpan(of: span) != span else { return rows }
        let hours = rows.suffix(ChartInterval.hour1.rowsMax)
        let folded = Array(hours).folded(by: span)
        // The first bucket is incomplete if hours were evicted.
        let isCut = hours.count < rows.count
        return isCut ? Array(folded.dropFirst()) : folded
    }

    /// The stored interval from which an interval is built.
    private func rowSpan(of span: ChartInterval) -> ChartInterval {
        switch span {
        case .hours6, .hours12: .hour1
        case .minute1, .minutes3, .minutes5, .minutes10, .minutes30, .hour1, .hours24: span
        }
    }
}
