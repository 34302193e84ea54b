import CLibCurl
package import DataSourceContracts
import Glibc

/// Whose certificates are trusted: the system's authorities, and a private one beside them.
///
/// A private authority is added and replaces nothing, so a program that talks to a private server
/// still reaches the public exchange. The file is read once: after a change, start anew.
// Unchecked: the memory is written before anybody sees it and freed when nobody does.
@safe
package final class CertificateAuthorities: @unchecked Sendable {
    /// The longest file that is read, in bytes; the system's whole bundle has about 220,000.
    package static let fileBytesMax = 4 << 20

    // Freed in `deinit`; nil when libcurl's own defaults are to hold.
    let bundle: UnsafeRawBufferPointer?

    /// Reads the authorities.
    ///
    /// libcurl's folder of hashed certificates stays in force in any case. Its bundle file would
    /// not, so that is read here and handed over together with the private authority.
    ///
    /// - Parameter file: a path to certificates in PEM form, or `nil` for the system's alone.
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

    /// The bundle that libcurl was built to use, if it has one and it can be read.
    private static var systemBundle: [UInt8]? {
        // The path is a constant of libcurl.
        guard let path = unsafe hoga_curl_default_bundle() else { return nil }
        return unsafe contents(of: String(cString: path))
    }

    /// Reads a whole file, or `nil` when it is missing, too long or cannot be read.
    private static func contents(of path: String) -> [UInt8]? {
        guard let file = unsafe fopen(path, "re") else { return nil }
        // The one use of the file ends in this function.
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
