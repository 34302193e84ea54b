/// One connection of a server; touched only by the thread of its event loop.
final class ServerConnection {
    /// Where it stands.
    enum Phase {
        /// A head is awaited, or arriving.
        case head
        /// A body is arriving.
        case body
        /// Somebody makes the answer, or its time has not come.
        case waiting
        /// An answer is being sent.
        case sending
        /// A stream is being sent, or sleeps.
        case streaming
        /// The last answer was sent; what still comes is thrown away.
        case draining
        /// It is over.
        case closed
    }

    /// What follows when everything was sent.
    enum Sequel {
        /// The next request.
        case nextRequest
        /// Nothing more.
        case close
        /// Nothing more, behind a request that was not read to its end.
        case drain
        /// The connection leaves HTTP.
        case leave(HTTPServerUpgrade)
    }

    let id: ConnectionID
    let descriptor: Int32
    let client: NetworkAddress

    var phase = Phase.head
    /// When the phase began, or something last moved in it; milliseconds on the loop's clock.
    var since: Int64
    /// When the answer that is being sent began, or the piece of a stream.
    var outputSince: Int64
    /// Whether a request was answered: then a next one may be long in coming.
    var hasServed = false

    /// What came and was not read yet, from `inputStart` on.
    var input: [UInt8] = []
    var inputStart = 0
    /// Whether the socket may have something: told by the system once, until all was taken.
    var isReadable = false
    /// Whether the peer has ended its side.
    var hasPeerEnded = false
    /// Whether it let others go first, and its turn is in the mailbox.
    var isTurnQueued = false

    /// The head of its last request, if that had no body.
    var known: KnownHead?
    /// The request that is being read or answered.
    var head: RequestHead?
    var body: BodyReader?
    /// Whether the answer is the last one.
    var closes = false
    /// Told when the answer is over.
    var notice: ResponseCompletion?
    /// An answer that stands and was begun, and is told when it is over.
    var begun: (answer: any CachedResponse, note: BegunAnswer)?
    /// The wait of the phase, by a number that no other has.
    var wait: (number: Int, answer: @Sendable () -> HTTPServerReply, continuesDuringStop: Bool)?
    var waitCount = 0
    var stream: ActiveStream?

    var output = Output()
    var sequel = Sequel.nextRequest
    /// What draining has thrown away.
    var drainedBytes = 0

    init(id: ConnectionID, descriptor: Int32, client: NetworkAddress, now: Int64) {
        self.id = id
        self.descriptor = descriptor
        self.client = client
        since = now
        outputSince = now
    }

    /// Room that an idle connection keeps for the next request.
    private static let inputBytesKept = 2_048

    /// Whether all that came was read.
    var isInputEmpty: Bool { inputStart == input.count }

    /// Output begins to be sent, or its phase begins.
    func beginOutput(at now: Int64) {
        since = now
        outputSince = now
    }

    /// Forgets what was read.
    func dropReadInput() {
        if isInputEmpty {
            input.removeAll(keepingCapacity: input.capacity <= Self.inputBytesKept)
        } else {
            input.removeFirst(inputStart)
        }
        inputStart = 0
    }

    /// What a connection keeps for the next request, it keeps no longer: many may be open and
    /// silent, and what is kept may be many times as long as the request was.
    private static let keptMilliseconds: Int64 = 1_000

    /// Lets go of what would make the next request quicker, if it has not come for a while.
    func releaseIfIdle(at now: Int64) {
        guard case .head = phase, isInputEmpty, now - since >= Self.keptMilliseconds else { return }
        known = nil
        dropReadInput()
    }

    /// The answer is over; a second call does nothing.
    func endAnswer(isWhole: Bool) {
        notice?.tell(isWhole: isWhole)
        notice = nil
        if let (answer, note) = begun { answer.end(note, isWhole: isWhole) }
        begun = nil
    }

    /// Whether its time is over.
    ///
    /// - Parameters:
    ///   - now: on the loop's clock, in milliseconds.
    ///   - limits: of the server.
    /// - Returns: whether it is to be closed.
    func isOverdue(at now: Int64, _ limits: HTTPServer.Configuration) -> Bool {
        let idle = Int64(max(1, limits.idleTimeoutSeconds)) * 1_000
        let request = Int64(max(1, limits.requestSecondsMax)) * 1_000
        switch phase {
        case .head: return now - since > (hasServed && isInputEmpty ? idle : request)
        case .body: return now - since > request
        // A stream may sleep as long as it likes, but not be refused for long.
        case .streaming where output.isEmpty: return false
        case .sending, .streaming:
            return now - since > idle || now - outputSince > idle + sendingTime(limits)
        case .draining: return now - since > Self.drainMilliseconds
        case .waiting, .closed: return false
        }
    }

    /// How long all of the output takes at the least rate, in milliseconds: whoever takes a byte a
    /// minute would keep it here for ever.
    private func sendingTime(_ limits: HTTPServer.Configuration) -> Int64 {
        Int64(output.byteCount) * 1_000 / Int64(max(1, limits.sentBytesPerSecondMin))
    }

    /// How long a client has to take its last answer in before the connection is closed.
    private static let drainMilliseconds: Int64 = 2_000
}

/// What is on its way out: bytes of its own, bytes that others share, and an end.
struct Output {
    var head: [UInt8] = []
    var body: [UInt8] = []
    var tail: [UInt8] = []
    /// How many of all of them were sent.
    var sentCount = 0

    /// How many there are, those that were sent included.
    var byteCount: Int { head.count + body.count + tail.count }

    var isEmpty: Bool { sentCount == byteCount }

    /// Lets go of the bytes, keeping room for the next head.
    mutating func clear() {
        head.removeAll(keepingCapacity: head.capacity <= 2_048)
        body = []
        tail = []
        sentCount = 0
    }
}
