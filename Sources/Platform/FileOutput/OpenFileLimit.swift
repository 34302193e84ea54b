import Glibc

/// The limit of open files and sockets of this process.
public struct OpenFileLimit: Sendable, Hashable {
    /// The current (soft) limit.
    public let limit: Int
    /// The hard limit.
    public let limitMax: Int

    /// Makes a value.
    public init(limit: Int, limitMax: Int) {
        self.limit = limit
        self.limitMax = limitMax
    }

    /// Reads the limits; nil if the system call fails.
    public static func current() -> OpenFileLimit? {
        read().map { OpenFileLimit(limit: clamped($0.rlim_cur), limitMax: clamped($0.rlim_max)) }
    }

    /// Raises the soft limit to the hard limit.
    ///
    /// - Returns: the limits afterwards; nil if the system call fails.
    public static func raise() -> OpenFileLimit? {
        guard var limits = read() else { return nil }
        if limits.rlim_cur < limits.rlim_max {
            limits.rlim_cur = limits.rlim_max
            // Safe: the call only reads the structure. If it fails, the old limit stays in force.
            _ = unsafe setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limits)
        }
        return current()
    }

    private static func read() -> rlimit? {
        var limits = rlimit()
        // Safe: the call fills the structure it is given, nothing else.
        let result = unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limits)
        return result == 0 ? limits : nil
    }

    private static func clamped(_ limit: rlim_t) -> Int { Int(clamping: limit) }
}
