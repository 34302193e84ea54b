import DataSourceContracts

/// The time in a trade's id on the stream of API 2.x.
///
/// Ids of REST are the time in Unix milliseconds times 10,000, and a number. On the stream they are
/// the milliseconds since ``epoch``, and 25 bits; before 2025-09-16 they were as in REST. Both
/// count the same time, by which REST and stream are joined.
enum StreamTradeID {
    /// 2025-09-16 00:00 in Seoul, in Unix milliseconds.
    private static let epoch: Int64 = 1_757_948_400_000
    private static let counterBits: Int64 = 25
    private static let idsPerMillisecond: Int64 = 10_000
    /// How far the time in an id is from that of its frame at most; a greater distance means that
    /// the id is made otherwise.
    private static let distanceMax: UInt64 = 1_000

    /// When a trade happened, in Unix milliseconds: by its id, or by its frame if the id has no
    /// plausible time.
    static func milliseconds(of trade: MarketTradeDTO) -> Int64 {
        guard let id = trade.sequentialID, id > 0 else { return trade.atMilliseconds }
        let times = [epoch + (id >> counterBits), id / idsPerMillisecond]
        return times.first { ($0 - trade.atMilliseconds).magnitude <= distanceMax }
            ?? trade.atMilliseconds
    }
}
