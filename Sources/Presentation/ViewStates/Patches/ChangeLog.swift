import JSON

/// One document as it stands, and when each part of it last changed: what turns a reader's cursor
/// into the patch that leads from there to now.
///
/// No history of patches is kept. Every part and every row knows the revision at which it last
/// changed, and rows that went are remembered for a while; so resuming, and catching up after a
/// pause, are one and the same. A plain value: its owner keeps it under a lock.
public struct ChangeLog: Sendable {
    /// How far back cursors are known; when full, the oldest become too old.
    public struct Bounds: Sendable {
        /// The revisions that a cursor may name: at ten cuts a second some 50 seconds.
        public var revisionsMax = 512
        /// The removed rows of each list that are remembered.
        public var removalsMax = 512

        /// The bounds that a service has.
        public init() {}
    }

    /// What leads from a cursor to the present version.
    public enum Way: Sendable, Equatable {
        /// The cursor is the present version.
        case here
        /// Applying the patch, which is JSON on one line, makes the present version of the
        /// cursor's.
        case patch([UInt8])
        /// The document began anew since, as that of another feed: only all of it helps.
        case restarted
        /// The cursor is unknown, foreign or too old: only the whole document helps.
        case unknown
    }

    private let bounds: Bounds
    /// Cursors from before were of something that patches do not lead away from.
    private let beginning: UInt64
    private(set) var version: DocumentVersion
    /// The counters that a cursor may name, ascending; the last is the present one.
    private var revisions: [UInt64]
    /// When each piece last changed.
    private var changedAt: [UInt64]
    /// What is known of the rows of each piece that has any.
    private var lists: [RowChangeLog?]

    /// Begins with a version; only its own revision is known.
    public init(_ version: DocumentVersion, bounds: Bounds) {
        self.bounds = bounds
        self.version = version
        let counter = version.revision.counter
        beginning = counter
        revisions = [counter]
        changedAt = Array(repeating: counter, count: version.pieces.pieces.count)
        lists = version.pieces.pieces.map { piece in
            switch piece.content {
            case .value: nil
            case .rows(let rows, _): RowChangeLog(rows, at: counter)
            }
        }
    }

    /// The revision of the present version, as events and documents name it.
    public var revision: DocumentRevision { version.revision }

    /// The whole document, JSON on one line.
    public var document: [UInt8] { version.json }

    /// Takes the next version; one that is not newer changes nothing.
    ///
    /// - Returns: whether it was newer.
    public mutating func take(_ next: DocumentVersion) -> Bool {
        let counter = next.revision.counter
        guard counter > version.revision.counter else { return false }
        guard next.source == version.source, next.revision.epoch == version.revision.epoch,
            next.pieces.hasShape(of: version.pieces)
        else {
            // A patch tells of the state alone, and of its parts one by one.
            self = ChangeLog(next, bounds: bounds)
            return true
        }
        let removalsMax = bounds.removalsMax
        var floor: UInt64 = 0
        for (index, (old, new)) in zip(version.pieces.pieces, next.pieces.pieces).enumerated() {
            switch (old.content, new.content) {
            case (.value(let before), .value(let after)):
                if before != after { changedAt[index] = counter }
            case (.rows(let before, _), .rows(let after, let newRows)):
                let isChanged = lists[index]?.take(
                    after,
                    after: before,
                    newRows: newRows,
                    at: counter,
                    removalsMax: removalsMax
                )
                if isChanged == true { changedAt[index] = counter }
                floor = max(floor, lists[index]?.floor ?? 0)
            case (.value, .rows), (.rows, .value):
                preconditionFailure("Pieces of one shape have contents of the same kinds.")
            }
        }
        version = next
        revisions.append(counter)
        forget(before: floor)
        return true
    }

    /// The way from a cursor, which is the revision of a version that the reader has.
    public func way(from cursor: DocumentRevision) -> Way {
        guard cursor.epoch == version.revision.epoch else { return .unknown }
        if cursor.counter == version.revision.counter { return .here }
        if cursor.counter < beginning { return .restarted }
        return isKnown(cursor.counter) ? .patch(patch(from: cursor.counter)) : .unknown
    }

    /// The revision that a text names, if a reader can go on from there; nil for any other.
    public func cursor(_ text: String) -> DocumentRevision? {
        DocumentRevision(text: text, of: version.revision.epoch).flatMap {
            isKnown($0.counter) ? $0 : nil
        }
    }

    private func isKnown(_ counter: UInt64) -> Bool {
        // Ascending: halves until the place is found.
        var range = revisions.indices
        while let first = range.first {
            let middle = first + range.count / 2
            if revisions[middle] == counter { return true }
            range = revisions[middle] < counter ? middle + 1..<range.upperBound : first..<middle
        }
        return false
    }

    /// Forgets the revisions before `floor`, and the oldest when there are too many.
    ///
    /// A quarter at a time: each forgetting moves all that stay.
    private mutating func forget(before floor: UInt64) {
        if let first = revisions.first, first < floor { revisions.removeAll { $0 < floor } }
        if revisions.count > bounds.revisionsMax {
            revisions.removeFirst(max(revisions.count - bounds.revisionsMax * 3 / 4, 1))
        }
    }

    private func patch(from counter: UInt64) -> [UInt8] {
        var json = JSONWriter(capacity: 1_024)
        json.object { json in
            json.member("asOf", version.asOf)
            json.key("patches")
            json.array(version.pieces.pieces.indices.filter { changedAt[$0] > counter }) {
                json,
                index in
                let piece = version.pieces.pieces[index]
                json.object { json in
                    json.member("path", piece.path)
                    switch piece.content {
                    case .value(let bytes):
                        json.key("value")
                        json.encoded(bytes)
                    case .rows(let rows, _):
                        lists[index]?.write(rows, from: counter, to: &json)
                    }
                }
            }
        }
        return json.bytes
    }
}

extension DocumentParts {
    /// Whether patches can lead from the other pieces to these: both have the same paths, with
    /// contents of the same kinds.
    fileprivate func hasShape(of other: DocumentParts) -> Bool {
        guard pieces.count == other.pieces.count else { return false }
        return zip(pieces, other.pieces).allSatisfy { one, other in
            guard one.path == other.path else { return false }
            switch (one.content, other.content) {
            case (.value, .value), (.rows, .rows): return true
            case (.value, .rows), (.rows, .value): return false
            }
        }
    }
}
