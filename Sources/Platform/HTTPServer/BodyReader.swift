internal import CHTTPParser

/// Reads the body of one request, of a told length or in chunks, and counts it while it comes.
@safe
final class BodyReader {
    /// What reading came to.
    enum Progress {
        /// More is to come.
        case incomplete
        /// All is there.
        case complete
        /// It is longer than allowed.
        case tooLong
        /// What came is no body.
        case broken
    }

    /// What was read so far.
    private(set) var bytes: [UInt8] = []
    private var record = unsafe hoga_http_body()
    private let bytesMax: Int

    init(behind head: inout hoga_http_head, bytesMax: Int) {
        self.bytesMax = bytesMax
        unsafe hoga_http_begin_body(&record, &head)
    }

    /// Takes what belongs to the body.
    ///
    /// - Parameters:
    ///   - input: what came.
    ///   - start: where it begins; where what follows the body begins afterwards.
    /// - Returns: what that came to.
    func read(_ input: [UInt8], from start: inout Int) -> Progress {
        // Nothing is what the parser takes for the end of everything.
        if start == input.count { return .incomplete }
        // The parser calls back during the call only, and the reader lives through it.
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
        guard taken >= 0 else { return .broken }
        start += taken
        return unsafe record.is_complete ? .complete : .incomplete
    }

    fileprivate func take(_ piece: UnsafeRawBufferPointer) {
        // One byte more than allowed tells that it is too much; the rest need not be kept.
        let room = bytesMax + 1 - bytes.count
        unsafe bytes.append(contentsOf: piece.prefix(max(0, room)))
    }
}

/// Called by the parser for each piece of a body.
private func receiveBody(
    context: UnsafeMutableRawPointer?,
    bytes: UnsafePointer<CChar>?,
    count: Int
) {
    guard let context = unsafe context else { return }
    unsafe Unmanaged<BodyReader>.fromOpaque(context).takeUnretainedValue()
        .take(UnsafeRawBufferPointer(start: bytes, count: count))
}
