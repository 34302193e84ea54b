import Domain

/// How far the exchange's clock is ahead of the local one, from the time of the newest listing.
struct ExchangeClockLead: Sendable, Hashable {
    private var listedAt: Timestamp?
    private var uptime = Duration.zero

    /// Takes the time of a listing.
    ///
    /// - Parameters:
    ///   - lead: how far the listing is ahead of the local clock; counts as zero if it is behind,
    ///     which looks the same as a slow response.
    ///   - receivedAt: the local time.
    ///   - uptime: the time since some moment, of a clock that is never set.
    mutating func note(_ lead: Duration, receivedAt: Timestamp, uptime: Duration) {
        listedAt = receivedAt.advanced(by: max(lead, .zero))
        self.uptime = uptime
    }

    /// The lead now.
    ///
    /// A local clock that was set since then, back or forward, is behind by so much more or less:
    /// with the old lead, what arrives would be of the far future, or requests would seem to be.
    func value(at now: Timestamp, uptime: Duration) -> Duration {
        guard let listedAt else { return .zero }
        return max(.zero, listedAt.advanced(by: uptime - self.uptime).duration(since: now))
    }
}
