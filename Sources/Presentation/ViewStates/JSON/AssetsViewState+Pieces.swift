extension AssetsViewState: StreamedState {
    /// What a patch may change, by its path.
    public static var patchPaths: PatchPaths<Self> {
        var paths = PatchPaths<Self>()
        paths.value("health") { $0.health = $1 }
        paths.value("query") { $0.query = $1 }
        paths.value("counts") { $0.counts = $1 }
        paths.rows("rows", newRows: .last, key: \Row.asset) { $1(&$0.rows) }
        return paths
    }

    /// Divides the list: each row by its coin, and every other member whole.
    public func write(to pieces: inout PartWriter, after old: Self?) {
        pieces.value("health", health, old?.health) { $1.write(to: &$0) }
        pieces.value("query", query, old?.query) { $1.write(to: &$0) }
        pieces.value("counts", counts, old?.counts) { $1.write(to: &$0) }
        pieces.rows(
            "rows",
            rows,
            old?.rows,
            newRows: .last,
            id: \.asset,
            key: { $0 },
            { json, row in row.write(to: &json) }
        )
    }
}
