import Domain

extension FuzzTarget {
    /// Decimals: the canonical text reads back, arithmetic agrees with its inverse, and a refusal
    /// names a place within the text.
    func judgeDecimals(_ input: FuzzInput) throws(FuzzFinding) {
        var numbers: [FixedDecimal] = []
        for part in input.rest.split(separator: 0x0a, maxSplits: 3) {
            let text = String(decoding: part, as: UTF8.self)
            switch parsed(text) {
            case .success(let number):
                try checkText(of: number)
                numbers.append(number)
            case .failure(.notANumber(let offset)):
                try require((0...text.utf8.count).contains(offset), "offset outside the text")
            case .failure(.overflow): continue
            case .failure(.divisionByZero): throw FuzzFinding("a text divides by zero")
            }
        }
        guard let first = numbers.first else { return }
        try checkRounding(of: first)
        if numbers.count > 1 { try checkArithmetic(first, numbers[1]) }
    }

    private func parsed(_ text: String) -> Result<FixedDecimal, FixedDecimalError> {
        Result { () throws(FixedDecimalError) in try FixedDecimal(parsing: text) }
    }

    private func checkText(of number: FixedDecimal) throws(FuzzFinding) {
        let text = number.canonicalText
        // The smallest number has a magnitude that no positive one has, but a text of its own.
        try requireEqual(parsed(text), .success(number), "canonical text reads back")
        try require(text != "-0" && !text.hasSuffix("."), "canonical text is \(text)")
        try require(
            number.significantFractionDigits <= FixedDecimal.fractionDigits
                && !(text.contains(".") && text.hasSuffix("0")),
            "canonical text has trailing zeros"
        )
        var grouped: [UInt8] = []
        number.appendText(to: &grouped, fractionDigitsMin: 4, separator: UInt8(ascii: ","))
        let plain = String(decoding: grouped.filter { $0 != UInt8(ascii: ",") }, as: UTF8.self)
        try requireEqual(parsed(plain), .success(number), "text with separators reads back")
    }

    private func checkRounding(of number: FixedDecimal) throws(FuzzFinding) {
        for digits in [0, 1, 8, 17, 18] {
            let down = try? number.rounded(toFractionDigits: digits, .truncate)
            let up = try? number.rounded(toFractionDigits: digits, .awayFromZero)
            guard let down else { throw FuzzFinding("truncation overflows") }
            let isSmallest = number.units == .min
            try require(down.magnitude <= number.magnitude || isSmallest, "truncation grows")
            try require(down.significantFractionDigits <= digits, "digits remain")
            guard let up, number.units != .min else { continue }
            try require(up.magnitude >= number.magnitude, "rounding away from zero shrinks")
            for rounding in [DecimalRounding.halfEven, .halfAwayFromZero] {
                let near = try? number.rounded(toFractionDigits: digits, rounding)
                try require(near == down || near == up, "rounding is neither neighbor")
            }
        }
    }

    private func checkArithmetic(
        _ left: FixedDecimal,
        _ right: FixedDecimal
    ) throws(FuzzFinding) {
        if let sum = try? left + right {
            try requireEqual(try? sum - right, left, "a sum less its second part")
            try requireEqual(try? right + left, sum, "a sum in the other order")
        }
        for rounding in [DecimalRounding.halfEven, .halfAwayFromZero, .truncate, .awayFromZero] {
            let product = try? left.multiplied(by: right, rounding: rounding)
            let swapped = try? right.multiplied(by: left, rounding: rounding)
            try requireEqual(product, swapped, "a product in the other order")
        }
        try require(left < right || left == right || left > right, "numbers have no order")
        guard !right.isZero else {
            do throws(FixedDecimalError) {
                _ = try left.divided(by: right, rounding: .truncate)
            } catch .divisionByZero { return } catch {}
            throw FuzzFinding("division by zero is not refused")
        }
        // A truncated quotient times the divisor does not exceed the dividend.
        guard let quotient = try? left.divided(by: right, rounding: .truncate),
            let back = try? quotient.multiplied(by: right, rounding: .truncate),
            left.units != .min
        else { return }
        try require(back.magnitude <= left.magnitude, "a quotient is too large")
    }
}
