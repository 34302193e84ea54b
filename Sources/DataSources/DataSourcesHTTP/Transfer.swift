import CLibCurl
import DataSourceContracts
import DataSourcesCurl

/// One request in libcurl's hands, and what has come of its answer.
final class Transfer {
    /// What the mailbox knows it by.
    let id: TransferQueue.Ledger.ID
    /// Its handle in libcurl.
    let easy: EasyHandle

    private let bodyBytesMax: Int
    /// Lines of the request's head, which libcurl reads as long as the handle is in use.
    private let fields: HeaderList
    /// Where the body goes as it comes; nil if it is gathered here.
    private let pipe: ResponseStreamBuffer?
    private var head = ResponseHead()
    private var body: [UInt8] = []
    private var isTooLarge = false

    /// Makes a transfer that is ready to start.
    init(
        id: TransferQueue.Ledger.ID,
        request: HTTPRequest,
        pipe: ResponseStreamBuffer?,
        settings: TransferSettings
    ) throws(TransportError) {
        self.id = id
        self.pipe = pipe
        bodyBytesMax = request.bodyBytesMax
        fields = try HeaderList(request.headers.map { "\($0.name): \($0.value)" })
        easy = try EasyHandle(authorities: settings.authorities, proxy: settings.proxy)
        try easy.prepare(url: request.url, userAgent: settings.userAgent)
        try easy.set(CURLOPT_HTTP_VERSION, CURL_HTTP_VERSION_2TLS)
        try easy.set(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
        try easy.set(CURLOPT_CONNECTTIMEOUT_MS, min(request.timeout, settings.connectTimeout))
        try easy.set(fields)
        try Self.set(request, on: easy)
        if pipe == nil {
            // Empty text asks for every encoding that libcurl can undo.
            try easy.set(CURLOPT_ACCEPT_ENCODING, "")
            try easy.set(CURLOPT_TIMEOUT_MS, request.timeout)
            // An announced length that is too large ends the transfer before the body comes.
            try easy.set(CURLOPT_MAXFILESIZE_LARGE, size: max(1, request.bodyBytesMax))
        }
        // The handle is this object's own, so it never calls back into one that is gone.
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

    /// Sets the method and what is sent along.
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

    /// What the caller is told when libcurl is done.
    func result(of code: CURLcode) -> Result<HTTPResponse, TransportError> {
        guard !isTooLarge else {
            return .failure(TransportError(.tooLarge, "the answer exceeds \(bodyBytesMax) bytes"))
        }
        guard code == CURLE_OK else { return .failure(easy.failure(code)) }
        // For curl a connection that ends within the head is an answer without a body.
        guard head.isComplete else {
            return .failure(easy.failure(CURLE_PARTIAL_FILE))
        }
        return .success(HTTPResponse(status: easy.status, headers: head.headers, body: body))
    }

    /// Keeps a piece of the body.
    ///
    /// - Returns: how many bytes were taken: all, none when the answer has become too large, or
    ///   what has libcurl bring the same piece again later.
    fileprivate func append(body bytes: UnsafeRawBufferPointer) -> Int {
        if let pipe {
            // The bytes are curl's and valid during its call; they are copied here.
            return unsafe pipe.append(bytes) ? bytes.count : EasyHandle.pauseCode
        }
        guard body.count + bytes.count <= bodyBytesMax else {
            isTooLarge = true
            return unsafe bytes.isEmpty ? 1 : 0
        }
        // The bytes are curl's and valid during its call; they are copied here.
        unsafe body.append(contentsOf: bytes)
        return bytes.count
    }

    /// Keeps a line of the head.
    ///
    /// - Returns: `false` when the head has become too large.
    fileprivate func append(headerLine bytes: UnsafeRawBufferPointer) -> Bool {
        // The bytes are curl's and valid during its call; they are copied here.
        guard unsafe head.append(line: String(decoding: bytes, as: UTF8.self)) else {
            isTooLarge = true
            return false
        }
        // Interim answers (1xx) have a head of their own, and a real one follows.
        if head.isComplete, easy.status >= 200 {
            pipe?.begin(status: easy.status, headers: head.headers)
        }
        return true
    }
}

// MARK: Callbacks: the context is the transfer that owns the handle, and alive during the call.

private func receiveBody(
    _ bytes: UnsafeMutablePointer<CChar>?,
    _ size: Int,
    _ count: Int,
    _ context: UnsafeMutableRawPointer?
) -> Int {
    guard let context = unsafe context else { return 0 }
    let transfer = unsafe Unmanaged<Transfer>.fromOpaque(context).takeUnretainedValue()
    let length = size * count
    // Any other count than that of the bytes makes curl end the transfer.
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
    let isTaken = unsafe transfer.append(
        headerLine: UnsafeRawBufferPointer(start: bytes, count: length)
    )
    return isTaken ? length : 0
}
