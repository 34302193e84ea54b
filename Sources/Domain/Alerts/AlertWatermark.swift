/// Finds the alerts that are new in a user's record, each once.
///
/// The alerts of the first record are old: they were there before anybody watched.
public struct AlertWatermark: Sendable, Hashable {
    /// The number of the newest alert so far; nil before the first record.
    public private(set) var number: Int64?

    /// Waits for the first record.
    public init() {}

    /// The alerts that one record has and those before it had not.
    public struct News: Sendable, Hashable {
        /// The new alerts that the record still holds, newest first.
        public var alerts: [LoggedAlert]
        /// The number of new alerts, more than ``alerts`` if more fired than a record holds.
        public var count: Int
    }

    /// Takes the alerts of a record.
    ///
    /// A record that is older than one before has no new alerts, and nothing in it becomes new
    /// again.
    ///
    /// - Returns: the new alerts; nil if there are none.
    public mutating func advance(to alerts: UserAlerts) -> News? {
        let newest = alerts.log.first?.number ?? 0
        guard let last = number else {
            number = newest
            return nil
        }
        guard newest > last else { return nil }
        number = newest
        let fresh = Array(alerts.log.prefix { $0.number > last })
        // A record that holds no old alert may have dropped some of the new ones.
        let isCut = fresh.count == alerts.log.count && fresh.count >= UserAlerts.logRowsMax
        return News(alerts: fresh, count: isCut ? Int(newest - last) : fresh.count)
    }
}
