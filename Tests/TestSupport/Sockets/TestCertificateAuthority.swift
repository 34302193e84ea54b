import Glibc

/// A certificate authority in a temporary folder.
public final class TestCertificateAuthority: Sendable {
    /// A certificate with its key, as paths.
    public struct Identity: Sendable {
        /// The certificate in PEM form.
        public let certificateFile: String
        /// The private key in PEM form.
        public let keyFile: String
    }

    /// The folder with all files; removed with the authority.
    public let folder: String

    /// The certificate of the authority in PEM form, for clients that trust it.
    public var certificateFile: String { folder + "/authority.pem" }

    /// Creates an authority with a new key.
    public init() throws(ChildProcess.Failure) {
        let template = Array("/tmp/hoga-authority-XXXXXX".utf8CString)
        var path = template
        guard unsafe mkdtemp(&path) != nil else {
            throw ChildProcess.Failure(text: "/tmp takes no folder")
        }
        folder = String(decoding: path.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
        try ChildProcess.run(
            ["openssl", "req", "-x509", "-days", "2", "-subj", "/CN=Throw-away authority"]
                + Self.newKey + ["-keyout", folder + "/authority.key", "-out", certificateFile]
        )
    }

    deinit {
        try? ChildProcess.run(["rm", "-r", folder])
    }

    /// Creates a certificate.
    ///
    /// - Parameters:
    ///   - name: an alternative name with its kind, such as `IP:127.0.0.1` or `DNS:a.test`.
    ///   - days: its validity from now; expired if negative.
    /// - Returns: files that are removed with the authority.
    /// - Throws: when OpenSSL's command cannot be started or fails.
    public func identity(
        for name: String,
        days: Int = 2
    ) throws(ChildProcess.Failure) -> Identity {
        let stem = folder + "/" + name.filter { $0.isLetter || $0.isNumber } + "\(days)"
        let identity = Identity(certificateFile: stem + ".pem", keyFile: stem + ".key")
        try ChildProcess.run(
            ["openssl", "req", "-subj", "/CN=Throw-away", "-addext", "subjectAltName=\(name)"]
                + Self.newKey + ["-keyout", identity.keyFile, "-out", stem + ".csr"]
        )
        try ChildProcess.run([
            "openssl", "x509", "-req", "-days", "\(days)", "-in", stem + ".csr", "-copy_extensions",
            "copy",
            "-CA", certificateFile, "-CAkey", folder + "/authority.key", "-out",
            identity.certificateFile,
        ])
        return identity
    }

    private static let newKey = [
        "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes",
    ]
}
