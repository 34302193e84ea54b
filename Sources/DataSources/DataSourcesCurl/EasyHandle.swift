package import CLibCurl
package import DataSourceContracts
package import NetworkAddresses

/// Owns a libcurl easy handle: one transfer or one connection.
///
/// Sets the common options: TLS 1.2 or newer, verified against the authorities, no signals, no
/// redirects, no credentials in addresses. Remove it from its ``MultiHandle`` before it ends. It
/// belongs to one thread at a time.
@safe
package struct EasyHandle: ~Copyable {
    // Freed in `deinit`; only the multi handle of this target sees it too.
    let pointer: UnsafeMutableRawPointer
    // curl writes error texts here; it outlives the handle.
    private let errorText: UnsafeMutablePointer<CChar>
    // curl reads the certificates from here at each connect, without a copy of its own.
    private let authorities: CertificateAuthorities
    private let proxy: ProxyChoice
    // curl asks it during transfers of this handle only; nil if every address is permitted.
    private let gate: SocketGate?

    /// Makes a handle that is not prepared yet.
    ///
    /// - Parameters:
    ///   - authorities: the trusted certificates.
    ///   - proxy: the proxy.
    ///   - permits: whether a connection to an address may be opened, asked before each socket;
    ///     with it only `https` is possible. Nil for all addresses. A proxy would be asked about
    ///     in place of the host.
    /// - Throws: ``TransportError`` with `other` when there is no memory.
    package init(
        authorities: CertificateAuthorities,
        proxy: ProxyChoice,
        permits: (@Sendable (NetworkAddress) -> Bool)? = nil
    ) throws(TransportError) {
        // Never undone: a name lookup on a thread of libcurl may outlive all handles. libcurl
        // counts the calls and has locked them since 7.84.
        guard curl_global_init(Int(CURL_GLOBAL_ALL)) == CURLE_OK,
            let made = unsafe curl_easy_init()
        else { throw TransportError(.other, "libcurl cannot start") }
        unsafe pointer = made
        unsafe errorText = .allocate(capacity: Int(CURL_ERROR_SIZE))
        unsafe errorText.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
        self.authorities = authorities
        self.proxy = proxy
        gate = permits.map { SocketGate(permits: $0) }
    }

    deinit {
        unsafe curl_easy_cleanup(pointer)
        unsafe errorText.deallocate()
    }

    /// Prepares the handle for an `http` or `https` address.
    ///
    /// - Throws: ``TransportError`` with `other` when libcurl lacks an option or memory.
    package func prepare(url: String, userAgent: String) throws(TransportError) {
        try unsafe check(hoga_curl_set_pointer(pointer, CURLOPT_ERRORBUFFER, errorText))
        try set(CURLOPT_URL, url)
        try set(CURLOPT_PROTOCOLS_STR, gate == nil ? "http,https" : "https")
        try set(CURLOPT_USERAGENT, userAgent)
        try set(CURLOPT_FOLLOWLOCATION, 0)
        try set(CURLOPT_DISALLOW_USERNAME_IN_URL, 1)
        try set(CURLOPT_SSL_VERIFYPEER, 1)
        try set(CURLOPT_SSL_VERIFYHOST, 2)
        // Whatever OpenSSL's configuration permits.
        for option in [CURLOPT_SSLVERSION, CURLOPT_PROXY_SSLVERSION] {
            try set(option, Int(CURL_SSLVERSION_TLSv1_2))
        }
        try set(CURLOPT_TCP_KEEPALIVE, 1)
        // Signals belong to the program; time-outs work without them.
        try set(CURLOPT_NOSIGNAL, 1)
        // Without this a cancelled transfer would wait for a name server that does not answer.
        try set(CURLOPT_QUICK_EXIT, 1)
        if let bundle = unsafe authorities.bundle {
            // The handle keeps the authorities alive, and they do not move.
            for option in [CURLOPT_CAINFO_BLOB, CURLOPT_PROXY_CAINFO_BLOB] {
                try unsafe check(
                    hoga_curl_set_blob(pointer, option, bundle.baseAddress, bundle.count)
                )
            }
        }
        try setProxy()
        if let gate {
            try unsafe check(hoga_curl_set_socket_opener(pointer, openPermittedSocket))
            // The handle keeps the gate alive.
            let context = unsafe Unmanaged.passUnretained(gate).toOpaque()
            try unsafe check(hoga_curl_set_pointer(pointer, CURLOPT_OPENSOCKETDATA, context))
        }
    }

    /// Without these options curl reads the environment.
    private func setProxy() throws(TransportError) {
        switch proxy {
        case .environment: break
        case .none: try set(CURLOPT_PROXY, "")
        case .address(let url):
            try set(CURLOPT_PROXY, url)
            // `no_proxy` does not override an explicit proxy.
            try set(CURLOPT_NOPROXY, "")
        }
    }

    /// Identifies the handle while it exists.
    package var id: EasyHandleID { unsafe EasyHandleID(pointer) }

    // MARK: Options

    /// Sets an option that takes a number.
    package func set(_ option: CURLoption, _ number: Int) throws(TransportError) {
        try unsafe check(hoga_curl_set_number(pointer, option, number))
    }

    /// Sets an option that takes a size in bytes.
    package func set(_ option: CURLoption, size: Int) throws(TransportError) {
        try unsafe check(hoga_curl_set_size(pointer, option, curl_off_t(size)))
    }

    /// Sets an option that takes text, which curl copies.
    package func set(_ option: CURLoption, _ text: String) throws(TransportError) {
        try unsafe check(hoga_curl_set_text(pointer, option, text))
    }

    /// Sets an option that takes a time in milliseconds.
    ///
    /// Zero means no limit to curl, so an expired time becomes one millisecond.
    package func set(_ option: CURLoption, _ time: Duration) throws(TransportError) {
        try set(option, max(1, time.wholeMilliseconds))
    }

    /// Sets the function that receives arriving bytes, and its context.
    ///
    /// The caller keeps `context` alive as long as the handle.
    @unsafe
    package func set(
        _ option: CURLoption,
        sink: hoga_curl_sink,
        contextOption: CURLoption,
        context: UnsafeMutableRawPointer
    ) throws(TransportError) {
        try unsafe check(hoga_curl_set_sink(pointer, option, sink))
        try unsafe check(hoga_curl_set_pointer(pointer, contextOption, context))
    }

    /// Sets request headers; the caller keeps the list as long as the handle is in use.
    package func set(_ fields: borrowing HeaderList) throws(TransportError) {
        guard let first = unsafe fields.pointer else { return }
        try unsafe check(hoga_curl_set_pointer(pointer, CURLOPT_HTTPHEADER, first))
    }

    /// Returned by a receiving function to get the same bytes again after ``resume()``.
    package static var pauseCode: Int { Int(CURL_WRITEFUNC_PAUSE) }

    /// Resumes a paused transfer; its bytes may be delivered during the call.
    package func resume() {
        // Harmless for a handle that is not paused or at its end.
        _ = unsafe curl_easy_pause(pointer, CURLPAUSE_CONT)
    }

    // MARK: Results

    /// The HTTP status of the last response; 0 without one.
    package var status: Int { number(CURLINFO_RESPONSE_CODE) }

    /// The socket of the connection; nil without one.
    package var socket: CInt? {
        var socket: curl_socket_t = -1
        let result = unsafe hoga_curl_get_socket(pointer, &socket)
        return result == CURLE_OK && socket >= 0 ? socket : nil
    }

    /// The error of a result code, with curl's own text.
    package func failure(_ code: CURLcode) -> TransportError {
        if code == CURLE_COULDNT_CONNECT, let refused = gate?.refused {
            return TransportError(.forbiddenAddress, "the address \(refused) is not permitted")
        }
        // curl ends the text with a zero and never writes past the buffer.
        let text = unsafe String(cString: errorText)
        return TransportError(curl: isProxyFailure(code) ? CURLE_PROXY : code, text: text)
    }

    /// Whether the proxy failed, which libcurl's codes do not always say.
    ///
    /// A proxy of the environment is not known here: when it is unreachable, the error is that of
    /// an unreachable exchange.
    private func isProxyFailure(_ code: CURLcode) -> Bool {
        switch code {
        // libcurl reports a refused tunnel as a failure to receive.
        case CURLE_RECV_ERROR: number(CURLINFO_HTTP_CONNECTCODE) >= 300
        case CURLE_COULDNT_CONNECT: if case .address = proxy { true } else { false }
        default: false
        }
    }

    private func number(_ info: CURLINFO) -> Int {
        var number = 0
        let result = unsafe hoga_curl_get_number(pointer, info, &number)
        return result == CURLE_OK ? number : 0
    }

    private func check(_ code: CURLcode) throws(TransportError) {
        guard code == CURLE_OK else { throw failure(code) }
    }
}

