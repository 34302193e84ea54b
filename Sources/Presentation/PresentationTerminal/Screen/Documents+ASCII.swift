public import ViewStates

/// A view state with names of coins, which a terminal of ASCII alone cannot all show.
public protocol NamesCoins {
    /// The same with those names alone that ASCII can show.
    var inASCII: Self { get }
}

extension Document where State: NamesCoins {
    /// The document with those names alone that ASCII can show.
    public var inASCII: Self {
        var document = self
        document.state = state.inASCII
        return document
    }
}

extension MarketListViewState: NamesCoins {
    /// The list with those names alone that ASCII can show.
    public var inASCII: Self { namesInASCII(rows: \.rows, name: \.name) }
}

extension AssetsViewState: NamesCoins {
    /// Deposits and withdrawals with those names alone that ASCII can show.
    public var inASCII: Self { namesInASCII(rows: \.rows, name: \.name) }
}

extension PortfolioViewState: NamesCoins {
    /// The holdings with those names alone that ASCII can show.
    public var inASCII: Self { namesInASCII(rows: \.rows, name: \.name) }
}

extension MarketDetailViewState: NamesCoins {
    /// The market with its name, if ASCII can show it.
    public var inASCII: Self {
        var view = self
        view.header.name = header.name.inASCII
        return view
    }
}

extension NamesCoins {
    fileprivate func namesInASCII<Row>(
        rows: WritableKeyPath<Self, [Row]>,
        name: WritableKeyPath<Row, MarketRowViewState.Name>
    ) -> Self {
        var view = self
        for index in view[keyPath: rows].indices {
            let shown = view[keyPath: rows][index][keyPath: name].inASCII
            view[keyPath: rows][index][keyPath: name] = shown
        }
        return view
    }
}

extension MarketRowViewState.Name {
    /// The name without what has no form in ASCII.
    fileprivate var inASCII: Self {
        var name = self
        name.ko = nil
        if let english = name.en, !TextWidth.isPrintableASCII(english) { name.en = nil }
        return name
    }
}
