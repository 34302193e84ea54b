internal import CHTTPParser

/// Reads the body of one request, with a length or in chunks, and enforces its limit.
@safe
final class BodyReader {
    /// The state after a read.
    enum Progress {
        /// More bytes are needed.
        case incomplete
        /// The body is complete.
        case complete
        /// The body exceeds the limit.
        case tooLong
        /// Its chunks are malformed.
        case malformed
    }

    /// The bytes read so far.
    private(set) var bytes: [UInt8] = []
    private var record = unsafe hoga_http_body()
    private let bytesMax: Int

    init(behind head: inout hoga_http_head, bytesMax: Int) {
        self.bytesMax = bytesMax
        unsafe hoga_http_begin_body(&record, &head)
    }

    /// Reads as much of the input as belongs to the body.
    ///
    /// - Parameters:
    ///   - input: the received bytes.
    ///   - start: the first unread byte; advanced behind the bytes that were read.
    /// - Returns: whether the body is complete, incomplete or malformed.
    func read(_ input: [UInt8], from start: inout Int) -> Progress {
        // The parser takes empty input for the end of the connection.
        if start == input.count { return .incomplete }
        // The parser calls back during this call only, so `self` outlives the pointer.
        unsafe record.context = Unmanaged.passUnretained(self).toOpaque()
        unsafe record.take = receiveBody
        let taken = unsafe input.withUnsafeBufferPointer { pointer in
            unsafe pointer.withMemoryRebound(to: CChar.self) { characters in
                unsafe hoga_http_read_body(
                    &record,
                    characters.baseAddress.map { unsafe $0 + start },
                    characters.count - start
                )
            }
        }
        if bytes.count > bytesMax { return .tooLong }
        guard taken >= 0 else { return .malformed }
        start += taken
        return unsafe record.is_complete ? .complete : .incomplete
    }

    fileprivate func append(_ piece: UnsafeRawBufferPointer) {
        // One byte beyond the limit shows that the body is too long; more is not stored.
        let room = bytesMax + 1 - bytes.count
        unsafe bytes.append(contentsOf: piece.prefix(max(0, room)))
    }
}

/// Called by the parser for each part of a body.
private func receiveBody(
    context: UnsafeMutableRawPointer?,
    bytes: UnsafePointer<CChar>?,
    count: Int
) {
    guard let context = unsafe context else { return }
    unsafe Unmanaged<BodyReader>.fromOpaque(context).takeUnretainedValue()
        .append(UnsafeRawBufferPointer(start: bytes, count: count))
}