/// Identifies an easy handle while it exists.
package struct EasyHandleID: Hashable {
    // Compared, never dereferenced.
    private let address: UInt

    /// The identifier of the handle at this address.
    init(_ pointer: UnsafeMutableRawPointer) {
        address = UInt(bitPattern: pointer)
    }
}

// MARK: Raw bytes of a connection that libcurl only opened (`CONNECT_ONLY`)

/// Neither call waits: nil means that the socket is not ready. The handle must still be in its
/// multi handle, which owns the connection.
extension EasyHandle {
    /// Reads the bytes at hand into the buffer.
    ///
    /// TLS may hold decoded bytes while the socket has none: read until nil before waiting.
    ///
    /// - Returns: the number of bytes read; 0 at the end of the connection; nil if none are at
    ///   hand.
    package func receive(into buffer: inout [UInt8]) throws(TransportError) -> Int? {
        var count = 0
        // Safe: curl writes at most the buffer's length into it before it returns.
        let code = unsafe buffer.withUnsafeMutableBytes { bytes in
            unsafe curl_easy_recv(pointer, bytes.baseAddress, bytes.count, &count)
        }
        switch code {
        case CURLE_OK: return count
        case CURLE_AGAIN: return nil
        default: throw failure(code)
        }
    }

    /// Writes as much as fits.
    ///
    /// - Returns: the number of bytes written; nil if none fit.
    package func send(_ bytes: ArraySlice<UInt8>) throws(TransportError) -> Int? {
        var count = 0
        // Safe: curl copies the bytes before it returns.
        let code = unsafe bytes.withUnsafeBytes { bytes in
            unsafe curl_easy_send(pointer, bytes.baseAddress, bytes.count, &count)
        }
        switch code {
        case CURLE_OK: return count
        case CURLE_AGAIN: return nil
        default: throw failure(code)
        }
    }
}

extension Duration {
    /// The time in milliseconds, rounded up and clamped to the range of libcurl's options.
    var wholeMilliseconds: Int {
        let (seconds, attoseconds) = components
        let (product, overflow) = seconds.multipliedReportingOverflow(by: 1_000)
        guard !overflow, let whole = Int32(exactly: product) else {
            return seconds < 0 ? Int(Int32.min) : Int(Int32.max)
        }
        let attosecondsPerMillisecond: Int64 = 1_000_000_000_000_000
        let rest = attoseconds / attosecondsPerMillisecond
        let isExact = attoseconds % attosecondsPerMillisecond == 0
        return Int(whole) + Int(rest) + (isExact || attoseconds < 0 ? 0 : 1)
    }
}
