/// What came of one trial.
public struct TrialReport: Sendable, Hashable {
    /// The seed, which makes the same trial again.
    public let seed: UInt64
    /// Frames that the exchange sent.
    public var frames = 0
    /// Frames that never arrived.
    public var losses = 0
    /// Frames that arrived twice.
    public var duplicates = 0
    /// Frames that arrived behind a later one.
    public var overtaken = 0
    /// Books read over REST.
    public var readings = 0
    /// How often the sides came to cross.
    public var crossings = 0
    /// Whole books that were compared with what was held.
    public var comparisons = 0
    /// How many of them found it wrong and mended it.
    public var heals = 0
    /// How often the shown book was compared with the exchange's own.
    public var checks = 0
    /// What went wrong, in order; at most ``failuresMax``.
    public internal(set) var failures: [String] = []

    /// How many failures are told: the first ones tell the most.
    public static let failuresMax = 5

    /// The report of a trial that has not begun; its seed is no matter where reports are summed.
    public init(seed: UInt64) { self.seed = seed }

    /// Adds the counts of another trial.
    public mutating func add(_ other: TrialReport) {
        frames += other.frames
        losses += other.losses
        duplicates += other.duplicates
        overtaken += other.overtaken
        readings += other.readings
        crossings += other.crossings
        comparisons += other.comparisons
        heals += other.heals
        checks += other.checks
    }

    mutating func fail(_ text: String) {
        if failures.count < Self.failuresMax { failures.append(text) }
    }
}
