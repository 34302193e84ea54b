import DataSourceContracts
import Domain

/// Blocks of past candles of one feed that were read before, for readers that come back, and the
/// rows of blocks whose reading failed before its end.
///
/// Holds at most ``blocksMax`` blocks and ``unfinishedMax`` unfinished ones; the one used longest
/// ago goes first. The candles of a block do not change any more. A market's beginning is not
/// cached, so that a wrong one does not stay.
struct PastCandleCache: Sendable {
    /// The most blocks: 15 MB with 600 candles each.
    static let blocksMax = 256
    /// The most unfinished blocks: more than are read at a time.
    static let unfinishedMax = 16

    /// The feed whose candles it holds; nil before it is known.
    private(set) var feed: FeedKind?

    private struct Key: Hashable {
        var market: MarketID
        var block: CandleBlock
    }

    private var pages: [Key: (page: CandleBlockPage, usedAt: Int)] = [:]
    private var unfinished: [(key: Key, rows: CandlesDTO)] = []
    private var uses = 0

    /// Sets the feed; blocks of another one are discarded.
    mutating func follow(_ feed: FeedKind) {
        guard feed != self.feed else { return }
        self.feed = feed
        pages = [:]
        unfinished = []
    }

    /// A cached block; nil if it is not cached.
    mutating func page(of market: MarketID, _ block: CandleBlock) -> CandleBlockPage? {
        let key = Key(market: market, block: block)
        guard let page = pages[key]?.page else { return nil }
        uses += 1
        pages[key]?.usedAt = uses
        return page
    }

    /// Keeps a block that was read from a feed, unless another one is followed now.
    mutating func keep(_ page: CandleBlockPage, of feed: FeedKind?) {
        guard feed == self.feed, !page.isBeginning else { return }
        uses += 1
        pages[Key(market: page.market, block: page.block)] = (page, uses)
        guard pages.count > Self.blocksMax else { return }
        let oldest = pages.min { $0.value.usedAt < $1.value.usedAt }
        if let oldest { pages[oldest.key] = nil }
    }

    /// Removes the rows of an unfinished block; nil if there are none.
    mutating func takeUnfinished(of market: MarketID, _ block: CandleBlock) -> CandlesDTO? {
        let key = Key(market: market, block: block)
        guard let index = unfinished.firstIndex(where: { $0.key == key }) else { return nil }
        return unfinished.remove(at: index).rows
    }

    /// Keeps the rows of a block whose later pages failed, as ``keep(_:of:)`` does.
    mutating func keep(
        unfinished rows: CandlesDTO,
        of market: MarketID,
        _ block: CandleBlock,
        _ feed: FeedKind?
    ) {
        guard feed == self.feed else { return }
        unfinished.append((Key(market: market, block: block), rows))
        if unfinished.count > Self.unfinishedMax { unfinished.removeFirst() }
    }
}
