extension MarketListViewState: StreamedState {
    /// What a patch may change, by its path.
    public static var patchPaths: PatchPaths<Self> {
        var paths = PatchPaths<Self>()
        paths.value("health") { $0.health = $1 }
        paths.value("query") { $0.query = $1 }
        paths.value("total") { $0.total = $1 }
        paths.value("filtered") { $0.filtered = $1 }
        paths.value("skipped") { $0.skipped = $1 }
        paths.value("missing") { $0.missing = $1 }
        paths.value("emptyReason") { $0.emptyReason = $1 }
        paths.rows("rows", newRows: .last, key: \MarketRowViewState.market) { $1(&$0.rows) }
        return paths
    }

    /// Divides the list: each row by its market, and every other member whole.
    public func write(to pieces: inout PartWriter, after old: Self?) {
        writeHead(to: &pieces, after: old)
        pieces.rows(
            "rows",
            rows,
            old?.rows,
            newRows: .last,
            id: \.market,
            key: { $0 },
            { json, row in row.write(to: &json) }
        )
    }

    /// Divides everything but the rows.
    func writeHead(to pieces: inout PartWriter, after old: Self?) {
        pieces.value("health", health, old?.health) { $1.write(to: &$0) }
        pieces.value("query", query, old?.query) { $1.write(to: &$0) }
        pieces.value("total", total, old?.total) { $0.integer($1) }
        pieces.value("filtered", filtered, old?.filtered) { $0.integer($1) }
        pieces.value("skipped", skipped, old?.skipped) { $0.integer($1) }
        pieces.value("missing", missing, old?.missing) { json, names in
            json.array(names) { $0.string($1) }
        }
        pieces.value("emptyReason", emptyReason, old?.emptyReason) { json, reason in
            json.optional(reason) { $0.string($1.rawValue) }
        }
    }
}
