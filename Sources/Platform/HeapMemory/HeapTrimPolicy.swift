/// Decides when to return free memory to the system.
///
/// Returned memory counts as free until it is reused, so the amount alone says nothing. Trimming is
/// due when much more is free than at any time since the last trim.
public struct HeapTrimPolicy: Sendable {
    /// The bytes that must be free beyond the least amount since the last trim.
    public static let excessMin = 32 << 20

    /// The least free bytes since the last trim.
    private var least: Int?

    /// Makes a policy; the first call only measures.
    public init() {}

    /// Decides after a measurement.
    ///
    /// - Parameter freeBytes: the current ``HeapMemory/freeBytes``.
    /// - Returns: whether to trim now.
    public mutating func isDue(freeBytes: Int) -> Bool {
        guard let least, freeBytes - least >= Self.excessMin else {
            self.least = min(least ?? freeBytes, freeBytes)
            return false
        }
        self.least = freeBytes
        return true
    }
}
