/// The result of one trial.
public struct TrialReport: Sendable, Hashable {
    /// The seed, which reproduces the trial.
    public let seed: UInt64
    /// Frames sent by the exchange.
    public var frames = 0
    /// Lost frames.
    public var losses = 0
    /// Duplicated frames.
    public var duplicates = 0
    /// Frames that arrived after a later one.
    public var overtaken = 0
    /// Books read over REST.
    public var readings = 0
    /// The number of times the sides crossed.
    public var crossings = 0
    /// Snapshots that were compared with the local book.
    public var comparisons = 0
    /// Snapshots that corrected the local book.
    public var corrections = 0
    /// Comparisons of the shown book with the exchange's.
    public var checks = 0
    /// Failures in order; at most ``failuresMax``.
    public internal(set) var failures: [String] = []

    /// Maximum number of reported failures: the first ones matter most.
    public static let failuresMax = 5

    /// An empty report; its seed does not matter in a sum.
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
        corrections += other.corrections
        checks += other.checks
    }

    mutating func fail(_ text: String) {
        if failures.count < Self.failuresMax { failures.append(text) }
    }
}
