/// Random numbers determined by a seed, equal on every machine and with every compiler.
///
/// The standard library's `random(in:using:)` may change how it uses a generator; these methods do
/// not, so the meaning of a seed is stable. Algorithm: SplitMix64 (Steele, Lea, Flood: Fast
/// Splittable Pseudorandom Number Generators, 2014). Not for secrets.
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

    /// A number in 0 ..< `bound`; `bound` is 1 or more.
    mutating func below(_ bound: Int) -> Int {
        // The upper half of the product: its bias is below 2⁻³² for the small bounds used here.
        Int(next().multipliedFullWidth(by: UInt64(bound)).high)
    }

    /// A number in a closed range.
    mutating func number(in range: ClosedRange<Int>) -> Int {
        range.lowerBound + below(range.upperBound - range.lowerBound + 1)
    }

    /// Returns true with a probability of `thousandths` in a thousand.
    mutating func happens(_ thousandths: Int) -> Bool {
        below(1_000) < thousandths
    }

    /// A separate generator, so that the draws of one part do not shift those of others.
    mutating func split() -> SeededRandom {
        SeededRandom(seed: next())
    }
}
