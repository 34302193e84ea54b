/// Parses the bytes of a decimal number one at a time, without allocating.
struct DecimalParser {
    private enum Place {
        case start, sign, whole, point, fraction, exponentStart, exponentSign, exponent
    }

    private var place = Place.start
    private var isNegative = false
    private var mantissa: UInt128 = 0
    private var hasDigit = false
    private var scale = 0
    private var exponent = 0
    private var isExponentNegative = false

    /// Exponents are clamped here: larger ones overflow or vanish anyway.
    private static let exponentMax = 10_000

    /// Consumes the next byte; `offset` is its position in the text, for errors.
    mutating func read(_ byte: UInt8, at offset: Int) throws(FixedDecimalError) {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"):
            try readDigit(byte - UInt8(ascii: "0"))
        case UInt8(ascii: "-"), UInt8(ascii: "+"):
            switch place {
            case .start:
                isNegative = byte == UInt8(ascii: "-")
                place = .sign
            case .exponentStart:
                isExponentNegative = byte == UInt8(ascii: "-")
                place = .exponentSign
            case .sign, .whole, .point, .fraction, .exponentSign, .exponent:
                throw .notANumber(offset: offset)
            }
        case UInt8(ascii: "."):
            switch place {
            case .start, .sign, .whole: place = .point
            case .point, .fraction, .exponentStart, .exponentSign, .exponent:
                throw .notANumber(offset: offset)
            }
        case UInt8(ascii: "e"), UInt8(ascii: "E"):
            guard hasDigit, place == .whole || place == .point || place == .fraction else {
                throw .notANumber(offset: offset)
            }
            place = .exponentStart
        default:
            throw .notANumber(offset: offset)
        }
    }

    /// The parsed number: `magnitude` × 10^−`scale`, with a sign.
    func finish(
        at offset: Int
    ) throws(FixedDecimalError) -> (magnitude: UInt128, isNegative: Bool, scale: Int) {
        switch place {
        case .whole, .fraction, .exponent: break
        case .point where hasDigit: break
        case .start, .sign, .point, .exponentStart, .exponentSign:
            throw .notANumber(offset: offset)
        }
        return (mantissa, isNegative, scale - (isExponentNegative ? -exponent : exponent))
    }

    private mutating func readDigit(_ digit: UInt8) throws(FixedDecimalError) {
        switch place {
        case .start, .sign, .whole:
            place = .whole
            try append(digit)
        case .point, .fraction:
            place = .fraction
            try append(digit)
            scale += 1
        case .exponentStart, .exponentSign, .exponent:
            place = .exponent
            exponent = min(exponent * 10 + Int(digit), Self.exponentMax)
        }
    }

    private mutating func append(_ digit: UInt8) throws(FixedDecimalError) {
        hasDigit = true
        let (product, productOverflow) = mantissa.multipliedReportingOverflow(by: 10)
        let (sum, sumOverflow) = product.addingReportingOverflow(UInt128(digit))
        if productOverflow || sumOverflow { throw .overflow }
        mantissa = sum
    }
}
