import Domain
import FoundationEssentials
import Synchronization

/// Where time, randomness and ids come from in the running program; everybody else is handed them.
enum SystemSources {
    /// The local wall clock.
    static func now() -> Timestamp {
        // A Double of seconds is exact to a quarter of a microsecond in this century.
        Timestamp(microseconds: Int64((Date().timeIntervalSince1970 * 1_000_000).rounded()))
    }

    /// A clock that never goes back, since this call.
    static func uptime(of clock: ContinuousClock) -> @Sendable () -> Duration {
        let start = clock.now
        return { clock.now - start }
    }

    /// Uniformly random bits.
    static func random() -> UInt64 { .random(in: .min ... .max) }

    /// Random bytes of the system, fit for keys.
    static func randomBytes(_ count: Int) -> [UInt8] {
        (0..<count).map { _ in .random(in: .min ... .max) }
    }

    /// A short id that no other start of a process has: the first part of every revision.
    static func epoch() -> String { id(length: 6) }

    /// A name for this process that no other has, on whichever machine.
    static func instanceName() -> String {
        let process = ProcessInfo.processInfo
        return "\(process.hostName):\(process.processIdentifier):\(id(length: 6))"
    }

    /// Names one request in answers and logs.
    ///
    /// Different at each call, for 2^60 calls: a count whose bits are mixed, from a random start.
    /// The system is asked for randomness once and not for every request.
    static func requestID() -> String {
        var bits = requestCount.wrappingAdd(1, ordering: .relaxed).newValue
        // Steps that can be undone, each within 60 bits: no two counts come to one name.
        let mask: UInt64 = 1 << 60 - 1
        bits = bits & mask
        bits = (bits ^ bits >> 31) &* 0x9E37_79B9_7F4A_7C15 & mask
        bits = (bits ^ bits >> 29) &* 0xBF58_476D_1CE4_E5B9 & mask
        return letters(of: bits ^ bits >> 32, count: 12)
    }

    private static let requestCount = Atomic<UInt64>(random())

    /// Five random bits a letter: at most 12 letters.
    private static func id(length: Int) -> String { letters(of: random(), count: length) }

    private static func letters(of bits: UInt64, count: Int) -> String {
        String(
            decoding: (0..<count).map { idLetters[Int(bits >> ($0 * 5) & 31)] },
            as: UTF8.self
        )
    }

    private static let idLetters = Array("0123456789abcdefghjkmnpqrstvwxyz".utf8)
}
