extension MarketDetailViewState {
    /// The sum of the blocks'.
    public var estimatedJSONSize: Int {
        4_096 + orderBook.estimatedJSONSize + trades.estimatedJSONSize + chart.estimatedJSONSize
    }

    /// Writes the four blocks.
    public func write(to json: inout JSONWriter) {
        json.object { json in
            json.key("header")
            header.write(to: &json)
            json.key("orderBook")
            json.object { orderBook.writeMembers(to: &$0) }
            json.key("trades")
            json.object { trades.writeMembers(to: &$0) }
            json.key("chart")
            json.object { chart.writeMembers(to: &$0) }
        }
    }
}

extension MarketBlockViewState {
    /// That of the block.
    public var estimatedJSONSize: Int { 64 + block.estimatedJSONSize }

    /// Writes the market and the block's own keys side by side.
    public func write(to json: inout JSONWriter) {
        json.object { json in
            json.string("market", market)
            block.writeMembers(to: &json)
        }
    }
}

extension SnapshotViewState {
    /// The sum of the documents'.
    public var estimatedJSONSize: Int {
        (marketList?.estimatedJSONSize ?? 0) + (marketDetail?.estimatedJSONSize ?? 0)
            + (assets?.estimatedJSONSize ?? 0) + (portfolio?.estimatedJSONSize ?? 0)
    }

    /// Writes the states that were asked for, each under its document's name.
    public func write(to json: inout JSONWriter) {
        json.object { json in
            if let marketList {
                json.key(MarketListViewState.schemaName)
                marketList.write(to: &json)
            }
            if let marketDetail {
                json.key(MarketDetailViewState.schemaName)
                marketDetail.write(to: &json)
            }
            if let assets {
                json.key(AssetsViewState.schemaName)
                assets.write(to: &json)
            }
            if let portfolio {
                json.key(PortfolioViewState.schemaName)
                portfolio.write(to: &json)
            }
        }
    }
}
