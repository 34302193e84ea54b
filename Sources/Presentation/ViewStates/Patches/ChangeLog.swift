import JSON

/// The newest version of a document, and the revision at which each part last changed: turns a
/// client's cursor into a patch up to now.
///
/// There is no history of patches. Every part and every row has the revision of its last change,
/// and removed rows are kept for a while. Resuming and catching up are therefore the same. A plain
/// value: its owner guards it with a lock.
public struct ChangeLog: Sendable {
    /// How far back cursors are known; when full, the oldest are dropped.
    public struct Bounds: Sendable {
        /// Known revisions; three quarters are more than a minute at ten snapshots a second.
        public var revisionsMax = 1_024
        /// Known removed rows per list.
        public var removalsMax = 1_024

        /// Makes the bounds of a service.
        public init() {}
    }

    /// How a client at a cursor reaches the newest version.
    public enum Way: Sendable, Equatable {
        /// The cursor is the newest version.
        case here
        /// The patch, one line of JSON, leads from the cursor to the newest version.
        case patch([UInt8])
        /// The document started over, for example with another feed: send all of it.
        case restarted
        /// The cursor is unknown, of another epoch, or too old: send the whole document.
        case unknown
    }

    private let bounds: Bounds
    /// Patches cannot start before this counter.
    private let beginning: UInt64
    private(set) var version: DocumentVersion
    /// Known counters, ascending; the last is the newest version.
    private var revisions: [UInt64]
    /// The counter of each part's last change.
    private var changedAt: [UInt64]
    /// The change log of each part with rows.
    private var lists: [RowChangeLog?]

    /// Starts with a version; only its revision is known.
    public init(_ version: DocumentVersion, bounds: Bounds) {
        self.bounds = bounds
        self.version = version
        let counter = version.revision.counter
        beginning = counter
        revisions = [counter]
        changedAt = Array(repeating: counter, count: version.state.parts.count)
        lists = version.state.parts.map { part in
            switch part.content {
            case .value: nil
            case .rows(let rows, _): RowChangeLog(rows, at: counter)
            }
        }
    }

    /// The revision of the newest version.
    public var revision: DocumentRevision { version.revision }

    /// The whole document as one line of JSON.
    public var document: [UInt8] { version.json }

    /// Whether this log leads to a later version than another log of the document.
    public func isNewer(than other: ChangeLog) -> Bool {
        revision.epoch != other.revision.epoch || revision.counter > other.revision.counter
    }

    /// Records the next version; ignores one that is not newer.
    ///
    /// - Returns: whether it was newer.
    public mutating func take(_ next: DocumentVersion) -> Bool {
        let counter = next.revision.counter
        guard counter > version.revision.counter else { return false }
        guard next.source == version.source, next.revision.epoch == version.revision.epoch,
            next.state.hasShape(of: version.state)
        else {
            // Patches cover the state only, part by part.
            self = ChangeLog(next, bounds: bounds)
            return true
        }
        let removalsMax = bounds.removalsMax
        var floor: UInt64 = 0
        for (index, (old, new)) in zip(version.state.parts, next.state.parts).enumerated() {
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
                preconditionFailure("parts of equal shape have contents of one kind")
            }
        }
        version = next
        revisions.append(counter)
        forget(before: floor)
        return true
    }

    /// How a client that has a revision reaches the newest version.
    public func way(from cursor: DocumentRevision) -> Way {
        guard cursor.epoch == version.revision.epoch else { return .unknown }
        if cursor.counter == version.revision.counter { return .here }
        if cursor.counter < beginning { return .restarted }
        return isKnown(cursor.counter) ? .patch(patch(from: cursor.counter)) : .unknown
    }

    /// Parses a revision; nil unless patches can start there.
    public func cursor(_ text: String) -> DocumentRevision? {
        DocumentRevision(text: text, of: version.revision.epoch).flatMap {
            isKnown($0.counter) ? $0 : nil
        }
    }

    private func isKnown(_ counter: UInt64) -> Bool {
        // Binary search.
        var range = revisions.indices
        while let first = range.first {
            let middle = first + range.count / 2
            if revisions[middle] == counter { return true }
            range = revisions[middle] < counter ? middle + 1..<range.upperBound : first..<middle
        }
        return false
    }

    /// Drops the revisions before `floor`, and the oldest quarter when there are too many.
    ///
    /// Dropping one at a time would move the whole array each time.
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
            json.array(version.state.parts.indices.filter { changedAt[$0] > counter }) {
                json,
                index in
                let part = version.state.parts[index]
                json.object { json in
                    json.member("path", part.path.text)
                    switch part.content {
                    case .value(let bytes):
                        json.key("value")
                        json.encoded(bytes)
                    case .rows(let rows, let newRows):
                        lists[index]?.write(rows, newRows: newRows, from: counter, to: &json)
                    }
                }
            }
        }
        return json.bytes
    }
}

extension DocumentParts {
    /// Whether patches can lead from the other parts to these: equal paths and kinds.
    fileprivate func hasShape(of other: DocumentParts) -> Bool {
        guard parts.count == other.parts.count else { return false }
        return zip(parts, other.parts).allSatisfy { one, other in
            guard one.path == other.path else { return false }
            switch (one.content, other.content) {
            case (.value, .value), (.rows, .rows): return true
            case (.value, .rows), (.rows, .value): return false
            }
        }
    }
}
