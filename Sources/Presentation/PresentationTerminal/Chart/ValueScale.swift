import Domain

/// Maps values between a lower and an upper bound to integer steps.
///
/// All arithmetic is on the integer units of ``FixedDecimal``. The span is reduced to its 48
/// leading bits; a screen of 4,000 dots shows twelve of them.
struct ValueScale: Equatable {
    private static let spanBits = 48
    /// Room above and below the values: a sixteenth of their span.
    private static let paddingPart: Int128 = 16
    /// Room around values that are all equal: a hundredth of them.
    private static let equalPart: Int128 = 100

    /// The value at the lower edge.
    let bottom: Int128
    /// The value at the upper edge; always above `bottom`.
    let top: Int128
    /// The number of low bits dropped from differences.
    private let shift: Int
    /// How deep the lower bound is.
    private let span: Int

    /// A scale between two values.
    ///
    /// An upper bound that is not above the lower one counts as the next possible value.
    init(bottom: FixedDecimal, top: FixedDecimal) {
        let lower = bottom.units == .max ? .max - 1 : bottom.units
        let upper = max(top.units, lower + 1)
        self.bottom = lower
        self.top = upper
        // As a bit pattern the difference is right even where it exceeds a signed number.
        let width = UInt128(bitPattern: upper &- lower)
        shift = max(UInt128.bitWidth - width.leadingZeroBitCount - Self.spanBits, 0)
        span = Int(truncatingIfNeeded: width >> UInt128(shift))
    }

    /// Creates a scale with padding above and below the values; equal values are centered.
    init(around values: ClosedRange<FixedDecimal>) {
        let low = values.lowerBound.units
        let high = values.upperBound.units
        let width = high.subtractingReportingOverflow(low)
        let part =
            low == high
            ? (low == 0 ? FixedDecimal.unitsPerOne : low / Self.equalPart)
            : (width.overflow ? .max : width.partialValue) / Self.paddingPart
        let padding = max(part.magnitude, 1)
        let room = Int128(min(padding, UInt128(Int128.max)))
        let lower = low.subtractingReportingOverflow(room)
        let upper = high.addingReportingOverflow(room)
        // Prices are not negative, so their axis does not extend below zero.
        let isNegative = low < 0
        let bottom = lower.overflow ? .min : lower.partialValue
        self.init(
            bottom: FixedDecimal(units: isNegative ? bottom : max(bottom, 0)),
            top: FixedDecimal(units: upper.overflow ? .max : upper.partialValue)
        )
    }

    /// Whether a value is within the bounds.
    func contains(_ value: FixedDecimal) -> Bool {
        value.units >= bottom && value.units <= top
    }

    /// The step that a value is in, counted from the top, 0 ..< `steps`; values outside count as
    /// the nearest bound.
    func position(of value: FixedDecimal, steps: Int) -> Int {
        min(depth(of: value) * steps / span, steps - 1)
    }

    /// The step as ``position(of:steps:)`` has it; −1 above the upper bound, `steps` below the
    /// lower one.
    func place(of value: FixedDecimal, steps: Int) -> Int {
        if value.units > top { return -1 }
        return value.units < bottom ? steps : position(of: value, steps: steps)
    }

    /// How many of `steps` a value fills from below; at least one if it is above the lower bound.
    func height(of value: FixedDecimal, steps: Int) -> Int {
        guard value.units > bottom else { return 0 }
        let filled = (span - depth(of: value)) * steps / span
        return min(max(filled, 1), steps)
    }

    /// How far a value is below the upper bound, 0...span.
    private func depth(of value: FixedDecimal) -> Int {
        let inside = min(max(value.units, bottom), top)
        return Int(truncatingIfNeeded: UInt128(bitPattern: top &- inside) >> UInt128(shift))
    }
}
