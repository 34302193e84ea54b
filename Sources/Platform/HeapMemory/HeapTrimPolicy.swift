/// Decides when to return free memory to the system.
///
/// Idle memory is not of the heap alone, so the amount says nothing. Trimming is due when much more
/// is idle than at any time since the last trim.
public struct HeapTrimPolicy: Sendable {
    /// The bytes that must be idle beyond the least amount since the last trim.
    public static let excessMin = 8 << 20

    /// The least idle bytes since the last trim.
    private var least: Int?

    /// Makes a policy; the first call only measures.
    public init() {}

    /// Decides after a measurement.
    ///
    /// - Parameter idleBytes: the current ``HeapMemory/idleBytes``.
    /// - Returns: whether to trim now.
    public mutating func isDue(idleBytes: Int) -> Bool {
        guard let least, idleBytes - least >= Self.excessMin else {
            self.least = min(least ?? idleBytes, idleBytes)
            return false
        }
        self.least = idleBytes
        return true
    }
}
