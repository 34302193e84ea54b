/// Says when it is worth giving free memory back to the system.
///
/// What was given back counts as free until somebody uses it again, so the amount alone says
/// nothing: it is worth it when much more is free than was at any time since the last giving.
public struct HeapTrimPolicy: Sendable {
    /// How much has to be free beyond the least amount since then, in bytes.
    public static let excessMin = 32 << 20

    /// The least that was free since the last giving.
    private var least: Int?

    /// Makes a plan; the first look only measures.
    public init() {}

    /// Takes a look at how much is free.
    ///
    /// - Parameter freeBytes: what ``HeapMemory/freeBytes`` says now.
    /// - Returns: whether it is to be given back now.
    public mutating func isDue(freeBytes: Int) -> Bool {
        guard let least, freeBytes - least >= Self.excessMin else {
            self.least = min(least ?? freeBytes, freeBytes)
            return false
        }
        self.least = freeBytes
        return true
    }
}
