extension MarketDetailViewState: StreamedState {
    /// What a patch may change, by its path.
    public static var patchedPaths: PatchedPaths<Self> {
        var paths = PatchedPaths<Self>()
        paths.part("header", DetailHeaderViewState.patchedPaths, \.header)
        paths.part("orderBook", OrderBookViewState.patchedPaths, \.orderBook)
        paths.part("trades", TradesViewState.patchedPaths, \.trades)
        paths.part("chart", ChartViewState.patchedPaths, \.chart)
        return paths
    }

    /// Divides each of the four blocks.
    public func write(to pieces: inout PieceWriter, after old: Self?) {
        pieces.part("header", header, old?.header) { $1.write(to: &$0, after: $2) }
        pieces.part("orderBook", orderBook, old?.orderBook) { $1.write(to: &$0, after: $2) }
        pieces.part("trades", trades, old?.trades) { $1.write(to: &$0, after: $2) }
        pieces.part("chart", chart, old?.chart) { $1.write(to: &$0, after: $2) }
    }
}

extension MarketBlockViewState: PatchedState, StreamedState {
    /// What a patch may change, by its path.
    public static var patchedPaths: PatchedPaths<Self> {
        var paths = PatchedPaths<Self>()
        paths.value("market") { $0.market = $1 }
        paths.part("", Block.patchedPaths, \.block)
        return paths
    }

    /// Divides the block, whose members stand beside the market.
    public func write(to pieces: inout PieceWriter, after old: Self?) {
        pieces.value("market", market, old?.market) { $0.string($1) }
        block.write(to: &pieces, after: old?.block)
    }
}

extension SnapshotViewState: StreamedState {
    /// What a patch may change, by its path.
    public static var patchedPaths: PatchedPaths<Self> {
        var paths = PatchedPaths<Self>()
        paths.optionalPart(
            MarketListViewState.schemaName,
            MarketListViewState.patchedPaths,
            \.marketList
        )
        paths.optionalPart(
            MarketDetailViewState.schemaName,
            MarketDetailViewState.patchedPaths,
            \.marketDetail
        )
        paths.optionalPart(AssetsViewState.schemaName, AssetsViewState.patchedPaths, \.assets)
        paths.optionalPart(
            PortfolioViewState.schemaName,
            PortfolioViewState.patchedPaths,
            \.portfolio
        )
        return paths
    }

    /// Divides each of the documents.
    public func write(to pieces: inout PieceWriter, after old: Self?) {
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
