import CLibCurl
package import DataSourceContracts
import Glibc

/// The trusted certificates: the system's authorities and an optional private one.
///
/// A private authority is added to the system's, so a program that talks to a private server still
/// reaches the public exchange. The file is read once, when the program starts.
// Unchecked: the memory is written before it is shared, and freed with the last reference.
@safe
package final class CertificateAuthorities: @unchecked Sendable {
    /// The longest accepted file in bytes; the system's whole bundle has about 220,000.
    package static let fileBytesMax = 4 << 20

    // Freed in `deinit`; nil for libcurl's own defaults.
    let bundle: UnsafeRawBufferPointer?

    /// Reads the authorities.
    ///
    /// libcurl keeps its folder of hashed certificates in any case, but not its bundle file. That
    /// is read here and passed together with the private authority.
    ///
    /// - Parameter file: the path of PEM certificates; nil for the system's alone.
    /// - Throws: ``TransportError`` with `untrusted` when the file cannot be read or holds no
    ///   certificate.
    package init(file: String?) throws(TransportError) {
        guard let file else {
            unsafe bundle = nil
            return
        }
        guard let added = Self.contents(of: file) else {
            throw TransportError(.untrusted, "the authority file cannot be read: \(file)")
        }
        guard String(decoding: added, as: UTF8.self).contains("-----BEGIN CERTIFICATE-----") else {
            throw TransportError(.untrusted, "the authority file holds no PEM certificate: \(file)")
        }
        let all = added + [UInt8(ascii: "\n")] + (Self.systemBundle ?? [])
        let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: all.count, alignment: 1)
        unsafe copy.copyBytes(from: all)
        unsafe bundle = UnsafeRawBufferPointer(copy)
    }

    deinit {
        unsafe bundle?.deallocate()
    }

    /// The bundle that libcurl was built with, if it can be read.
    private static var systemBundle: [UInt8]? {
        // Safe: the path is a constant of libcurl.
        guard let path = unsafe hoga_curl_default_bundle() else { return nil }
        return unsafe contents(of: String(cString: path))
    }

    /// Reads a whole file; nil when it is missing, too long or unreadable.
    private static func contents(of path: String) -> [UInt8]? {
        guard let file = unsafe fopen(path, "re") else { return nil }
        // The file is used only in this function.
        defer { unsafe fclose(file) }
        var contents: [UInt8] = []
        var block = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = unsafe fread(&block, 1, block.count, file)
            contents += block[..<count]
            guard contents.count <= fileBytesMax, unsafe ferror(file) == 0 else { return nil }
            if count < block.count { return contents }
        }
    }
}
