extension MarketDetailViewState: StreamedState {
    /// What a patch may change, by its path.
    public static var patchPaths: PatchPaths<Self> {
        var paths = PatchPaths<Self>()
        paths.part("header", DetailHeaderViewState.patchPaths, \.header)
        paths.part("orderBook", OrderBookViewState.patchPaths, \.orderBook)
        paths.part("trades", TradesViewState.patchPaths, \.trades)
        paths.part("chart", ChartViewState.patchPaths, \.chart)
        return paths
    }

    /// Divides each of the four blocks.
    public func write(to pieces: inout PartWriter, after old: Self?) {
        pieces.part("header", header, old?.header) { $1.write(to: &$0, after: $2) }
        pieces.part("orderBook", orderBook, old?.orderBook) { $1.write(to: &$0, after: $2) }
        pieces.part("trades", trades, old?.trades) { $1.write(to: &$0, after: $2) }
        pieces.part("chart", chart, old?.chart) { $1.write(to: &$0, after: $2) }
    }
}

extension MarketBlockViewState: PatchableState, StreamedState {
    /// What a patch may change, by its path.
    public static var patchPaths: PatchPaths<Self> {
        var paths = PatchPaths<Self>()
        paths.value("market") { $0.market = $1 }
        paths.part("", Block.patchPaths, \.block)
        return paths
    }

    /// Divides the block, whose members stand beside the market.
    public func write(to pieces: inout PartWriter, after old: Self?) {
        pieces.value("market", market, old?.market) { $0.string($1) }
        block.write(to: &pieces, after: old?.block)
    }
}

extension SnapshotViewState: StreamedState {
    /// What a patch may change, by its path.
    public static var patchPaths: PatchPaths<Self> {
        var paths = PatchPaths<Self>()
        paths.optionalPart(
            MarketListViewState.schemaName,
            MarketListViewState.patchPaths,
            \.marketList
        )
        paths.optionalPart(
            MarketDetailViewState.schemaName,
            MarketDetailViewState.patchPaths,
            \.marketDetail
        )
        paths.optionalPart(AssetsViewState.schemaName, AssetsViewState.patchPaths, \.assets)
        paths.optionalPart(
            PortfolioViewState.schemaName,
            PortfolioViewState.patchPaths,
            \.portfolio
        )
        return paths
    }

    /// Divides each of the documents.
    public func write(to pieces: inout PartWriter, after old: Self?) {
        if let marketList {
            pieces.part(MarketListViewState.schemaName, marketList, old?.marketList) {
                $1.write(to: &$0, after: $2)
            }
        }
        if let marketDetail {
            pieces.part(MarketDetailViewState.schemaName, marketDetail, old?.marketDetail) {
                $1.write(to: &$0, after: $2)
            }
        }
        if let assets {
            pieces.part(AssetsViewState.schemaName, assets, old?.assets) {
                $1.write(to: &$0, after: $2)
            }
        }
        if let portfolio {
            pieces.part(PortfolioViewState.schemaName, portfolio, old?.portfolio) {
                $1.write(to: &$0, after: $2)
            }
        }
    }
}
