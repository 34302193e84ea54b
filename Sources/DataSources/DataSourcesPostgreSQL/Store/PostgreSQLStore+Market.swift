public import DataSourceContracts

/// Reading market data needs no lease; writing needs one.
extension PostgreSQLStore {
    /// The newest candles of a market, ascending, with all spans of the series, including those of
    /// recorded minutes and roll-ups; from a standby if one is fresh enough.
    public func candles(
        of series: CandleSeriesDTO,
        newest count: Int,
        before end: Int64?
    ) async throws(StoreError) -> StoredCandlesDTO {
        let values = series.values + [.integer(Int64(max(0, count))), .time(ifAny: end)]
        let statement = Statements.readCandles(values: values)
        let rows: PostgreSQLRows
        if let found = await history?.rows(of: statement, after: settle(.short)) {
            rows = found
        } else {
            rows = try await read(statement)
        }
        var candles = StoredCandlesDTO(series: series, rows: [], spans: [])
        for row in rows {
            let times = (try row.time(0), try row.time(1))
            guard let open = try row.optionalText(2) else {
                candles.spans.append(.init(from: times.0, to: times.1))
                continue
            }
            candles.rows.append(
                StoredCandlesDTO.Row(
                    openTime: times.0,
                    open: open,
                    high: try row.text(3),
                    low: try row.text(4),
                    close: try row.text(5),
                    volume: try row.text(6),
                    fetchedAt: times.1
                )
            )
        }
        candles.rows.reverse()
        candles.spans = candles.spans.joined
        return candles
    }

    /// All last prices of a feed, by market.
    public func closes(feed: String) async throws(StoreError) -> [StoredPriceDTO] {
        var closes: [StoredPriceDTO] = []
        for row in try await read(Statements.readCloses(.text(feed))) {
            closes.append(
                StoredPriceDTO(
                    market: try row.text(0),
                    price: try row.text(1),
                    at: try row.time(2),
                    tradeValue24h: try row.optionalText(3),
                    isTrading: try row.bool(4)
                )
            )
        }
        return closes.sorted { $0.market.precedes($1.market) }
    }

    /// The names of coins of a feed, alphabetical by code; nil if none were ever stored.
    public func names(feed: String) async throws(StoreError) -> StoredNamesDTO? {
        var readAt: Int64?
        var rows: [StoredNamesDTO.Row] = []
        for row in try await read(Statements.readNames(.text(feed))) {
            if let time = try row.optionalTime(0) {
                readAt = time
                continue
            }
            rows.append(
                StoredNamesDTO.Row(
                    symbol: try row.text(1),
                    korean: try row.text(2),
                    english: try row.text(3)
                )
            )
        }
        return readAt.map { time in
            StoredNamesDTO(rows: rows.sorted { $0.symbol.precedes($1.symbol) }, readAt: time)
        }
    }

    /// The warnings of a feed; nil if none were ever stored.
    public func marks(feed: String) async throws(StoreError) -> StoredWarningsDTO? {
        var readAt: Int64?
        var warned: [String] = []
        var alerts: [(place: Int64, alert: StoredWarningsDTO.Alert)] = []
        for row in try await read(Statements.readMarks(.text(feed))) {
            switch try row.integer(0) {
            case 0: readAt = try row.time(5)
            case 1: warned.append(try row.text(2))
            default:
                let alert = StoredWarningsDTO.Alert(
                    market: try row.text(2),
                    type: try row.text(3),
                    step: try row.optionalText(4),
                    endsAt: try row.optionalTime(5)
                )
                alerts.append((try row.integer(1), alert))
            }
        }
        return readAt.map { time in
            StoredWarningsDTO(
                warned: warned.sorted { $0.precedes($1) },
                alerts: alerts.sorted { $0.place < $1.place }.map(\.alert),
                readAt: time
            )
        }
    }

    /// Covered times of a feed.
    func coveredMinutes(feed: String) async throws(StoreError) -> [StoredCandlesDTO.Span] {
        try await read(Statements.readCoverage(.text(feed))).spans(from: 0)
    }

    private func read(_ statement: PostgreSQLStatement) async throws(StoreError) -> PostgreSQLRows {
        try await pool.perform([settle(.short), statement], as: .reading)[1]
    }
}

/// Writes without a lease are refused.
extension PostgreSQLStore {
    /// Refused: writing needs a lease.
    public func saveCandles(_ candles: StoredCandlesDTO) async throws(StoreError) {
        throw noLease
    }

    /// Refused: writing needs a lease.
    public func removeCandles(
        intervals: [String],
        openingBefore time: Int64
    ) async throws(StoreError) -> Int {
        throw noLease
    }

    /// Refused: writing needs a lease.
    public func savePrices(_ closes: [StoredPriceDTO], feed: String) async throws(StoreError) {
        throw noLease
    }

    /// Refused: writing needs a lease.
    public func saveNames(_ names: StoredNamesDTO, feed: String) async throws(StoreError) {
        throw noLease
    }

    /// Refused: writing needs a lease.
    public func saveWarnings(_ marks: StoredWarningsDTO, feed: String) async throws(StoreError) {
        throw noLease
    }

    private var noLease: StoreError {
        StoreError(.fenced, "\(location): writing market data needs the lease")
    }
}

extension CandleSeriesDTO {
    /// Values of the key columns.
    var values: [PostgreSQLValue] { [.text(feed), .text(market), .text(interval)] }
}

extension PostgreSQLRows {
    /// Spans from two columns of times.
    func spans(from column: Int) throws(StoreError) -> [StoredCandlesDTO.Span] {
        var spans: [StoredCandlesDTO.Span] = []
        for row in self {
            spans.append(.init(from: try row.time(column), to: try row.time(column + 1)))
        }
        return spans
    }
}
