extension TradesViewState {
    /// What a patch may change, by its path.
    public static var patchPaths: PatchPaths<Self> {
        var paths = PatchPaths<Self>()
        paths.value("health") { $0.health = $1 }
        paths.rows("rows", newRows: .first, key: \Row.id) { $1(&$0.rows) }
        paths.value("dropped") { $0.dropped = $1 }
        paths.value("gaps") { $0.gaps = $1 }
        return paths
    }

    /// Divides the trades: each by its id, new ones before all others.
    public func write(to pieces: inout PartWriter, after old: Self?) {
        pieces.value("health", health, old?.health) { $1.write(to: &$0) }
        pieces.rows(
            "rows",
            rows,
            old?.rows,
            newRows: .first,
            id: \.id,
            key: { $0 },
            { json, row in row.write(to: &json) }
        )
        pieces.value("dropped", dropped, old?.dropped) { $0.integer($1) }
        pieces.value("gaps", gaps, old?.gaps) { json, gaps in
            json.array(gaps) { json, gap in gap.write(to: &json) }
        }
    }
}
