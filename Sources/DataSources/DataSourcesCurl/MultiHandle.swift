package import CLibCurl
package import DataSourceContracts

/// Owns a libcurl multi handle: concurrent transfers, their connections, and the wait for them.
///
/// The handle belongs to one thread at a time; only its ``waker`` may be used from others.
@safe
package struct MultiHandle: ~Copyable {
    // Freed in `deinit`; only the waker sees it outside this type.
    private let pointer: UnsafeMutableRawPointer

    /// Ends a ``wait(for:input:output:)`` from any thread.
    package let waker: Waker

    /// A transfer that ended.
    package struct Completion {
        /// Its handle.
        package let id: EasyHandleID
        /// Its result.
        package let code: CURLcode
    }

    /// Makes a handle without transfers.
    ///
    /// - Throws: ``TransportError`` with `other` when there is no memory or no file descriptor.
    package init() throws(TransportError) {
        guard curl_global_init(Int(CURL_GLOBAL_ALL)) == CURLE_OK,
            let made = unsafe curl_multi_init()
        else { throw TransportError(.other, "libcurl cannot start") }
        unsafe pointer = made
        // The waker calls only the one function that is safe on any thread.
        nonisolated(unsafe) let shared = unsafe made
        unsafe waker = Waker(shared)
    }

    deinit {
        // Afterwards no thread wakes the handle that is freed here.
        waker.retire()
        unsafe curl_multi_cleanup(pointer)
    }

    /// Sets an option that takes a number.
    package func set(_ option: CURLMoption, _ number: Int) throws(TransportError) {
        try unsafe check(hoga_curl_multi_set_number(pointer, option, number))
    }

    /// Starts a transfer; its handle must be removed before it ends.
    package func add(_ easy: borrowing EasyHandle) throws(TransportError) {
        try unsafe check(curl_multi_add_handle(pointer, easy.pointer))
    }

    /// Ends a transfer in any state.
    package func remove(_ easy: borrowing EasyHandle) {
        // Fails only for handles that were not added.
        _ = unsafe curl_multi_remove_handle(pointer, easy.pointer)
    }

    /// Performs all transfers without waiting.
    package func perform() throws(TransportError) {
        var running: CInt = 0
        try unsafe check(curl_multi_perform(pointer, &running))
    }

    /// The next transfer that ended since the last call.
    package func nextCompletion() -> Completion? {
        var left: CInt = 0
        while let message = unsafe curl_multi_info_read(pointer, &left) {
            // The message is valid until the next call into the handle; it is copied here.
            guard unsafe message.pointee.msg == CURLMSG_DONE else { continue }
            return unsafe Completion(
                id: EasyHandleID(message.pointee.easy_handle),
                code: message.pointee.data.result
            )
        }
        return nil
    }

    /// Blocks until a transfer or a socket is ready, the waker is used, or the time is up.
    ///
    /// A wake-up before the wait ends it at once.
    ///
    /// - Parameters:
    ///   - time: the longest wait; curl may end it sooner.
    ///   - input: a socket to wait for until it can be read.
    ///   - output: a socket to wait for until it can be written.
    /// - Throws: ``TransportError`` with `other` when the system cannot wait.
    package func wait(
        for time: Duration,
        input: CInt? = nil,
        output: CInt? = nil
    ) throws(TransportError) {
        var sockets: [curl_waitfd] = []
        if let input {
            sockets.append(curl_waitfd(fd: input, events: Int16(CURL_WAIT_POLLIN), revents: 0))
        }
        if let output {
            sockets.append(curl_waitfd(fd: output, events: Int16(CURL_WAIT_POLLOUT), revents: 0))
        }
        let milliseconds = CInt(clamping: max(0, time.wholeMilliseconds))
        // Safe: curl uses the list only during the call.
        let code = unsafe curl_multi_poll(
            pointer,
            &sockets,
            UInt32(sockets.count),
            milliseconds,
            nil
        )
        try check(code)
    }

    private func check(_ code: CURLMcode) throws(TransportError) {
        guard code == CURLM_OK else {
            // The texts are constants of libcurl.
            throw TransportError(.other, unsafe String(cString: curl_multi_strerror(code)))
        }
    }
}
