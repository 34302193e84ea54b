import Domain

/// Logs the state changes of a feed.
struct LoggedFeed: MarketFeedRepository {
    let feed: any MarketFeedRepository
    let log: any Log

    func run(deliver: @escaping @Sendable (MarketEventBatch) async -> FeedStatus) async {
        await feed.run { batch in
            for case .feed(let event) in batch.events { Self.write(event, to: log) }
            return await deliver(batch)
        }
    }

    func reload() { feed.reload() }

    private static func write(_ event: FeedEvent, to log: any Log) {
        switch event {
        case .identified(let kind): log.write(.info, "feed", [.word("kind", kind.rawValue)])
        case .reads(let api): log.write(.info, "feed reads", [.word("api", api.rawValue)])
        case .uses(let apis):
            for use in apis {
                guard let leave = use.leave else { continue }
                log.write(
                    .warning,
                    "API left",
                    [
                        .word("api", use.api.rawValue), .word("code", leave.failure.code.rawValue),
                        .text("detail", leave.failure.detail),
                    ]
                )
            }
        case .subscribed: log.write(.info, "feed subscribed")
        case .live: log.write(.info, "feed live")
        case .stale: log.write(.warning, "feed stale")
        case .reconnecting(let attempt, _, let failure):
            log.write(
                .warning,
                "feed reconnecting",
                [
                    .number("attempt", attempt), .word("code", failure.code.rawValue),
                    .text("detail", failure.detail),
                ]
            )
        case .listingFailed(let failure, _):
            log.write(
                .warning,
                "listing failed",
                [.word("code", failure.code.rawValue), .text("detail", failure.detail)]
            )
        case .ended: log.write(.info, "feed ended")
        }
    }
}
