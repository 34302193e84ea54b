import Domain
import FoundationEssentials

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
    static func requestID() -> String { id(length: 12) }

    /// Five random bits a letter: at most 12 letters.
    private static func id(length: Int) -> String {
        let bits = random()
        return String(
            decoding: (0..<length).map { idLetters[Int(bits >> ($0 * 5) & 31)] },
            as: UTF8.self
        )
    }

    private static let idLetters = Array("0123456789abcdefghjkmnpqrstvwxyz".utf8)
}
