import Domain
import TestSupport

/// Random decimals of every size and sign, with more edge cases than uniform samples have.
struct DecimalSamples {
    static let edges: [Int128] = [
        0, 1, -1, 2, 5, 10, .max, .max - 1, .min, .min + 1, FixedDecimal.unitsPerOne,
        -FixedDecimal.unitsPerOne, FixedDecimal.unitsPerOne / 2, Int128(UInt64.max),
        Int128(UInt64.max) + 1,
    ]

    var generator: SeededGenerator

    init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

    mutating func next() -> FixedDecimal {
        if Int.random(in: 0..<8, using: &generator) == 0 {
            return FixedDecimal(units: Self.edges.randomElement(using: &generator) ?? 0)
        }
        let bits = UInt128(generator.next()) << 64 | UInt128(generator.next())
        let magnitude = Int128(bits >> UInt128(Int.random(in: 1...128, using: &generator)))
        return FixedDecimal(units: Bool.random(using: &generator) ? magnitude : -magnitude)
    }
}

extension DecimalRounding {
    static let all: [DecimalRounding] = [.halfEven, .halfAwayFromZero, .truncate, .awayFromZero]
}

extension FixedDecimal {
    var naive: NaiveInteger { NaiveInteger(units) }
}

/// The result of an operation: a value or its error.
func outcome(
    _ make: () throws(FixedDecimalError) -> FixedDecimal
) -> Result<FixedDecimal, FixedDecimalError> {
    do throws(FixedDecimalError) {
        return .success(try make())
    } catch {
        return .failure(error)
    }
}

extension NaiveInteger {
    /// The decimal of that many units, or an overflow.
    var expected: Result<FixedDecimal, FixedDecimalError> {
        int128.map { .success(FixedDecimal(units: $0)) } ?? .failure(.overflow)
    }
}
