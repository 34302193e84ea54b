extension Duration {
    /// The time in milliseconds, rounded up and held within what libcurl's options take.
    var wholeMilliseconds: Int {
        let (seconds, attoseconds) = components
        let (product, overflow) = seconds.multipliedReportingOverflow(by: 1_000)
        guard !overflow, let whole = Int32(exactly: product) else {
            return seconds < 0 ? Int(Int32.min) : Int(Int32.max)
        }
        let attosecondsPerMillisecond: Int64 = 1_000_000_000_000_000
        let rest = attoseconds / attosecondsPerMillisecond
        let isExact = attoseconds % attosecondsPerMillisecond == 0
        return Int(whole) + Int(rest) + (isExact || attoseconds < 0 ? 0 : 1)
    }
}
