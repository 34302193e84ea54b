/// A table of recently used keys.
///
/// The table keeps two generations. Setting a key moves it to the younger one; a full younger
/// generation replaces the older, whose keys are evicted. So at least half of the bound is kept,
/// and eviction takes constant time.
struct BoundedTable<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private let generationMax: Int
    private var young: [Key: Value] = [:]
    private var old: [Key: Value] = [:]

    /// Makes an empty table.
    ///
    /// - Parameter entriesMax: the bound, 2 or more.
    init(entriesMax: Int) {
        generationMax = max(1, entriesMax / 2)
    }

    /// The number of keys; a key in both generations counts twice.
    var count: Int { young.count + old.count }

    /// The value of a key; only setting it counts as a use.
    subscript(key: Key) -> Value? {
        get { young[key] ?? old[key] }
        set {
            guard let newValue else {
                young[key] = nil
                old[key] = nil
                return
            }
            if young[key] == nil, young.count >= generationMax {
                old = young
                young = [:]
            }
            young[key] = newValue
        }
    }
}
