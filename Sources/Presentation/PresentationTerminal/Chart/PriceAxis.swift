import Domain
import ViewStates

/// The labels beside the prices, in the quote currency or in percent of a base price.
struct PriceAxis {
    /// A value and its plot row.
    struct Label: Equatable {
        let row: Int
        let text: String
    }

    /// Plots lower than this label every second row at most, higher ones every third.
    private static let rowsOfTightLabels = 16

    let scale: ValueScale
    let quote: Quote
    /// The price that counts as 0 %; nil for an axis in prices.
    let base: FixedDecimal?
    /// From the top down, never two in a row.
    let labels: [Label]

    /// Creates an axis of `rows` rows, in percent of `base` if given.
    ///
    /// Zero rows give no labels.
    init(scale: ValueScale, quote: Quote, base: FixedDecimal?, rows: Int) {
        self.scale = scale
        self.quote = quote
        let bounds = base.flatMap { base in
            Self.bounds(of: scale, base: base).map { (base, $0) }
        }
        self.base = bounds?.0
        guard rows > 0 else {
            labels = []
            return
        }
        var labels: [Label] = []
        if let (base, percents) = bounds {
            let finest = FixedDecimal.unitsPerOne / 100
            for percent in Self.marks(percents, rows: rows, finest: finest) {
                guard let price = Self.price(at: percent, base: base) else { continue }
                let row = scale.position(of: price, steps: rows)
                labels.append(Label(row: row, text: NumberText.rate(percent)))
            }
        } else {
            let highest = FixedDecimal(units: scale.top)
            let digits = NumberText.priceDecimals(highest, quote: quote)
            var finest = FixedDecimal.unitsPerOne
            for _ in 0..<digits { finest /= 10 }
            for price in Self.marks(scale.bottom...scale.top, rows: rows, finest: finest) {
                let row = scale.position(of: price, steps: rows)
                labels.append(Label(row: row, text: NumberText.price(price, quote: quote)))
            }
        }
        // Upwards so far; where two fell into one row, the lower stays.
        var kept: [Label] = []
        for label in labels where kept.last?.row != label.row { kept.append(label) }
        self.labels = kept.reversed()
    }

    /// About `count` round prices, or prices at round percentages, from the bottom.
    func marks(count: Int) -> [FixedDecimal] {
        // As many rows as give a label for each.
        let rows = max(count, 1) * 2
        if let base, let percents = Self.bounds(of: scale, base: base) {
            return Self.marks(percents, rows: rows, finest: FixedDecimal.unitsPerOne / 100)
                .compactMap { Self.price(at: $0, base: base) }
        }
        return Self.marks(scale.bottom...scale.top, rows: rows, finest: 1)
    }

    /// A price formatted for the axis.
    func text(of price: FixedDecimal) -> String {
        guard let base, let percent = Self.percent(of: price, base: base) else {
            return NumberText.price(price, quote: quote)
        }
        return NumberText.rate(percent)
    }

    /// The difference of a price to a base in percent; nil on overflow or a zero base.
    static func percent(of price: FixedDecimal, base: FixedDecimal) -> FixedDecimal? {
        guard let difference = try? price - base,
            let hundredfold = try? difference.multiplied(by: FixedDecimal(100), rounding: .halfEven)
        else { return nil }
        return try? hundredfold.divided(by: base, rounding: .halfAwayFromZero)
    }

    private static func price(at percent: FixedDecimal, base: FixedDecimal) -> FixedDecimal? {
        guard let hundredth = try? base.divided(by: FixedDecimal(100), rounding: .halfEven),
            let part = try? hundredth.multiplied(by: percent, rounding: .halfEven)
        else { return nil }
        return try? base + part
    }

    private static func bounds(of scale: ValueScale, base: FixedDecimal) -> ClosedRange<Int128>? {
        guard base.sign > 0,
            let low = percent(of: FixedDecimal(units: scale.bottom), base: base),
            let high = percent(of: FixedDecimal(units: scale.top), base: base), low < high
        else { return nil }
        return low.units...high.units
    }

    /// Round values within bounds, upwards, some rows apart.
    private static func marks(
        _ bounds: ClosedRange<Int128>,
        rows: Int,
        finest: Int128
    ) -> [FixedDecimal] {
        let gap = rows < rowsOfTightLabels ? 2 : 3
        let count = Int128(max(rows / gap, 1))
        let width = UInt128(bitPattern: bounds.upperBound &- bounds.lowerBound)
        let wanted = max(Int128(min(width / UInt128(count), UInt128(Int128.max / 10))), 1)
        var step = niceStep(atLeast: wanted)
        // Steps finer than the displayed precision are used only if no coarser one fits.
        if step < finest, UInt128(finest) <= width { step = finest }
        var marks: [FixedDecimal] = []
        var value = bounds.lowerBound / step * step
        while marks.count <= rows, value <= bounds.upperBound {
            if value >= bounds.lowerBound { marks.append(FixedDecimal(units: value)) }
            let next = value.addingReportingOverflow(step)
            if next.overflow { break }
            value = next.partialValue
        }
        return marks
    }

    /// The smallest of 1, 2 and 5 times a power of ten that is not below a value.
    static func niceStep(atLeast wanted: Int128) -> Int128 {
        var power: Int128 = 1
        while true {
            for factor: Int128 in [1, 2, 5] {
                let step = power.multipliedReportingOverflow(by: factor)
                if step.overflow { return wanted }
                if step.partialValue >= wanted { return step.partialValue }
            }
            let next = power.multipliedReportingOverflow(by: 10)
            if next.overflow { return wanted }
            power = next.partialValue
        }
    }
}
