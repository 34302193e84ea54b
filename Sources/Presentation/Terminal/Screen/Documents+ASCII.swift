public import Presentation

extension MarketRowViewState.Name {
    /// The name without what has no form in ASCII.
    var inASCII: MarketRowViewState.Name {
        var name = self
        name.ko = nil
        if let english = name.en, !TextWidth.isPrintableASCII(english) { name.en = nil }
        return name
    }
}

extension Document<MarketListViewState> {
    /// The list with those names alone that ASCII can show.
    public var inASCII: Self {
        var document = self
        for index in document.state.rows.indices {
            document.state.rows[index].name = document.state.rows[index].name.inASCII
        }
        return document
    }
}

extension Document<AssetsViewState> {
    /// Deposits and withdrawals with those names alone that ASCII can show.
    public var inASCII: Self {
        var document = self
        for index in document.state.rows.indices {
            document.state.rows[index].name = document.state.rows[index].name.inASCII
        }
        return document
    }
}

extension Document<PortfolioViewState> {
    /// The holdings with those names alone that ASCII can show.
    public var inASCII: Self {
        var document = self
        for index in document.state.rows.indices {
            document.state.rows[index].name = document.state.rows[index].name.inASCII
        }
        return document
    }
}

extension Document<MarketDetailViewState> {
    /// The market with its name, if ASCII can show it.
    public var inASCII: Self {
        var document = self
        document.state.header.name = document.state.header.name.inASCII
        return document
    }
}
