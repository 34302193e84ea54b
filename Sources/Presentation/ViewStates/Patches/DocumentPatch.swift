public import Domain

/// What leads from one revision of a document to a later one: the data of `event: patch`.
///
/// ``apply(to:revision:)`` is what a consumer does with it.
public struct DocumentPatch<State: PatchableState>: Sendable, Decodable {
    /// When the later revision was cut.
    public let asOf: Timestamp
    private let changes: [StateChange<State>]

    private enum CodingKeys: String, CodingKey { case asOf, patches }

    /// Reads a patch.
    ///
    /// - Throws: `DecodingError` for a path that the document does not have, too.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        asOf = try container.decode(Timestamp.self, forKey: .asOf)
        changes = try container.decode([PathChange<State>].self, forKey: .patches).map(\.change)
    }

    /// Makes the later document of the earlier one.
    ///
    /// - Parameters:
    ///   - document: of the revision that was read last; unchanged where an error is thrown.
    ///   - revision: the `id` of the event.
    /// - Throws: ``DocumentPatchMismatch`` where the patch is none of this document.
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

/// A patch was applied to a document that it was not made for; the whole document has to be asked
/// for again.
public struct DocumentPatchMismatch: Error, Sendable, Equatable {
    /// Where the document and the patch do not fit, dotted from `state`.
    public var path: String
}

/// A state that patches can change.
public protocol PatchableState: DocumentState {}

/// A change of a state that was read from a patch.
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
                debugDescription: "\(State.schemaName) has nothing at that path"
            )
        }
        change = try read(container)
    }
}

/// The keys of a patch of either kind.
enum PatchKeys: String, CodingKey { case path, value, upsert, remove, order }
