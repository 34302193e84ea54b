internal import CDeflate
internal import HeapMemory

/// The gzip format of HTTP's `Content-Encoding: gzip`.
///
/// Source: RFC 1952; libdeflate 1.14, libdeflate.h.
public enum Gzip: Sendable {
    /// Compresses a whole body.
    ///
    /// - Parameters:
    ///   - bytes: at most 4 GiB.
    ///   - level: 1 for speed to 12 for size; outside, the nearest bound counts.
    /// - Returns: a complete gzip member.
    public static func compressed(_ bytes: [UInt8], level: Int) -> [UInt8] {
        let compressor = unsafe libdeflate_alloc_compressor(Int32(min(12, max(1, level))))
        guard let compressor = unsafe compressor else { HeapMemory.endForShortage() }
        defer { unsafe libdeflate_free_compressor(compressor) }
        // Sized for the worst case, so that one call suffices.
        let capacity = unsafe libdeflate_gzip_compress_bound(compressor, bytes.count)
        return unsafe [UInt8](unsafeUninitializedCapacity: capacity) { output, count in
            count = unsafe bytes.withUnsafeBytes { input in
                unsafe libdeflate_gzip_compress(
                    compressor,
                    input.baseAddress,
                    input.count,
                    output.baseAddress,
                    capacity
                )
            }
            precondition(count > 0, "The output is large enough for any input.")
        }
    }

    /// Decompresses a gzip member.
    ///
    /// - Parameters:
    ///   - bytes: a complete gzip member.
    ///   - bytesMax: the longest accepted result, against decompression bombs.
    /// - Returns: nil if the bytes are no complete gzip member, or the result is longer.
    public static func decompressed(_ bytes: [UInt8], bytesMax: Int) -> [UInt8]? {
        guard let decompressor = unsafe libdeflate_alloc_decompressor() else {
            HeapMemory.endForShortage()
        }
        defer { unsafe libdeflate_free_decompressor(decompressor) }
        var isComplete = false
        let result = unsafe [UInt8](unsafeUninitializedCapacity: bytesMax) { output, count in
            isComplete = unsafe bytes.withUnsafeBytes { input in
                unsafe libdeflate_gzip_decompress(
                    decompressor,
                    input.baseAddress,
                    input.count,
                    output.baseAddress,
                    bytesMax,
                    &count
                ) == LIBDEFLATE_SUCCESS
            }
            if !isComplete { count = 0 }
        }
        return isComplete ? result : nil
    }

    /// Whether an `Accept-Encoding` header prefers gzip: its weight is positive and not below that
    /// of `identity`.
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

    /// A weight in thousandths, `0.5` as 500; an invalid weight counts as absent.
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
