/// A table of the keys that were used lately; when full, it forgets those unused for longest.
///
/// It keeps two generations: a key that is used moves to the younger one, and when that is full it
/// becomes the older one, whose keys are forgotten. So at least half of the bound is remembered,
/// and forgetting costs nothing.
struct BoundedTable<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private let generationMax: Int
    private var young: [Key: Value] = [:]
    private var old: [Key: Value] = [:]

    /// Makes an empty table.
    ///
    /// - Parameter entriesMax: how many keys are remembered at the most, 2 or more.
    init(entriesMax: Int) {
        generationMax = max(1, entriesMax / 2)
    }

    /// How many keys are remembered; one that is in both generations counts twice.
    var count: Int { young.count + old.count }

    /// The value of a key; nil if it is not remembered.
    ///
    /// Setting it is a use, looking is none.
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
