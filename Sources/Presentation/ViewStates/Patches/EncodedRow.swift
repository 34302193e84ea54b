import JSON

/// One row of a keyed list as JSON: encoded once, and shared by reference wherever it stands.
final class EncodedRow: Sendable {
    /// What names the row within its list: `BTC_KRW`, a trade's id, the opening of a candle.
    let key: String
    /// The row: one object.
    let bytes: [UInt8]

    init(key: String, bytes: [UInt8]) {
        self.key = key
        self.bytes = bytes
    }
}

/// A row where it stands in a list: the fragment, and what only this list says of it.
struct ListedRow: Sendable, Equatable {
    let fragment: EncodedRow
    /// Whether the user has starred the market, in lists of that user's own.
    var favorite: FavoriteViewState?

    /// About how many bytes the row makes.
    var byteCount: Int { fragment.bytes.count + (favorite == nil ? 0 : 32) }

    /// Writes the row: the shared bytes, and the mark as their last member.
    func write(to json: inout JSONWriter) {
        json.encoded(fragment.bytes)
        guard let favorite else { return }
        json.extendObject { json in
            json.key("favorite")
            favorite.write(to: &json)
        }
    }

    /// Whether both make the same bytes; hardly ever looks at them.
    static func == (left: ListedRow, right: ListedRow) -> Bool {
        left.favorite == right.favorite
            && (left.fragment === right.fragment || left.fragment.bytes == right.fragment.bytes)
    }
}
