import Domain
import ViewStates

extension BookPane {
    /// The minimum columns of key figures and of 체결강도.
    static let factsColumnsMin = 16
    static let strengthColumnsMin = 15
    /// Wider facts only move figures away from their names.
    private static let factsColumnsMax = 34

    // MARK: Key figures, upper right

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

    // MARK: Trade strength and newest trades, lower left

    /// 체결강도, and below it the trades that were just made.
    func drawNewest(rows: Range<Int>, columns room: Range<Int>, in frame: inout Frame) {
        guard room.count >= Self.strengthColumnsMin, let first = rows.first else { return }
        drawStrength(first, room, in: &frame)
        let emphasis: CellStyle.Emphasis = trades.health.isOutdated ? .dim : []
        let shown = trades.rows.prefix(rows.count - 1)
        let priceColumns = shown.map { $0.priceText.utf8.count }.max() ?? 0
        let quantityColumns = shown.map { $0.quantityText.utf8.count }.max() ?? 0
        let needed = 2 + priceColumns + 1 + quantityColumns
        let shortest = 2 + priceColumns + 1 + min(quantityColumns, CompactQuantity.columnsMin)
        guard room.count >= shortest else { return }
        let timeColumns = 8
        let hasTime = room.count >= needed + timeColumns + 1
        for (trade, row) in zip(shown, rows.dropFirst()) {
            let style = CellStyle(trade.side == .buy ? .up : .down, emphasis: emphasis)
            var column = room.lowerBound
            if hasTime {
                frame.draw(trade.moment(asOf: asOf), row: row, column: column, style: .dim)
                column += timeColumns + 1
            }
            let letter = DetailStrings.letter(trade.side)
            frame.draw(letter, row: row, column: column, style: style)
            column += 2
            frame.draw(
                trade.priceText,
                row: row,
                column: column,
                width: priceColumns,
                alignment: .trailing,
                style: CellStyle(emphasis: emphasis)
            )
            column += priceColumns + 1
            let quantityRoom = room.upperBound - column
            frame.draw(
                CompactQuantity.quantity(
                    trade.quantity,
                    text: trade.quantityText,
                    columns: quantityRoom
                ),
                row: row,
                column: column,
                width: quantityRoom,
                alignment: .trailing,
                style: style
            )
        }
    }

    private func drawStrength(_ row: Int, _ columns: Range<Int>, in frame: inout Frame) {
        let hundred = FixedDecimal(100)
        let strength = header.tradeStrengthPercent
        let text = strength.map { NumberText.grouped($0, fractionDigitsMin: 2) + "%" } ?? "-"
        let role: CellStyle.Role =
            switch strength {
            case .some(let value) where value > hundred: .up
            case .some(let value) where value < hundred: .down
            default: .plain
            }
        let used = frame.draw(
            DetailStrings.strength[language] + " ",
            row: row,
            column: columns.lowerBound,
            width: columns.count,
            style: .dim
        )
        frame.draw(
            text,
            row: row,
            column: columns.lowerBound + used,
            width: columns.count - used,
            style: CellStyle(role, emphasis: header.health.isOutdated ? .dim : .bold)
        )
    }
}
