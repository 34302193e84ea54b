import Concurrency
import Domain
import FoundationEssentials
import Synchronization
import UseCases

/// The only source of time, randomness and ids in the program; other code receives them.
enum SystemSources {
    /// The local wall clock, without small steps back, and not ahead of the exchange's.
    static func now() -> Timestamp { clock.now() }

    /// Takes the date of a response of the exchange; see ``SteadyClock/noteExchangeDate(_:took:)``.
    static func noteExchangeDate(_ second: Int64, took: Duration) {
        clock.noteExchangeDate(second, took: took)
    }

    private static let clock = SteadyClock(uptime: ContinuousClock(), wall: wallTime)

    /// The local wall clock, whatever the exchange says: for the validity of tokens, and for the
    /// check of this clock.
    static func wallTime() -> Timestamp {
        // A Double of seconds is exact to a quarter of a microsecond in this century.
        Timestamp(microseconds: Int64((Date().timeIntervalSince1970 * 1_000_000).rounded()))
    }

    /// The time since this call, on a monotonic clock.
    static func uptime(of clock: ContinuousClock) -> @Sendable () -> Duration {
        let stopwatch = Stopwatch(clock)
        return { stopwatch.elapsed }
    }

    /// Uniformly random bits.
    static func random() -> UInt64 { .random(in: .min ... .max) }

    /// Cryptographically random bytes of the system.
    static func randomBytes(_ count: Int) -> [UInt8] {
        (0..<count).map { _ in .random(in: .min ... .max) }
    }

    /// A random id of this process, the first part of every revision.
    static func epoch() -> String { id(length: 6) }

    /// The name of the operating system's user who runs this process; nil if it has none.
    static func userName() -> String? {
        let name = ProcessInfo.processInfo.userName
        return name.isEmpty ? nil : name
    }

    /// A name of this process, unique across machines.
    static func instanceName() -> String {
        let process = ProcessInfo.processInfo
        return "\(process.hostName):\(process.processIdentifier):\(id(length: 6))"
    }

    /// An id for one request in answers and logs, unique for 2^60 calls.
    ///
    /// The id mixes the bits of a counter with a random start, which is cheaper than a random
    /// number for each request.
    static func requestID() -> String {
        var bits = requestCount.wrappingAdd(1, ordering: .relaxed).newValue
        // Each step is a bijection on 60 bits, so different counts give different ids.
        let mask: UInt64 = 1 << 60 - 1
        bits = bits & mask
        bits = (bits ^ bits >> 31) &* 0x9E37_79B9_7F4A_7C15 & mask
        bits = (bits ^ bits >> 29) &* 0xBF58_476D_1CE4_E5B9 & mask
        return letters(of: bits ^ bits >> 32, count: 12)
    }

    private static let requestCount = Atomic<UInt64>(random())

    /// Five random bits per letter, at most 12 letters.
    private static func id(length: Int) -> String { letters(of: random(), count: length) }

    private static func letters(of bits: UInt64, count: Int) -> String {
        String(
            decoding: (0..<count).map { idLetters[Int(bits >> ($0 * 5) & 31)] },
            as: UTF8.self
        )
    }

    private static let idLetters = Array("0123456789abcdefghjkmnpqrstvwxyz".utf8)
}
