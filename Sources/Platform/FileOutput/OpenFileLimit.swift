import Glibc

/// How many files and sockets this process may have open.
public struct OpenFileLimit: Sendable, Hashable {
    /// How many it may have now.
    public let limit: Int
    /// How many it could allow itself.
    public let limitMax: Int

    /// Makes a value.
    public init(limit: Int, limitMax: Int) {
        self.limit = limit
        self.limitMax = limitMax
    }

    /// What the system says; nil if it says nothing.
    public static func current() -> OpenFileLimit? {
        read().map { OpenFileLimit(limit: clamped($0.rlim_cur), limitMax: clamped($0.rlim_max)) }
    }

    /// Allows this process as many as it may allow itself.
    ///
    /// - Returns: what is in force then; nil if the system says nothing.
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
