extension PortfolioViewState: StreamedState {
    /// What a patch may change, by its path.
    public static var patchPaths: PatchPaths<Self> {
        var paths = PatchPaths<Self>()
        paths.value("health") { $0.health = $1 }
        paths.value("user") { $0.user = $1 }
        paths.value("cash") { $0.cash = $1 }
        paths.rows("rows", newRows: .last, key: \Row.asset) { $1(&$0.rows) }
        paths.value("totals") { $0.totals = $1 }
        paths.value("unvalued") { $0.unvalued = $1 }
        return paths
    }

    /// Divides the portfolio: each row by its coin, and every other member whole.
    public func write(to pieces: inout PartWriter, after old: Self?) {
        pieces.value("health", health, old?.health) { $1.write(to: &$0) }
        pieces.value("user", user, old?.user) { $1.write(to: &$0) }
        pieces.value("cash", cash, old?.cash) { $1.write(to: &$0) }
        pieces.rows(
            "rows",
            rows,
            old?.rows,
            newRows: .last,
            id: \.asset,
            key: { $0 },
            { json, row in row.write(to: &json) }
        )
        pieces.value("totals", totals, old?.totals) { $1.write(to: &$0) }
        pieces.value("unvalued", unvalued, old?.unvalued) { json, assets in
            json.array(assets) { $0.string($1) }
        }
    }
}
