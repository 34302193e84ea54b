/// A TLS proxy in front of a plain server on 127.0.0.1.
public final class TLSProxy {
    /// The port it listens on.
    public let port: UInt16

    private let process: ChildProcess

    /// Starts a proxy.
    ///
    /// - Parameters:
    ///   - target: the port of the plain server.
    ///   - identity: its certificate and key.
    ///   - applicationProtocols: its ALPN protocols in order of preference; empty ignores ALPN.
    ///   - version: the only version of TLS that it speaks, `TLSv1_1` to `TLSv1_3`; nil for those
    ///     that are permitted by default.
    /// - Throws: ``ChildProcess/Failure`` if Python cannot be started.
    public init(
        to target: UInt16,
        identity: TestCertificateAuthority.Identity,
        applicationProtocols: [String] = [],
        version: String? = nil
    ) throws(ChildProcess.Failure) {
        process = try ChildProcess(
            [
                "python3", "-c", Self.script, String(target), identity.certificateFile,
                identity.keyFile, version ?? "",
            ] + applicationProtocols
        )
        guard let port = UInt16(try process.readLine()) else {
            throw ChildProcess.Failure(text: "the TLS front does not listen")
        }
        self.port = port
    }

    /// Waits for the next connection; returns its ALPN protocol, or an empty string.
    public func nextApplicationProtocol() throws(ChildProcess.Failure) -> String {
        try process.readLine()
    }

    /// Ends with its standard input; connections end without close_notify.
    private static let script = """
        import select, socket, ssl, sys, threading

        target, certificate, key, version, *protocols = sys.argv[1:]
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(certificate, key)
        if version:
            # Old versions need hashes that are too weak for the default level.
            context.set_ciphers("DEFAULT:@SECLEVEL=0")
            context.minimum_version = context.maximum_version = ssl.TLSVersion[version]
        if protocols:
            context.set_alpn_protocols(protocols)

        def serve(raw):
            try:
                with context.wrap_socket(raw, server_side=True) as outer:
                    print(outer.selected_alpn_protocol() or "", flush=True)
                    with socket.create_connection(("127.0.0.1", int(target))) as inner:
                        while True:
                            ready = [outer] if outer.pending() else \\
                                select.select([outer, inner], [], [])[0]
                            for source in ready:
                                data = source.recv(65536)
                                if not data:
                                    return
                                (inner if source is outer else outer).sendall(data)
            except OSError:
                pass

        def accept():
            while True:
                threading.Thread(target=serve, args=(listener.accept()[0],), daemon=True).start()

        listener = socket.create_server(("127.0.0.1", 0))
        print(listener.getsockname()[1], flush=True)
        threading.Thread(target=accept, daemon=True).start()
        sys.stdin.read()
        """
}

/// One test uses a proxy at a time.
@available(*, unavailable)
extension TLSProxy: Sendable {}
