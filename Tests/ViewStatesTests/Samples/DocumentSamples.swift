import Domain
import TestSupport
import ViewStates

/// Makes documents out of any values at all, sensible or not.
struct DocumentGenerator {
    var generator: any RandomNumberGenerator

    mutating func document() -> MarketListDocument { document(list()) }

    /// A document of a state with any envelope.
    mutating func document<State: DocumentState>(_ state: State) -> Document<State> {
        var document = Document(
            revision: text(),
            asOf: time(),
            source: SourceViewState(
                exchange: text(),
                feed: pick([.live, .simulated, .replay]),
                api: text()
            ),
            state: state
        )
        document.schema = text()
        return document
    }

    mutating func health() -> HealthViewState {
        HealthViewState(
            phase: pick([.loading, .ready, .stale, .failed, .ended]),
            at: optional { $0.time() },
            staleAfter: optional { $0.time() },
            origin: optional { $0.pick([.rest, .stream, .store]) },
            complete: flag(),
            error: optional { $0.failure() }
        )
    }

    mutating func list() -> MarketListViewState {
        MarketListViewState(
            health: health(),
            query: MarketListQueryViewState(
                tab: text(),
                quote: optional { $0.text() },
                changePeriod: text(),
                sort: text(),
                sortDirection: text(),
                q: optional { $0.text() },
                offset: integer(),
                limit: integer()
            ),
            total: integer(),
            filtered: integer(),
            skipped: integer(),
            missing: several { $0.text() },
            emptyReason: optional { $0.pick([.noFavorites, .noMatch, .loading, .error]) },
            rows: several { $0.row() }
        )
    }

    private mutating func failure() -> ErrorViewState {
        ErrorViewState(
            code: text(),
            message: text(),
            retryable: flag(),
            nextRetryAt: optional { $0.time() }
        )
    }

    mutating func row() -> MarketRowViewState {
        var row = MarketRowViewState(
            market: text(),
            symbol: text(),
            quote: text(),
            name: .init(ko: optional { $0.text() }, en: optional { $0.text() }),
            changePeriod: text(),
            marks: marks(),
            spokenText: text()
        )
        row.rank = optional { $0.integer() }
        row.price = optional { $0.decimal() }
        row.priceText = optional { $0.text() }
        row.priceAt = optional { $0.time() }
        row.priceKRW = optional { $0.decimal() }
        row.changeRatePercent = optional { $0.decimal() }
        row.changeRateText = optional { $0.text() }
        row.changeAmount = optional { $0.decimal() }
        row.changeAmountText = optional { $0.text() }
        row.changeAt = optional { $0.time() }
        row.noTrade = flag()
        row.priceDirection = optional { $0.pick([.up, .down, .flat]) }
        row.tickDirection = optional { $0.pick([.up, .down, .flat]) }
        row.tradeValue24h = optional { $0.decimal() }
        row.tradeValue24hKRW = optional { $0.decimal() }
        row.tradeValueText = optional { $0.text() }
        return row
    }

    mutating func marks() -> MarksViewState {
        MarksViewState(
            investmentWarning: optional { $0.flag() },
            alerts: several {
                .init(type: $0.text(), step: $0.text(), endsAt: $0.optional { $0.time() })
            },
            state: pick([.trading, .suspended])
        )
    }

    mutating func flag() -> Bool { .random(using: &generator) }
    mutating func integer() -> Int { .random(in: .min ... .max, using: &generator) }

    mutating func text() -> String {
        randomText(length: .random(in: 0...12, using: &generator), using: &generator)
    }

    /// A random decimal of any size, from one unit to the whole range.
    mutating func decimal() -> FixedDecimal {
        let shift = Int.random(in: 0..<128, using: &generator)
        return FixedDecimal(units: .random(in: .min ... .max, using: &generator) >> shift)
    }

    /// A random time of the years 0000 to 9999.
    mutating func time() -> Timestamp {
        let first = SeoulTime.timestamp(year: 0, month: 1, day: 1).microseconds
        let end = SeoulTime.timestamp(year: 10_000, month: 1, day: 1).microseconds
        return Timestamp(microseconds: .random(in: first..<end, using: &generator))
    }

    mutating func pick<Value>(_ values: [Value]) -> Value {
        values[Int.random(in: 0..<values.count, using: &generator)]
    }

    mutating func optional<Value>(_ make: (inout Self) -> Value) -> Value? {
        flag() ? make(&self) : nil
    }

    mutating func several<Value>(_ make: (inout Self) -> Value) -> [Value] {
        (0..<Int.random(in: 0...4, using: &generator)).map { _ in make(&self) }
    }
}
