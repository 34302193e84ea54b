import Domain

/// Blocks of past candles that were read before, for readers that come back.
///
/// Holds at most ``blocksMax`` blocks; the one used longest ago goes first. Their candles do not
/// change any more.
struct PastCandleCache: Sendable {
    /// The most blocks: 15 MB with 600 candles each.
    static let blocksMax = 256

    private struct Key: Hashable {
        var market: MarketID
        var block: CandleBlock
    }

    private var pages: [Key: (page: CandleBlockPage, usedAt: Int)] = [:]
    private var uses = 0

    /// A cached block; nil if it is not cached.
    mutating func page(of market: MarketID, _ block: CandleBlock) -> CandleBlockPage? {
        let key = Key(market: market, block: block)
        guard let page = pages[key]?.page else { return nil }
        uses += 1
        pages[key]?.usedAt = uses
        return page
    }

    /// Keeps a block.
    mutating func keep(_ page: CandleBlockPage) {
        uses += 1
        pages[Key(market: page.market, block: page.block)] = (page, uses)
        guard pages.count > Self.blocksMax else { return }
        let oldest = pages.min { $0.value.usedAt < $1.value.usedAt }
        if let oldest { pages[oldest.key] = nil }
    }
}
