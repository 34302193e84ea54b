internal import Synchronization

/// What is known of one connection: where it stands, changed by the connection's thread without a
/// lock and looked at by the sweep, and what it asked last.
final class ConnectionRecord: Sendable {
    /// Where a connection stands between its requests.
    enum Phase: UInt64 {
        /// The first header is awaited.
        case firstHeader
        /// A further request is awaited, or its header is arriving.
        case nextHeader
        /// The header is complete and the body is arriving.
        case body
        /// The request is complete: its answer is being made or sent, or HTTP has been left.
        case answer
    }

    let descriptor: Int32
    /// What its last request began with; looked at only by the connection's thread.
    let lastHead = Mutex(LastHead())
    /// The phase in the lowest two bits, above them the number of changes: equal words mean that
    /// nothing happened in between.
    private let word = Atomic<UInt64>(Phase.firstHeader.rawValue)
    private static let phaseBits: UInt64 = 2

    init(descriptor: Int32) {
        self.descriptor = descriptor
    }

    /// Enters a phase; called only by the connection's thread.
    func enter(_ phase: Phase) {
        let changes = (word.load(ordering: .relaxed) >> Self.phaseBits) &+ 1
        word.store(changes << Self.phaseBits | phase.rawValue, ordering: .relaxed)
    }

    /// The phase and a mark that differs whenever a phase was entered anew.
    var state: (phase: Phase, mark: UInt64) {
        let mark = word.load(ordering: .relaxed)
        let bits = mark & (1 << Self.phaseBits - 1)
        return (Phase(rawValue: bits) ?? .answer, mark)
    }
}
