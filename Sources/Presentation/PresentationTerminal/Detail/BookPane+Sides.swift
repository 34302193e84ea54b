import Domain
import ViewStates

extension BookPane {
    /// The minimum columns of key figures.
    static let factsColumnsMin = 16
    /// Wider facts only move figures away from their names.
    private static let factsColumnsMax = 34

    /// Draws the figures of today and of 24 hours under their headings.
    func drawFacts(rows: Range<Int>, columns room: Range<Int>, in frame: inout Frame) {
        guard room.count >= Self.factsColumnsMin else { return }
        let emphasis: CellStyle.Emphasis = header.health.isOutdated ? .dim : []
        let end = room.lowerBound + min(room.count, Self.factsColumnsMax)
        for (fact, row) in zip(facts(rows: rows.count), rows) {
            let columns = end - room.lowerBound
            guard let whole = fact.value else {
                frame.draw(
                    fact.names.first ?? "",
                    row: row,
                    column: room.lowerBound,
                    width: columns,
                    style: CellStyle(emphasis: [.bold, .underline])
                )
                continue
            }
            // The name gives way to the figure, and only the shortest one does not.
            let nameMin = fact.names.last.map { TextWidth.columns($0) } ?? 0
            let isWhole = TextWidth.columns(whole) + 1 + nameMin <= columns
            let value = isWhole ? whole : fact.compactValue ?? whole
            let nameRoom = max(columns - TextWidth.columns(value) - 1, 0)
            let name = fact.names.first { TextWidth.columns($0) <= nameRoom } ?? fact.names.last
            frame.draw(
                name ?? "",
                row: row,
                column: room.lowerBound,
                width: nameRoom,
                style: .dim
            )
            frame.draw(
                value,
                row: row,
                column: room.lowerBound,
                width: columns,
                alignment: .trailing,
                style: CellStyle(fact.role, emphasis: emphasis)
            )
        }
    }

    private struct Fact {
        /// The names, longest first.
        var names: [String]
        /// nil for a heading.
        var value: String?
        /// The shorter value for narrow columns.
        var compactValue: String?
        var role = CellStyle.Role.plain
    }

    /// As many facts as there are rows for; on few rows each names its own base.
    private func facts(rows: Int) -> [Fact] {
        let rolling = rollingFacts
        let today = todayFacts
        let headings = [DetailStrings.rolling, DetailStrings.today].map {
            Fact(names: [$0[language]])
        }
        let (count, hasHeadings) = Self.rollingFigures(rows: rows)
        if hasHeadings {
            return [headings[0]] + rolling.prefix(count) + [headings[1]] + today
        }
        func named(_ fact: Fact, _ base: LocalizedText, short: [String]) -> Fact {
            var fact = fact
            fact.names = fact.names.prefix(1).map { base[language] + " " + $0 } + short
            return fact
        }
        // The 24-hour value shares its name with one of today's figures, so its short form is the
        // period. Today's figures drop the period if there is no room for it.
        let first = named(
            rolling[0],
            DetailStrings.rolling,
            short: [DetailStrings.rolling[language]]
        )
        return [first] + today.map { named($0, DetailStrings.today, short: $0.names) }
    }

    /// The figures of today.
    static let todayFigures = 6

    /// How many figures of 24 hours are above today's on so many rows, and whether both have
    /// headings.
    static func rollingFigures(rows: Int) -> (count: Int, hasHeadings: Bool) {
        let count = rows - todayFigures - 2
        return count > 0 ? (min(count, 4), true) : (1, false)
    }

    private var rollingFacts: [Fact] {
        let figures = header.rolling24h
        let quote = detail.market.quote
        let role: CellStyle.Role =
            switch figures.changeRatePercent?.sign {
            case .some(let sign) where sign > 0: .up
            case .some(let sign) where sign < 0: .down
            default: .plain
            }
        return [
            fact(DetailStrings.tradeValue, figures.tradeValue) {
                NumberText.tradeValue($0, quote: quote, language: language)
            },
            fact(DetailStrings.volume, figures.volume) { NumberText.quantity($0) },
            fact(DetailStrings.changeAmount, figures.changeAmount, role) {
                NumberText.amount($0, price: header.price, quote: quote)
            },
            fact(DetailStrings.changeRate, figures.changeRatePercent, role) { NumberText.rate($0) },
        ]
    }

    private var todayFacts: [Fact] {
        let figures = header.today
        let quote = detail.market.quote
        let price = { (price: FixedDecimal) in NumberText.price(price, quote: quote) }
        var previousClose = fact(
            DetailStrings.previousClose,
            figures.previousClose,
            text: price
        )
        previousClose.names.append(DetailStrings.previousCloseShort[language])
        return [
            fact(DetailStrings.high, figures.high, text: price),
            fact(DetailStrings.low, figures.low, text: price),
            fact(DetailStrings.open, figures.open, text: price),
            previousClose,
            fact(DetailStrings.tradeValue, figures.tradeValue) {
                NumberText.tradeValue($0, quote: quote, language: language)
            },
            fact(DetailStrings.volume, figures.volume) { NumberText.quantity($0) },
        ]
    }

    private func fact(
        _ words: LocalizedText,
        _ value: FixedDecimal?,
        _ role: CellStyle.Role = .plain,
        text: (FixedDecimal) -> String
    ) -> Fact {
        let whole = value.map(text) ?? "-"
        let sign = whole.hasPrefix("+") ? "+" : ""
        return Fact(
            names: [words[language]],
            value: whole,
            compactValue: value.map { sign + AxisText.compact($0) },
            role: role
        )
    }
}
