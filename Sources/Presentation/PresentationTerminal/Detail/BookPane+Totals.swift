import Domain
import ViewStates

extension BookPane {
    /// How much is told of both sides, from the most to the least.
    private enum TotalsForm: CaseIterable {
        case whole
        case withoutShares
        case shortNames
        case compact
    }

    /// What rests on each side, and which part of both it is.
    ///
    /// Both sides are told in the same form, so that they can be compared; without room for the
    /// shortest form nothing is told.
    func drawTotals(_ row: Int, _ columns: Range<Int>, in frame: inout Frame) {
        let sides = TotalsForm.allCases.lazy
            .map { (ask: askTotal($0), bid: bidTotal($0)) }
            .first { sides in
                let used = TextWidth.columns(sides.ask) + TextWidth.columns(sides.bid)
                return used + FittedLine.gap <= columns.count
            }
        guard let sides else { return }
        let style = CellStyle(emphasis: base)
        FittedLine(
            left: [LineSegment([sides.ask], style: style, rank: 0)],
            right: [LineSegment([sides.bid], style: style, rank: 0)],
            width: columns.count
        ).draw(in: &frame, row: row, column: columns.lowerBound)
    }

    private func askTotal(_ form: TotalsForm) -> String {
        let share = book.totals.bidSharePercent.flatMap { try? FixedDecimal(100) - $0 }
        return total(DetailWords.ask, book.totals.askQuantity, share, form)
    }

    private func bidTotal(_ form: TotalsForm) -> String {
        let totals = book.totals
        return total(DetailWords.bid, totals.bidQuantity, totals.bidSharePercent, form)
    }

    private func total(
        _ words: LocalizedText,
        _ quantity: FixedDecimal,
        _ share: FixedDecimal?,
        _ form: TotalsForm
    ) -> String {
        let short = words[language]
        let name = short + DetailWords.total[language].leadingBlank(language)
        let figure = NumberText.quantity(quantity)
        let percent = share.map { NumberText.grouped($0, fractionDigitsMin: 2) + "%" }
        switch form {
        case .whole:
            return [name, figure, percent].compactMap { $0 }.joined(separator: " ")
        case .withoutShares: return name + " " + figure
        case .shortNames: return short + " " + figure
        case .compact: return short + " " + AxisText.compact(quantity)
        }
    }
}

extension String {
    /// Words of English are apart; those of Korean, joined to what they belong to.
    fileprivate func leadingBlank(_ language: Language) -> String {
        switch language {
        case .korean: self
        case .english: " " + self
        }
    }
}
