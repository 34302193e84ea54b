/// The result of one trial of the whole program.
public struct ProgramReport: Sendable, Hashable {
    /// The seed, which reproduces the trial.
    public let seed: UInt64
    /// How often each kind of fault had an effect.
    public var injected: [String: Int] = [:]
    /// How often each kind of claim was compared with the truth.
    public var checks: [String: Int] = [:]
    /// The largest number of each bounded thing.
    public var largest: [String: Int] = [:]
    /// Failures in order; at most ``failuresMax``.
    public private(set) var failures: [String] = []
    /// A digest of all prices that were shown, in order; equal trials have equal ones.
    public var digest: UInt64 = 0xcbf2_9ce4_8422_2325

    /// Maximum number of reported failures: the first ones matter most.
    public static let failuresMax = 5

    /// An empty report; its seed does not matter in a sum.
    public init(seed: UInt64) { self.seed = seed }

    /// Adds the counts of another trial.
    public mutating func add(_ other: ProgramReport) {
        injected.merge(other.injected, uniquingKeysWith: +)
        checks.merge(other.checks, uniquingKeysWith: +)
        largest.merge(other.largest, uniquingKeysWith: max)
        digest ^= other.digest
    }

    /// The words of the first failure, without figures; nil without a failure.
    var failureKind: String? {
        guard let first = failures.first else { return nil }
        let words = first.split(separator: " ").filter { word in
            !word.contains { $0.isNumber }
        }
        return words.prefix(Self.wordsOfKind).joined(separator: " ")
    }

    /// More words would tell values.
    private static let wordsOfKind = 5

    mutating func fail(_ text: String) {
        if failures.count < Self.failuresMax { failures.append(text) }
    }

    mutating func check(_ name: String) { checks[name, default: 0] += 1 }

    /// Checks that a number is within its bound.
    mutating func check(_ name: String, _ count: Int, atMost max: Int, at now: Duration) {
        check("bound")
        largest[name] = Swift.max(largest[name] ?? 0, count)
        if count > max { fail("\(now): there are \(count) \(name), at most \(max)") }
    }

    /// Adds bytes to the digest (FNV-1a).
    mutating func digest(_ bytes: some Sequence<UInt8>) {
        for byte in bytes { digest = (digest ^ UInt64(byte)) &* 0x0100_0000_01b3 }
    }
}
