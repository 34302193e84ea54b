import JSON

/// A row of a keyed list as JSON: encoded once, shared by all lists that contain it.
final class EncodedRow: Sendable {
    /// The row's key: `BTC_KRW`, a trade's id, a candle's opening time.
    let key: String
    /// The row: one object.
    let bytes: [UInt8]

    init(key: String, bytes: [UInt8]) {
        self.key = key
        self.bytes = bytes
    }
}

/// A row in one list: the shared bytes and the list's own mark.
struct ListedRow: Sendable, Equatable {
    let fragment: EncodedRow
    /// The user's favorite mark; nil in shared lists.
    var favorite: FavoriteViewState?

    /// An estimate of the encoded size in bytes.
    var byteCount: Int { fragment.bytes.count + (favorite == nil ? 0 : 32) }

    /// Writes the shared bytes and the mark as the last member.
    func write(to json: inout JSONWriter) {
        json.encoded(fragment.bytes)
        guard let favorite else { return }
        json.extendObject { json in
            json.key("favorite")
            favorite.write(to: &json)
        }
    }

    /// Whether both encode equally; compares references before bytes.
    static func == (left: ListedRow, right: ListedRow) -> Bool {
        left.favorite == right.favorite
            && (left.fragment === right.fragment || left.fragment.bytes == right.fragment.bytes)
    }
}
