import CBithumbJSON
import DataSourceContracts

/// Owns one parser of the C target and the memory its answers lie in.
///
/// Not Sendable: the parser serves one thread at a time. Answers are lent to a closure, because the
/// next call overwrites them.
@safe  // The handle is private, made and freed here only, and reached through mutating methods.
struct BithumbJSONReader: ~Copyable {
    /// `hoga_wire_reader *`, an incomplete type in C; never nil, freed in `deinit`.
    private let handle: OpaquePointer

    init() {
        // The C side makes a whole reader or answers nil.
        guard let handle = unsafe hoga_wire_reader_create() else {
            preconditionFailure("No memory for a JSON parser.")
        }
        unsafe self.handle = unsafe handle  // A copy of the pointer; nobody else has it.
    }

    deinit {
        unsafe hoga_wire_reader_free(handle)  // The only place that frees the handle.
    }

    /// Reads the body of an answer; one that is as the protocol describes it is lent to `map`.
    ///
    /// - Throws: `refused` with the body's own status and message; `malformed`; what `map` throws.
    mutating func readBody<Output>(
        _ body: [UInt8],
        as kind: hoga_wire_body_kind,
        map: (hoga_wire_body, borrowing BithumbJSONResult) throws(DataSourceError) -> Output
    ) throws(DataSourceError) -> Output {
        var head = hoga_wire_body()
        // Reads as many bytes as the array has and keeps neither pointer.
        let isRead = unsafe hoga_wire_read_body(handle, kind, body, body.count, &head)
        // Swift's own arrays trap without memory; so does the answer here.
        precondition(isRead != 0, "No memory to decode an answer.")
        // Lent for the length of the call: the next one needs exclusive access to self.
        let answer = unsafe BithumbJSONResult(hoga_wire_reader_arrays(handle))
        switch head.outcome {
        case .success: return try map(head, answer)
        case .refused:
            let status = answer.string(head.status)
            let message = answer.string(head.message)
            let code = DataSourceError.Code.refused(status: status, message: message)
            throw DataSourceError(code, "status \(status)")
        case .malformed:
            throw DataSourceError(.malformed, answer.string(head.malformed_reason))
        }
    }

    /// Reads a batch of stream messages and lends what was read to `map`.
    mutating func readBatch<Output>(
        _ batch: MessageBatch,
        frameBytesMax: Int,
        map: (borrowing BithumbJSONResult) -> Output
    ) -> Output {
        Self.checkEnds(of: batch)
        // `checkEnds` has shown that every end lies inside the bytes; C keeps no pointer.
        let isRead = unsafe hoga_wire_read_batch(
            handle,
            batch.bytes,
            batch.ends,
            batch.ends.count,
            frameBytesMax
        )
        // Swift's own arrays trap without memory; so does the answer here.
        precondition(isRead != 0, "No memory to decode a batch.")
        // Lent for the length of the call: the next one needs exclusive access to self.
        return unsafe map(BithumbJSONResult(hoga_wire_reader_arrays(handle)))
    }

    /// C reads as far as the ends say: they must be true.
    private static func checkEnds(of batch: MessageBatch) {
        var start = 0
        for end in batch.ends {
            precondition(end >= start, "The ends of a batch ascend.")
            start = end
        }
        precondition(start <= batch.bytes.count, "No message ends behind its batch.")
    }
}
