extension ScreenState {
    /// The detail that has the keys; nil while a page has them.
    public var frontDetail: MarketDetailScreenState? { isListInFront ? nil : detail }

    /// Whether the list and an open market stand beside one another.
    ///
    /// Only the list has a market beside it: over the other pages a market lies alone.
    public var isSplit: Bool { detail != nil && page == .market && roomBesideList != nil }

    /// The detail that is seen, whether it has the keys or not.
    public var seenDetail: MarketDetailScreenState? { isSplit ? detail : frontDetail }

    /// Whether the list is seen, whether it has the keys or not.
    var isListSeen: Bool { page == .market && (frontDetail == nil || isSplit) }

    /// Gives the panes of the open market the room that they have where they stand.
    mutating func fitDetail() {
        let present = isSplit ? roomBesideList ?? room : room
        if let detail, detail.room != present { self.detail?.room = present }
    }
}
