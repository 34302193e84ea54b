import TestSupport
import Testing

extension OrderedJSON {
    /// Compares the keys of all objects with those of the example's object in the same place.
    ///
    /// - Parameters:
    ///   - example: what the contract shows.
    ///   - path: where the value stands.
    ///   - objectsSeen: takes the path of every object that was compared.
    func compareKeys(
        with example: OrderedJSON?,
        at path: String = "",
        _ objectsSeen: inout Set<String>
    ) {
        guard let example else { return }
        if let keys, let exampleKeys = example.keys {
            objectsSeen.insert(path)
            #expect(keys == exampleKeys, "\(path)")
            for key in keys {
                self[key]?.compareKeys(with: example[key], at: "\(path).\(key)", &objectsSeen)
            }
        }
        for element in elements ?? [] {
            element.compareKeys(with: example.elements?.first, at: "\(path)[]", &objectsSeen)
        }
    }
}
