import CLibCurl
import DataSourceContracts
import DataSourcesCurl

/// One request that libcurl performs, and its response so far.
final class Transfer {
    /// Its identifier in the queue.
    let id: TransferQueue.ID
    /// Its libcurl handle.
    let easy: EasyHandle

    private let bodyBytesMax: Int
    /// The request headers, which libcurl reads as long as the handle is in use.
    private let fields: HeaderList
    /// Receives the body of a stream; nil if the whole body is collected here.
    private let buffer: ResponseStreamBuffer?
    private var head = ResponseHead()
    private var body: [UInt8] = []
    private var isTooLarge = false

    /// Makes a transfer that is ready to start.
    init(
        id: TransferQueue.ID,
        request: HTTPRequest,
        buffer: ResponseStreamBuffer?,
        settings: TransferSettings
    ) throws(TransportError) {
        self.id = id
        self.buffer = buffer
        bodyBytesMax = request.bodyBytesMax
        fields = try HeaderList(request.headers.map { "\($0.name): \($0.value)" })
        easy = try EasyHandle(
            authorities: settings.authorities,
            proxy: settings.proxy,
            permits: settings.permits
        )
        try easy.prepare(url: request.url, userAgent: settings.userAgent)
        try easy.set(CURLOPT_HTTP_VERSION, CURL_HTTP_VERSION_2TLS)
        try easy.set(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
        try easy.set(CURLOPT_CONNECTTIMEOUT_MS, min(request.timeout, settings.connectTimeout))
        try easy.set(fields)
        try Self.set(request, on: easy)
        if buffer == nil {
            // Empty text asks for every encoding that libcurl can decode.
            try easy.set(CURLOPT_ACCEPT_ENCODING, "")
            try easy.set(CURLOPT_TIMEOUT_MS, request.timeout)
            // A `Content-Length` that is too large ends the transfer before the body arrives.
            try easy.set(CURLOPT_MAXFILESIZE_LARGE, size: max(1, request.bodyBytesMax))
        }
        // This object owns the handle, so the handle never calls back after its end.
        let context = unsafe Unmanaged.passUnretained(self).toOpaque()
        try unsafe easy.set(
            CURLOPT_WRITEFUNCTION,
            sink: receiveBody,
            contextOption: CURLOPT_WRITEDATA,
            context: context
        )
        try unsafe easy.set(
            CURLOPT_HEADERFUNCTION,
            sink: receiveHeaderLine,
            contextOption: CURLOPT_HEADERDATA,
            context: context
        )
    }

    /// Sets the method and the body.
    private static func set(
        _ request: HTTPRequest,
        on easy: borrowing EasyHandle
    ) throws(TransportError) {
        guard request.method != .get else { return }
        try easy.set(CURLOPT_CUSTOMREQUEST, request.method.rawValue)
        guard !request.body.isEmpty else { return }
        // The size first: without it libcurl would look for the end of the text.
        try easy.set(CURLOPT_POSTFIELDSIZE, request.body.utf8.count)
        try easy.set(CURLOPT_COPYPOSTFIELDS, request.body)
    }

    /// The result for the caller when libcurl is done.
    func result(of code: CURLcode) -> Result<HTTPResponse, TransportError> {
        guard !isTooLarge else {
            return .failure(TransportError(.tooLarge, "the response exceeds \(bodyBytesMax) bytes"))
        }
        guard code == CURLE_OK else { return .failure(easy.failure(code)) }
        // For curl a connection that ends within the head is a response without a body.
        guard head.isComplete else {
            return .failure(easy.failure(CURLE_PARTIAL_FILE))
        }
        return .success(HTTPResponse(status: easy.status, headers: head.headers, body: body))
    }

    /// Stores bytes of the body.
    ///
    /// - Returns: the number of stored bytes: all, none when the response has become too large, or
    ///   the code that makes libcurl bring the same bytes again later.
    fileprivate func append(body bytes: UnsafeRawBufferPointer) -> Int {
        if let buffer {
            // Safe: the bytes are curl's, valid during its call and copied here.
            return unsafe buffer.append(bytes) ? bytes.count : EasyHandle.pauseCode
        }
        guard body.count + bytes.count <= bodyBytesMax else {
            isTooLarge = true
            return unsafe bytes.isEmpty ? 1 : 0
        }
        // Safe: the bytes are curl's, valid during its call and copied here.
        unsafe body.append(contentsOf: bytes)
        return bytes.count
    }

    /// Stores a line of the head.
    ///
    /// - Returns: false when the head has become too large.
    fileprivate func append(headerLine bytes: UnsafeRawBufferPointer) -> Bool {
        // Safe: the bytes are curl's, valid during its call and copied here.
        guard unsafe head.append(line: String(decoding: bytes, as: UTF8.self)) else {
            isTooLarge = true
            return false
        }
        // An interim response (1xx) has a head of its own, which another one follows.
        if head.isComplete, easy.status >= 200 {
            buffer?.begin(status: easy.status, headers: head.headers)
        }
        return true
    }
}

// MARK: Callbacks. Safe: the context is the transfer that owns the handle, alive during the call.

private func receiveBody(
    _ bytes: UnsafeMutablePointer<CChar>?,
    _ size: Int,
    _ count: Int,
    _ context: UnsafeMutableRawPointer?
) -> Int {
    guard let context = unsafe context else { return 0 }
    let transfer = unsafe Unmanaged<Transfer>.fromOpaque(context).takeUnretainedValue()
    let length = size * count
    // A count other than that of the bytes makes curl end the transfer.
    return unsafe transfer.append(body: UnsafeRawBufferPointer(start: bytes, count: length))
}

private func receiveHeaderLine(
    _ bytes: UnsafeMutablePointer<CChar>?,
    _ size: Int,
    _ count: Int,
    _ context: UnsafeMutableRawPointer?
) -> Int {
    guard let context = unsafe context else { return 0 }
    let transfer = unsafe Unmanaged<Transfer>.fromOpaque(context).takeUnretainedValue()
    let length = size * count
    let isStored = unsafe transfer.append(
        headerLine: UnsafeRawBufferPointer(start: bytes, count: length)
    )
    return isStored ? length : 0
}
