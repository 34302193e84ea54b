package import CLibCurl
package import DataSourceContracts

/// The one owner of a libcurl easy handle: one transfer or one connection.
///
/// It sets what is the same for every use: TLS verified against the authorities, no signals, no
/// redirects, no credentials in addresses. It must be taken out of its ``MultiHandle`` before it
/// goes, and belongs to one thread at a time.
@safe
package struct EasyHandle: ~Copyable {
    // The handle that `deinit` frees; only the multi handle of this room sees it too.
    let pointer: UnsafeMutableRawPointer
    // Where curl writes what went wrong; it outlives the handle.
    private let errorText: UnsafeMutablePointer<CChar>
    // curl reads the certificates from here at each connect, without a copy of its own.
    private let authorities: CertificateAuthorities
    private let proxy: ProxyChoice

    /// Makes a handle that is not prepared yet.
    ///
    /// - Throws: ``TransportError`` with `other` when there is no memory.
    package init(
        authorities: CertificateAuthorities,
        proxy: ProxyChoice
    ) throws(TransportError) {
        // Nobody undoes this: a thread of libcurl that looks up a name may outlive all handles.
        // libcurl counts the calls and has guarded them with a lock of its own since 7.84.
        guard curl_global_init(Int(CURL_GLOBAL_ALL)) == CURLE_OK,
            let made = unsafe curl_easy_init()
        else { throw TransportError(.other, "libcurl cannot start") }
        unsafe pointer = made
        unsafe errorText = .allocate(capacity: Int(CURL_ERROR_SIZE))
        unsafe errorText.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
        self.authorities = authorities
        self.proxy = proxy
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
        try set(CURLOPT_PROTOCOLS_STR, "http,https")
        try set(CURLOPT_USERAGENT, userAgent)
        try set(CURLOPT_FOLLOWLOCATION, 0)
        try set(CURLOPT_DISALLOW_USERNAME_IN_URL, 1)
        try set(CURLOPT_SSL_VERIFYPEER, 1)
        try set(CURLOPT_SSL_VERIFYHOST, 2)
        try set(CURLOPT_TCP_KEEPALIVE, 1)
        // Signals belong to the program; time-outs work without them.
        try set(CURLOPT_NOSIGNAL, 1)
        // Else a name server that does not answer holds up whoever gives up waiting for it.
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
    }

    /// Without any of these options curl looks into the environment.
    private func setProxy() throws(TransportError) {
        switch proxy {
        case .environment: break
        case .none: try set(CURLOPT_PROXY, "")
        case .address(let url):
            try set(CURLOPT_PROXY, url)
            // What was asked for by name is not undone by `no_proxy`.
            try set(CURLOPT_NOPROXY, "")
        }
    }

    /// What the handle is known by while it exists.
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
    /// Zero would mean no limit to curl, so a time that is up already becomes one millisecond.
    package func set(_ option: CURLoption, _ time: Duration) throws(TransportError) {
        try set(option, max(1, time.wholeMilliseconds))
    }

    /// Sets the function that takes arriving bytes, and what it is called with.
    ///
    /// The function must not be called after `context` is gone: the caller keeps it alive as long
    /// as the handle.
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

    /// Sets lines of the request's head; the caller keeps the list as long as the handle is in use.
    package func set(_ fields: borrowing HeaderList) throws(TransportError) {
        guard let first = unsafe fields.pointer else { return }
        try unsafe check(hoga_curl_set_pointer(pointer, CURLOPT_HTTPHEADER, first))
    }

    /// What a function that takes bytes returns to be given the same bytes again after
    /// ``resume()``.
    package static var pauseCode: Int { Int(CURL_WRITEFUNC_PAUSE) }

    /// Goes on with a transfer that was paused; its bytes may be delivered during the call.
    package func resume() {
        // A handle that is not paused, or at its end, takes no harm.
        _ = unsafe curl_easy_pause(pointer, CURLPAUSE_CONT)
    }

    // MARK: Results

    /// The HTTP status of the last answer; 0 when there was none.
    package var status: Int { number(CURLINFO_RESPONSE_CODE) }

    /// The socket of the connection, or `nil` when there is none.
    package var socket: CInt? {
        var socket: curl_socket_t = -1
        let result = unsafe hoga_curl_get_socket(pointer, &socket)
        return result == CURLE_OK && socket >= 0 ? socket : nil
    }

    /// The error that a result code means, in curl's words.
    package func failure(_ code: CURLcode) -> TransportError {
        // curl ends the text with a zero and never writes past the buffer.
        let words = unsafe String(cString: errorText)
        return TransportError(curl: isProxys(code) ? CURLE_PROXY : code, words: words)
    }

    /// Whether it is the proxy that failed, which libcurl's codes do not always tell.
    ///
    /// When the environment names the proxy, nobody here knows that there is one: then a proxy
    /// that is away looks like an exchange that is.
    private func isProxys(_ code: CURLcode) -> Bool {
        switch code {
        // A tunnel that is refused is a failure to receive for libcurl.
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

/// What an easy handle is known by while it exists.
package struct EasyHandleID: Hashable {
    // Compared and never followed.
    private let address: UInt

    /// Names the handle at this address.
    init(_ pointer: UnsafeMutableRawPointer) {
        address = UInt(bitPattern: pointer)
    }
}
