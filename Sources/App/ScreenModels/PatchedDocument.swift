import DataSourcesRemote
import FoundationEssentials
import ViewStates

/// A document of another hoga as its event stream changes it.
struct PatchedDocument<State: PatchableState>: EventStreamContent {
    private(set) var document: Document<State>

    init(snapshot data: [UInt8]) throws(RemoteFailure) {
        document = try RemoteClient.decode(
            Document<State>.self,
            State.schemaName,
            State.schemaVersion,
            from: data
        )
    }

    mutating func apply(patch data: [UInt8], revision: String) -> Bool {
        guard let patch = try? JSONDecoder().decode(DocumentPatch<State>.self, from: Data(data))
        else { return false }
        var changed = document
        do throws(DocumentPatchMismatch) {
            try patch.apply(to: &changed, revision: revision)
        } catch {
            return false
        }
        document = changed
        return true
    }
}

/// Follows one document of another hoga.
typealias DocumentClient<State: PatchableState> = EventStreamClient<PatchedDocument<State>>
