/// The control sequences that give a terminal back.
enum ResetSequence {
    /// The longest that a signal handler keeps.
    static let bytesMax = 255

    /// Joins capabilities for writing as they are, without the pauses that terminfo may ask for.
    ///
    /// Sequences that do not fit whole are dropped from the end.
    static func joined(_ capabilities: [String]) -> [UInt8] {
        var bytes: [UInt8] = []
        for capability in capabilities {
            let plain = withoutPauses(Array(capability.utf8))
            if bytes.count + plain.count <= bytesMax { bytes += plain }
        }
        return bytes
    }

    /// Removes every `$<…>`.
    private static func withoutPauses(_ bytes: [UInt8]) -> [UInt8] {
        var plain: [UInt8] = []
        var index = 0
        while index < bytes.count {
            let isPause =
                bytes[index] == UInt8(ascii: "$") && index + 1 < bytes.count
                && bytes[index + 1] == UInt8(ascii: "<")
            if isPause, let end = bytes[index...].firstIndex(of: UInt8(ascii: ">")) {
                index = end + 1
            } else {
                plain.append(bytes[index])
                index += 1
            }
        }
        return plain
    }
}
