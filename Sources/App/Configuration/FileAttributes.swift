import FoundationEssentials

extension [FileAttributeKey: Any] {
    /// A number among the attributes of a file; nil without it.
    ///
    /// Its type depends on which parts of Foundation are loaded.
    func number(_ key: FileAttributeKey) -> Int? {
        (self[key] as? any BinaryInteger).map { Int(clamping: $0) } ?? self[key] as? Int
    }
}
