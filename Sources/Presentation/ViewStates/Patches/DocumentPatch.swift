public import Domain

/// The difference between two revisions of a document: the data of `event: patch`.
///
/// Consumers call ``apply(to:revision:)``.
public struct DocumentPatch<State: PatchableState>: Sendable, Decodable {
    /// When the later revision was made.
    public let asOf: Timestamp
    private let changes: [StateChange<State>]

    private enum CodingKeys: String, CodingKey { case asOf, patches }

    /// Reads a patch.
    ///
    /// - Throws: `DecodingError`, also for a path that the document does not have.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        asOf = try container.decode(Timestamp.self, forKey: .asOf)
        changes = try container.decode([PathChange<State>].self, forKey: .patches).map(\.change)
    }

    /// Changes the earlier document into the later one.
    ///
    /// - Parameters:
    ///   - document: the revision received last; unchanged if an error is thrown.
    ///   - revision: the `id` of the event.
    /// - Throws: ``DocumentPatchMismatch`` if the patch does not fit the document.
    public func apply(
        to document: inout Document<State>,
        revision: String
    ) throws(DocumentPatchMismatch) {
        var state = document.state
        for change in changes { try change.apply(&state) }
        document.state = state
        document.asOf = asOf
        document.revision = revision
    }
}

/// A patch that does not fit its document; the consumer has to load the whole document again.
public struct DocumentPatchMismatch: Error, Sendable, Equatable {
    /// The path that does not fit, dotted from `state`.
    public var path: String
}

/// A state that patches can change.
public protocol PatchableState: DocumentState {}

/// A change of a state, decoded from a patch.
struct StateChange<State>: Sendable {
    let apply: @Sendable (inout State) throws(DocumentPatchMismatch) -> Void
}

/// One element of `patches`.
private struct PathChange<State: PatchableState>: Decodable {
    let change: StateChange<State>

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: PatchKeys.self)
        let path = try container.decode(String.self, forKey: .path)
        guard let read = PatchPaths<State>().readers[path] else {
            throw DecodingError.dataCorruptedError(
                forKey: .path,
                in: container,
                debugDescription: "unknown path of \(State.schemaName)"
            )
        }
        change = try read(container)
    }
}

/// The members of both kinds of patches.
enum PatchKeys: String, CodingKey { case path, value, upsert, remove, insert, order }
