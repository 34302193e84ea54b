import CWalk
import DataSourceContracts

/// A batch of frames that simdjson walks without storing anything: an upper bound for every decoder
/// that uses it.
@safe  // The handle is private, made and freed here only.
struct SIMDJSONBaseline: ~Copyable {
    /// `hoga_walk *`, an incomplete type in C; never nil, freed in `deinit`.
    private let handle: OpaquePointer

    init(_ batch: MessageBatch) {
        // C copies the texts: the ends lie inside the bytes.
        let handle = unsafe hoga_walk_create(batch.bytes, batch.ends, batch.ends.count)
        guard let handle = unsafe handle else { preconditionFailure("No memory for the frames.") }
        unsafe self.handle = unsafe handle  // A copy of the pointer; nobody else has it.
    }

    deinit {
        unsafe hoga_walk_free(handle)  // The only place that frees the handle.
    }

    /// Walks every frame once.
    mutating func run() {
        // The handle lives as long as self.
        let length = unsafe hoga_walk_run(handle)
        precondition(length > 0, "The frames are JSON.")
    }
}
