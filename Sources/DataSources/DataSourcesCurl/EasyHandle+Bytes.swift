import CLibCurl
package import DataSourceContracts

/// The raw bytes of a connection that libcurl opened and does nothing else with (`CONNECT_ONLY`).
///
/// Neither call waits: `nil` means that the socket must be waited for. The handle must still be in
/// its multi handle, which owns the connection.
extension EasyHandle {
    /// Reads what is there into the buffer.
    ///
    /// TLS may hold decoded bytes while the socket has none: read until `nil` before waiting.
    ///
    /// - Returns: how many bytes were read, 0 at the end of the connection.
    package func receive(into buffer: inout [UInt8]) throws(TransportError) -> Int? {
        var count = 0
        // curl writes at most the buffer's length into it, before it returns.
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
    /// - Returns: how many bytes were written.
    package func send(_ bytes: ArraySlice<UInt8>) throws(TransportError) -> Int? {
        var count = 0
        // curl copies what it takes before it returns.
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
