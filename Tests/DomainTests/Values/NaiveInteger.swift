import Domain

/// Reference model: an integer of any size with schoolbook arithmetic, sharing no code with the
/// tested type.
struct NaiveInteger: Equatable {
    /// Decimal digits, least significant first; empty for zero.
    private(set) var digits: [Int]
    private(set) var isNegative: Bool

    init(digits: [Int], isNegative: Bool) {
        var digits = digits
        while digits.last == 0 { digits.removeLast() }
        self.digits = digits
        self.isNegative = isNegative && !digits.isEmpty
    }

    init(_ value: Int128) {
        self.init(text: String(value))
    }

    /// Parses an optional minus and digits.
    init(text: String) {
        let isNegative = text.hasPrefix("-")
        let digits = text.drop { $0 == "-" }.compactMap(\.wholeNumberValue)
        self.init(digits: digits.reversed(), isNegative: isNegative)
    }

    static func powerOfTen(_ exponent: Int) -> NaiveInteger {
        NaiveInteger(digits: Array(repeating: 0, count: exponent) + [1], isNegative: false)
    }

    var isZero: Bool { digits.isEmpty }

    var text: String {
        isZero ? "0" : (isNegative ? "-" : "") + digits.reversed().map(String.init).joined()
    }

    /// The same number in 128 bits; nil if it does not fit.
    var int128: Int128? { Int128(text) }

    var magnitude: NaiveInteger { NaiveInteger(digits: digits, isNegative: false) }

    static prefix func - (value: NaiveInteger) -> NaiveInteger {
        NaiveInteger(digits: value.digits, isNegative: !value.isNegative)
    }

    static func + (left: NaiveInteger, right: NaiveInteger) -> NaiveInteger {
        if left.isNegative == right.isNegative {
            return NaiveInteger(
                digits: sum(left.digits, right.digits),
                isNegative: left.isNegative
            )
        }
        return isLess(left.digits, right.digits)
            ? NaiveInteger(
                digits: difference(right.digits, left.digits),
                isNegative: right.isNegative
            )
            : NaiveInteger(
                digits: difference(left.digits, right.digits),
                isNegative: left.isNegative
            )
    }

    static func - (left: NaiveInteger, right: NaiveInteger) -> NaiveInteger { left + -right }

    static func * (left: NaiveInteger, right: NaiveInteger) -> NaiveInteger {
        var result = Array(repeating: 0, count: left.digits.count + right.digits.count + 1)
        for (place, digit) in left.digits.enumerated() {
            for (otherPlace, otherDigit) in right.digits.enumerated() {
                result[place + otherPlace] += digit * otherDigit
            }
        }
        for place in result.indices.dropLast() {
            result[place + 1] += result[place] / 10
            result[place] %= 10
        }
        return NaiveInteger(digits: result, isNegative: left.isNegative != right.isNegative)
    }

    /// The quotient, rounded as given.
    func divided(by divisor: NaiveInteger, rounding: DecimalRounding) -> NaiveInteger {
        var quotient: [Int] = []
        var rest: [Int] = []
        for digit in digits.reversed() {
            rest = NaiveInteger(digits: [digit] + rest, isNegative: false).digits
            var count = 0
            while !Self.isLess(rest, divisor.digits) {
                rest =
                    NaiveInteger(
                        digits: Self.difference(rest, divisor.digits),
                        isNegative: false
                    ).digits
                count += 1
            }
            quotient.insert(count, at: 0)
        }
        let twice = Self.sum(rest, rest)
        let isOverHalf = Self.isLess(divisor.digits, twice)
        let isHalf = !isOverHalf && !Self.isLess(twice, divisor.digits)
        let isOdd = (quotient.first ?? 0) % 2 == 1
        let isUp =
            switch rounding {
            case .truncate: false
            case .awayFromZero: !rest.isEmpty
            case .halfAwayFromZero: isOverHalf || isHalf
            case .halfEven: isOverHalf || (isHalf && isOdd)
            }
        return NaiveInteger(
            digits: isUp ? Self.sum(quotient, [1]) : quotient,
            isNegative: isNegative != divisor.isNegative
        )
    }

    private static func sum(_ left: [Int], _ right: [Int]) -> [Int] {
        var result: [Int] = []
        var carry = 0
        for place in 0..<max(left.count, right.count) {
            let digit = digit(left, place) + digit(right, place) + carry
            result.append(digit % 10)
            carry = digit / 10
        }
        return carry == 0 ? result : result + [carry]
    }

    /// `left` must not be smaller.
    private static func difference(_ left: [Int], _ right: [Int]) -> [Int] {
        var result: [Int] = []
        var borrow = 0
        for place in left.indices {
            let digit = left[place] - digit(right, place) - borrow
            borrow = digit < 0 ? 1 : 0
            result.append(digit + borrow * 10)
        }
        return result
    }

    private static func isLess(_ left: [Int], _ right: [Int]) -> Bool {
        left.count == right.count
            ? left.reversed().lexicographicallyPrecedes(right.reversed())
            : left.count < right.count
    }

    private static func digit(_ digits: [Int], _ place: Int) -> Int {
        place < digits.count ? digits[place] : 0
    }
}
