internal import CZLib

/// The gzip format of HTTP's `Content-Encoding: gzip`.
///
/// Source: RFC 1952; zlib 1.2.13, zlib.h.
public enum Gzip: Sendable {
    /// Compresses a whole body.
    ///
    /// - Parameters:
    ///   - bytes: at most 4 GiB.
    ///   - level: 1 for speed to 9 for size; outside, the nearest bound counts.
    /// - Returns: a complete gzip member.
    public static func compressed(_ bytes: [UInt8], level: Int) -> [UInt8] {
        var stream = unsafe z_stream()
        let status = unsafe hoga_gzip_begin(&stream, Int32(min(9, max(1, level))))
        precondition(status == Z_OK, "there is no memory for a compressor")
        defer { unsafe _ = deflateEnd(&stream) }
        // Room for the worst case, so that one call does all.
        let capacity = unsafe Int(deflateBound(&stream, UInt(bytes.count)))
        return unsafe [UInt8](unsafeUninitializedCapacity: capacity) { output, count in
            unsafe bytes.withUnsafeBufferPointer { input in
                // zlib does not write to its input; the pointers live until the call returns.
                unsafe stream.next_in = UnsafeMutablePointer(mutating: input.baseAddress)
                unsafe stream.avail_in = UInt32(input.count)
                unsafe stream.next_out = output.baseAddress
                unsafe stream.avail_out = UInt32(capacity)
                let status = unsafe deflate(&stream, Z_FINISH)
                precondition(status == Z_STREAM_END, "a bounded output was too small")
            }
            count = unsafe capacity - Int(stream.avail_out)
        }
    }

    /// Undoes ``compressed(_:level:)``.
    ///
    /// - Parameters:
    ///   - bytes: a complete gzip member.
    ///   - bytesMax: the longest result that is accepted, against bodies that explode.
    /// - Returns: nil if the bytes are no complete gzip member, or if more comes out of them.
    public static func decompressed(_ bytes: [UInt8], bytesMax: Int) -> [UInt8]? {
        var stream = unsafe z_stream()
        let status = unsafe hoga_gunzip_begin(&stream)
        precondition(status == Z_OK, "there is no memory for a decompressor")
        defer { unsafe _ = inflateEnd(&stream) }
        var isComplete = false
        let result = unsafe [UInt8](unsafeUninitializedCapacity: bytesMax) { output, count in
            unsafe bytes.withUnsafeBufferPointer { input in
                unsafe stream.next_in = UnsafeMutablePointer(mutating: input.baseAddress)
                unsafe stream.avail_in = UInt32(input.count)
                unsafe stream.next_out = output.baseAddress
                unsafe stream.avail_out = UInt32(bytesMax)
                isComplete = unsafe inflate(&stream, Z_FINISH) == Z_STREAM_END
            }
            count = unsafe bytesMax - Int(stream.avail_out)
        }
        return isComplete ? result : nil
    }

    /// Whether an `Accept-Encoding` header asks for gzip: named with a weight that is not zero, and
    /// not below the one that `identity` is named with.
    ///
    /// Source: RFC 9110, 12.5.3.
    public static func isAccepted(by acceptEncoding: String?) -> Bool {
        guard let acceptEncoding else { return false }
        var (gzip, identity) = (0, 0)
        for element in acceptEncoding.lowercased().split(separator: ",") {
            let parts = element.split(separator: ";").map { part in
                part.filter { $0 != " " && $0 != "\t" }
            }
            let weight =
                parts.dropFirst().first { $0.hasPrefix("q=") }
                .map { thousandths($0.dropFirst(2)) } ?? 1_000
            switch parts.first {
            case "gzip": gzip = max(gzip, weight)
            case "identity": identity = max(identity, weight)
            default: break
            }
        }
        return gzip > 0 && gzip >= identity
    }

    /// A weight in thousandths, `0.5` as 500; what is no number weighs as much as nothing said.
    private static func thousandths(_ text: Substring) -> Int {
        let parts = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        let fraction = parts.count > 1 ? parts[1].prefix(3) : ""
        let zeros = String(repeating: "0", count: 3 - fraction.count)
        guard let whole = parts.first, let number = UInt16("\(whole)\(fraction)\(zeros)") else {
            return 1_000
        }
        return min(Int(number), 1_000)
    }
}
