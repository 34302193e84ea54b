package import CLibCurl
package import DataSourceContracts

extension TransportError {
    /// Translates a result code of libcurl.
    ///
    /// - Parameters:
    ///   - code: curl's result.
    ///   - text: the handle's error text; if empty, curl's general text is used.
    package init(curl code: CURLcode, text: String) {
        // The texts are constants of libcurl.
        let general = unsafe String(cString: curl_easy_strerror(code))
        self.init(Self.code(of: code), text.isEmpty ? general : text)
    }

    /// Groups libcurl's codes; codes of libcurl's other protocols become `other`.
    ///
    /// Source: libcurl-errors(3) of 7.88.
    private static func code(of code: CURLcode) -> Code {
        switch code {
        case CURLE_URL_MALFORMAT, CURLE_LOGIN_DENIED:
            .badAddress
        case CURLE_COULDNT_RESOLVE_HOST:
            .nameNotResolved
        case CURLE_COULDNT_RESOLVE_PROXY, CURLE_PROXY:
            .proxy
        // A TLS handshake that fails before certificates are seen: the peer may not speak TLS.
        case CURLE_COULDNT_CONNECT, CURLE_INTERFACE_FAILED, CURLE_SSL_CONNECT_ERROR:
            .cannotConnect
        case CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CACERT_BADFILE, CURLE_SSL_CERTPROBLEM,
            CURLE_SSL_CIPHER, CURLE_SSL_CLIENTCERT, CURLE_SSL_CRL_BADFILE,
            CURLE_SSL_INVALIDCERTSTATUS, CURLE_SSL_ISSUER_ERROR, CURLE_SSL_PINNEDPUBKEYNOTMATCH:
            .untrusted
        case CURLE_OPERATION_TIMEDOUT:
            .timedOut
        case CURLE_GOT_NOTHING, CURLE_PARTIAL_FILE, CURLE_RECV_ERROR, CURLE_SEND_ERROR:
            .closed(code: nil, reason: "")
        // Schemes are checked before curl sees them. An unsupported protocol therefore means a
        // response that is not HTTP, which curl takes for HTTP/0.9.
        case CURLE_BAD_CONTENT_ENCODING, CURLE_HTTP2, CURLE_HTTP2_STREAM,
            CURLE_UNSUPPORTED_PROTOCOL, CURLE_WEIRD_SERVER_REPLY:
            .protocolViolation
        case CURLE_FILESIZE_EXCEEDED:
            .tooLarge
        case CURLE_ABORTED_BY_CALLBACK:
            .cancelled
        default:
            .other
        }
    }
}
