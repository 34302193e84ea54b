/// The bytes of one run: the first ones choose options, the others are the parser's input.
struct FuzzInput {
    private(set) var rest: ArraySlice<UInt8>

    init(_ bytes: [UInt8]) {
        rest = bytes[...]
    }

    /// Takes an option; 0 when the bytes are used up.
    mutating func byte() -> UInt8 { rest.popFirst() ?? 0 }

    /// The remaining bytes.
    var bytes: [UInt8] { Array(rest) }

    /// The remaining bytes as text; nil if they are not UTF-8.
    var text: String? { String(validating: rest, as: UTF8.self) }
}

/// Divides bytes into pieces whose sizes a seed decides, from one byte to a hundred.
///
/// - Returns: the pieces, none of them empty.
func pieces(of bytes: [UInt8], seed: UInt8) -> [[UInt8]] {
    var pieces: [[UInt8]] = []
    var state = UInt32(seed)
    var rest = bytes[...]
    while !rest.isEmpty {
        // The constants of Numerical Recipes; the upper bits are the random ones.
        state = state &* 1_664_525 &+ 1_013_904_223
        let isLong = state >> 31 == 1
        let count = Int(state >> 16 & 0x7fff) % (isLong ? 100 : 4) + 1
        pieces.append(Array(rest.prefix(count)))
        rest = rest.dropFirst(count)
    }
    return pieces
}
