internal import CZlib

/// Bytes as whole DEFLATE blocks, which any number of ``GzipStream``s may send.
///
/// The blocks refer to no bytes before them and end at the start of a byte, so that they can follow
/// any others. Source: RFC 1951, 3.2; zlib 1.2.13, zlib.h, `Z_FULL_FLUSH`.
public struct DeflatedBytes: Sendable, Equatable {
    /// The blocks.
    public let blocks: [UInt8]
    /// CRC-32 of the bytes before compression.
    fileprivate let checksum: UInt
    /// The number of bytes before compression.
    public let count: Int

    /// Shorter bytes are stored: compressing them costs more than it saves.
    private static let storedMax = 128

    /// Compresses bytes.
    ///
    /// - Parameters:
    ///   - bytes: at most 4 GiB.
    ///   - deflater: keeps no context between messages.
    public init(_ bytes: [UInt8], with deflater: inout MessageDeflater) {
        count = bytes.count
        checksum = Self.checksum(of: bytes)
        guard bytes.count > Self.storedMax else {
            blocks = Self.stored(bytes)
            return
        }
        blocks = deflater.compressed(bytes.span) + MessageInflater.tail
    }

    /// Stores bytes without compressing them.
    ///
    /// - Precondition: at most 65,535 bytes.
    public init(storing bytes: [UInt8]) {
        count = bytes.count
        checksum = Self.checksum(of: bytes)
        blocks = Self.stored(bytes)
    }

    private static func stored(_ bytes: [UInt8]) -> [UInt8] {
        guard let count = UInt16(exactly: bytes.count) else {
            preconditionFailure("A stored block has at most 65,535 bytes.")
        }
        return [0] + count.littleEndianBytes + (~count).littleEndianBytes + bytes
    }

    private static func checksum(of bytes: [UInt8]) -> UInt {
        // The bytes stay in place until the closure ends.
        unsafe bytes.withUnsafeBufferPointer { bytes in
            unsafe crc32(crc32(0, nil, 0), bytes.baseAddress, UInt32(bytes.count))
        }
    }
}

/// A gzip member that is sent in parts, each of which a reader can decompress at once.
///
/// Source: RFC 1952, 2.3.
public struct GzipStream: Sendable {
    /// The first bytes: no name, no time, any operating system.
    public static let header: [UInt8] = [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255]

    private var checksum: UInt = 0
    private var count = 0

    /// Begins a member.
    public init() {}

    /// Counts a part that is sent.
    public mutating func append(_ part: DeflatedBytes) {
        checksum = crc32_combine(checksum, part.checksum, part.count)
        count += part.count
    }

    /// The last bytes: an empty last block, the checksum and the length of all parts.
    public var trailer: [UInt8] {
        [3, 0] + UInt32(truncatingIfNeeded: checksum).littleEndianBytes
            + UInt32(truncatingIfNeeded: count).littleEndianBytes
    }
}

extension FixedWidthInteger {
    fileprivate var littleEndianBytes: [UInt8] {
        (0..<(Self.bitWidth / 8)).map { UInt8(truncatingIfNeeded: self >> ($0 * 8)) }
    }
}
