import Glibc

/// A certificate authority in a temporary folder that is trusted by nobody who is not told to.
public final class TestCertificateAuthority: Sendable {
    /// A certificate with its key, as paths.
    public struct Identity: Sendable {
        /// The certificate in PEM form.
        public let certificateFile: String
        /// The private key in PEM form.
        public let keyFile: String
    }

    /// The folder that everything is in; it goes with the authority.
    public let folder: String

    /// The authority's own certificate in PEM form: what trusts it.
    public var certificateFile: String { folder + "/authority.pem" }

    /// Makes an authority with a new key.
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

    /// Makes a certificate.
    ///
    /// - Parameters:
    ///   - name: an alternative name with its kind, such as `IP:127.0.0.1` or `DNS:a.test`.
    ///   - days: how long it holds from now on; one that is below zero has expired.
    /// - Returns: files that go with the authority.
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
