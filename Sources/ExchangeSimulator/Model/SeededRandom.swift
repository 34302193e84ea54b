/// Random numbers that a seed decides, the same on every machine and with every compiler.
///
/// The standard library's `random(in:using:)` may change how it uses a generator; these methods do
/// not, so a seed keeps its meaning. Algorithm: SplitMix64 (Steele, Lea, Flood: Fast Splittable
/// Pseudorandom Number Generators, 2014). Not for secrets.
struct SeededRandom: Sendable {
    private var state: UInt64

    init(seed: UInt64) {
        state = seed
    }

    /// The next 64 bits.
    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
        return mixed ^ (mixed >> 31)
    }

    /// A number of 0 ..< `bound`; `bound` is 1 or more.
    mutating func below(_ bound: Int) -> Int {
        // The upper half of the product: its bias is below 2⁻³² for the small bounds used here.
        Int(next().multipliedFullWidth(by: UInt64(bound)).high)
    }

    /// A number of a closed range.
    mutating func number(in range: ClosedRange<Int>) -> Int {
        range.lowerBound + below(range.upperBound - range.lowerBound + 1)
    }

    /// Whether an event of `thousandths` in a thousand happens.
    mutating func happens(_ thousandths: Int) -> Bool {
        below(1_000) < thousandths
    }

    /// A generator of its own, so that what one part draws does not shift what others see.
    mutating func split() -> SeededRandom {
        SeededRandom(seed: next())
    }
}
