import CBithumbJSON
import DataSourceContracts
import HeapMemory

/// Owns one parser of the C target and the memory of its results.
///
/// Not Sendable: the parser serves one thread at a time. A closure borrows each result, because the
/// next call overwrites it.
@safe  // The handle is private, made and freed here only, and reached through mutating methods.
struct BithumbJSONReader: ~Copyable {
    /// `hoga_wire_reader *`, an incomplete type in C; never nil, freed in `deinit`.
    private let handle: OpaquePointer

    init() {
        // C returns a complete reader or nil.
        guard let handle = unsafe hoga_wire_reader_create() else {
            HeapMemory.endForShortage()
        }
        unsafe self.handle = unsafe handle  // The only copy of the pointer.
    }

    deinit {
        unsafe hoga_wire_reader_free(handle)  // The only place that frees the handle.
    }

    /// Parses the body of a response; `map` borrows the result if the body is as documented.
    ///
    /// - Throws: `refused` with the status and message of the body; `malformed`; what `map` throws.
    mutating func readBody<Output>(
        _ body: [UInt8],
        as kind: hoga_wire_body_kind,
        map: (hoga_wire_body, borrowing BithumbJSONResult) throws(DataSourceError) -> Output
    ) throws(DataSourceError) -> Output {
        var head = hoga_wire_body()
        // Safe: C reads `body.count` bytes and keeps neither pointer.
        let isRead = unsafe hoga_wire_read_body(handle, kind, body, body.count, &head)
        if isRead == 0 { HeapMemory.endForShortage() }
        // Borrowed during the call: the next one needs exclusive access to self.
        let result = unsafe BithumbJSONResult(hoga_wire_reader_arrays(handle))
        switch head.outcome {
        case .success: return try map(head, result)
        case .refused:
            let status = result.string(head.status)
            let message = result.string(head.message)
            let code = DataSourceError.Code.refused(status: status, message: message)
            throw DataSourceError(code, "status \(status)")
        case .malformed:
            throw DataSourceError(.malformed, result.string(head.malformed_reason))
        }
    }

    /// Parses a batch of stream messages; `map` borrows the result.
    mutating func readBatch<Output>(
        _ batch: MessageBatch,
        of stream: hoga_wire_stream,
        frameBytesMax: Int,
        map: (borrowing BithumbJSONResult) -> Output
    ) -> Output {
        Self.checkEnds(of: batch)
        // Safe: `checkEnds` has checked every end against the bytes; C keeps no pointer.
        let isRead = unsafe hoga_wire_read_batch(
            handle,
            stream,
            batch.bytes,
            batch.ends,
            batch.ends.count,
            frameBytesMax
        )
        if isRead == 0 { HeapMemory.endForShortage() }
        // Borrowed during the call: the next one needs exclusive access to self.
        return unsafe map(BithumbJSONResult(hoga_wire_reader_arrays(handle)))
    }

    /// Checks the ends, which C trusts.
    private static func checkEnds(of batch: MessageBatch) {
        var start = 0
        for end in batch.ends {
            precondition(end >= start, "The ends of a batch ascend.")
            start = end
        }
        precondition(start <= batch.bytes.count, "No message ends after its batch.")
    }
}
