import WebSocketFraming

/// Stream frames encoded once for all connections.
///
/// Frames of a server are not masked, so all connections get the same bytes. A batch holds one step
/// of the model and is consumed before the next.
struct FrameBatch: ~Copyable {
    /// One frame of the batch.
    struct Frame {
        /// The offset after its last byte.
        var end: Int
        /// How many bytes before the end are its message.
        var payloadBytes = 0
        /// The index of its market.
        var market: Int
        var kind: FrameKinds
        /// The part of an order book of API 2.x; nil for all other frames.
        var view: BookView?
        var isBroken: Bool
    }

    private(set) var bytes: [UInt8] = []
    private(set) var frames: [Frame] = []

    private var framer: WebSocketFramer
    private var end = 0
    private var framesSeen = 0
    private var faults = FaultSet()
    private var hasBreakage = false

    private let isBinary: Bool

    init(isBinary: Bool = false) {
        self.isBinary = isBinary
        framer = WebSocketFramer(role: .server, messageBytesMax: 1, outputBytesMax: .max)
    }

    /// Clears the batch; broken frames are added according to `faults`.
    mutating func begin(with faults: FaultSet) {
        bytes = []
        frames.removeAll(keepingCapacity: true)
        end = 0
        self.faults = faults
        hasBreakage =
            faults.isOn(.truncatedJSON) || faults.isOn(.wrongTypes)
            || faults.isOn(.unknownSymbols)
    }

    /// Adds a message.
    mutating func append(
        _ payload: [UInt8],
        market: Int,
        kind: FrameKinds,
        view: BookView? = nil
    ) {
        queue(payload, Frame(end: 0, market: market, kind: kind, view: view, isBroken: false))
        guard hasBreakage else { return }
        framesSeen += 1
        let broken = Frame(end: 0, market: market, kind: kind, view: view, isBroken: true)
        if isTurn(of: .truncatedJSON) { queue(MessageCorruption.truncated(payload), broken) }
        if isTurn(of: .wrongTypes) { queue(MessageCorruption.wrongTypes(payload), broken) }
        if isTurn(of: .unknownSymbols) { queue(MessageCorruption.unknownSymbol(payload), broken) }
    }

    /// Makes the bytes; nothing can be appended afterwards.
    mutating func finish() {
        bytes = framer.takeOutput()
    }

    private func isTurn(of kind: SimulatorFault.Kind) -> Bool {
        faults.every(kind).map { framesSeen % $0 == 0 } ?? false
    }

    private mutating func queue(_ payload: [UInt8], _ frame: Frame) {
        do throws(WebSocketError) {
            if isBinary {
                try framer.queueBinary(payload.span)
            } else {
                try framer.queueText(payload.span)
            }
        } catch {
            preconditionFailure("an encoder without a limit refused a frame: \(error)")
        }
        end += Self.headerBytes(payload.count) + payload.count
        var frame = frame
        frame.end = end
        frame.payloadBytes = payload.count
        frames.append(frame)
    }

    /// The length of an unmasked header: RFC 6455, section 5.2.
    private static func headerBytes(_ payloadBytes: Int) -> Int {
        payloadBytes < 126 ? 2 : (payloadBytes < 65_536 ? 4 : 10)
    }
}
