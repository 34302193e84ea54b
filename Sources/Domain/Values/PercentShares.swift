/// Shares of a whole in hundredths of a percent that sum to exactly 100.00 %.
///
/// Uses the largest remainder method: every part gets its whole hundredths, and the rest goes one
/// by one to the parts with the largest remainder.
enum PercentShares {
    /// 100.00 %.
    static let whole = 10_000

    /// The shares of the parts, in hundredths of a percent; all zero if all parts are zero.
    ///
    /// Each part is below 2¹²⁷. Of equal parts the earlier one takes precedence.
    static func shares(of parts: [UInt128]) -> [Int] {
        let total = WideNumber(sumOf: parts)
        guard total != WideNumber(0, 0) else { return parts.map { _ in 0 } }
        var shares: [Int] = []
        var rests: [(index: Int, rest: WideNumber)] = []
        shares.reserveCapacity(parts.count)
        rests.reserveCapacity(parts.count)
        for (index, part) in parts.enumerated() {
            let share = quotient(of: part, in: total)
            shares.append(share)
            let rest = WideNumber(part, times: whole).subtracting(total.times(share))
            rests.append((index, rest))
        }
        rests.sort { left, right in
            if left.rest != right.rest { return left.rest > right.rest }
            let (leftPart, rightPart) = (parts[left.index], parts[right.index])
            return leftPart == rightPart ? left.index < right.index : leftPart > rightPart
        }
        // Less than one hundredth per part with a remainder is left.
        let missing = whole - shares.reduce(0, +)
        for (index, _) in rests.prefix(missing) { shares[index] += 1 }
        return shares
    }

    /// The whole hundredths of a percent of a part in a total that is not zero.
    private static func quotient(of part: UInt128, in total: WideNumber) -> Int {
        let wanted = WideNumber(part, times: whole)
        var low = 0
        var high = whole
        while low < high {
            let middle = (low + high + 1) / 2
            if wanted < total.times(middle) { high = middle - 1 } else { low = middle }
        }
        return low
    }
}

/// A 256-bit number for sums and small multiples of 128-bit numbers.
private struct WideNumber: Comparable {
    var high: UInt128
    var low: UInt128

    init(_ high: UInt128, _ low: UInt128) {
        self.high = high
        self.low = low
    }

    init(_ value: UInt128, times factor: Int) {
        (high, low) = value.multipliedFullWidth(by: UInt128(factor))
    }

    init(sumOf parts: [UInt128]) {
        self.init(0, 0)
        for part in parts {
            let (sum, overflow) = low.addingReportingOverflow(part)
            low = sum
            if overflow { high += 1 }
        }
    }

    /// The product with a factor small enough not to overflow.
    func times(_ factor: Int) -> WideNumber {
        var product = WideNumber(low, times: factor)
        product.high += high * UInt128(factor)
        return product
    }

    /// The difference from a number that is not larger.
    func subtracting(_ other: WideNumber) -> WideNumber {
        let (difference, borrow) = low.subtractingReportingOverflow(other.low)
        return WideNumber(high - other.high - (borrow ? 1 : 0), difference)
    }

    static func < (left: WideNumber, right: WideNumber) -> Bool {
        left.high == right.high ? left.low < right.low : left.high < right.high
    }
}
