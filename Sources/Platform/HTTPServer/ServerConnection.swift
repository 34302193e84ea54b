import NetworkAddresses
import SharedMemory

/// One connection of a server; used by the thread of its event loop only.
final class ServerConnection {
    /// The next step of the connection.
    enum Phase {
        /// Receives a head.
        case head
        /// Receives a body.
        case body
        /// Waits for a deferred or delayed response.
        case waiting
        /// Sends a response.
        case sending
        /// Sends a stream, or waits for its next chunk.
        case streaming
        /// Discards input behind the last response.
        case draining
        /// Closed.
        case closed
    }

    /// The step after a response.
    enum Sequel {
        /// The next request.
        case nextRequest
        /// The connection is closed.
        case close
        /// The connection is closed once the client has received the response.
        case drain
        /// The socket is handed over.
        case upgrade(HTTPServerUpgrade)
    }

    let id: ConnectionID
    let descriptor: Int32
    let client: NetworkAddress

    var phase = Phase.head
    /// When the phase began or last made progress, in milliseconds of the loop's clock.
    var since: Int64
    /// When the response, or the stream's chunk, that is being sent began.
    var outputSince: Int64
    /// Whether a request was answered: an idle connection may wait longer than a new one.
    var hasServed = false
    /// Whether a byte of a head arrived since the last response; empty lines are not part of it.
    var hasBegunHead = false
    /// Bytes of empty lines skipped since the last response.
    var emptyLineBytes = 0

    /// Received bytes; those from `inputStart` on are unread.
    var input: [UInt8] = []
    var inputStart = 0
    /// Whether the socket may have bytes: edge-triggered epoll reports it once.
    var isReadable = false
    /// Whether the peer closed its side.
    var hasPeerEnded = false
    /// Whether the connection yielded and its turn is queued.
    var isTurnQueued = false

    /// The request that is being read or answered.
    var head: RequestHead?
    var body: BodyReader?
    /// Whether the response carries `Connection: close`.
    var closes = false
    var completion: ResponseCompletion?
    /// The wait in phase `waiting`; numbers are never reused.
    var wait: (number: Int, makeReply: @Sendable () -> HTTPServerReply, continuesDuringStop: Bool)?
    var waitCount = 0
    var stream: ActiveStream?

    var output = Output()
    /// The number of the output in ``UnsentBytes``, while the socket is full.
    var unsentNumber: Int?
    var sequel = Sequel.nextRequest
    /// Bytes discarded while draining.
    var drainedBytes = 0

    init(id: ConnectionID, descriptor: Int32, client: NetworkAddress, now: Int64) {
        self.id = id
        self.descriptor = descriptor
        self.client = client
        since = now
        outputSince = now
    }

    /// The input capacity that a connection keeps between requests.
    private static let inputBytesKept = 2_048

    /// Whether all received bytes were read.
    var isInputEmpty: Bool { inputStart == input.count }

    /// Starts the time limits of new output.
    func beginOutput(at now: Int64) {
        since = now
        outputSince = now
    }

    /// Removes read bytes from the input.
    func discardReadInput() {
        if isInputEmpty {
            input.removeAll(keepingCapacity: input.capacity <= Self.inputBytesKept)
        } else {
            input.removeFirst(inputStart)
        }
        inputStart = 0
    }

    /// How long an idle connection keeps the buffer of its last request.
    private static let keptMilliseconds: Int64 = 1_000

    /// Releases the input buffer of an idle connection.
    func releaseIfIdle(at now: Int64) {
        guard case .head = phase, isInputEmpty, now - since >= Self.keptMilliseconds else { return }
        discardReadInput()
    }

    /// Reports the end of the response; a second call does nothing.
    func completeResponse(isComplete: Bool) {
        completion?.complete(isComplete)
        completion = nil
    }

    /// Whether a time limit has passed.
    ///
    /// - Parameters:
    ///   - now: milliseconds of the loop's clock.
    ///   - limits: the server's limits.
    /// - Returns: true if the connection must be closed.
    func isOverdue(at now: Int64, _ limits: HTTPServer.Configuration) -> Bool {
        let idle = Int64(max(1, limits.idleTimeoutSeconds)) * 1_000
        let request = Int64(max(1, limits.requestSecondsMax)) * 1_000
        switch phase {
        case .head: return now - since > (hasServed && !hasBegunHead ? idle : request)
        case .body: return now - since > request
        // A stream may be silent for any time, but its output must be taken.
        case .streaming where output.isEmpty: return false
        case .sending, .streaming:
            return now - since > idle || now - outputSince > idle + sendingTime(limits)
        case .draining: return now - since > Self.drainMilliseconds
        case .waiting, .closed: return false
        }
    }

    /// Milliseconds that the output takes at the least allowed rate: a client that takes a byte a
    /// minute does not hold its connection open.
    private func sendingTime(_ limits: HTTPServer.Configuration) -> Int64 {
        Int64(output.byteCount) * 1_000 / Int64(max(1, limits.sentBytesPerSecondMin))
    }

    /// The time a client has to receive its last response.
    private static let drainMilliseconds: Int64 = 2_000
}

/// Bytes that are being sent: a head, a shared body and a tail.
struct Output {
    var head: [UInt8] = []
    var body: [UInt8] = []
    /// Sent in place of the body and the tail, which are then empty.
    var file: MemoryFile?
    var tail: [UInt8] = []
    /// How many bytes of all three were sent.
    var sentCount = 0

    var byteCount: Int { head.count + (file?.count ?? body.count + tail.count) }

    var isEmpty: Bool { sentCount == byteCount }

    /// Releases the bytes; a small head keeps its capacity.
    mutating func clear() {
        head.removeAll(keepingCapacity: head.capacity <= 2_048)
        body = []
        file = nil
        tail = []
        sentCount = 0
    }
}
