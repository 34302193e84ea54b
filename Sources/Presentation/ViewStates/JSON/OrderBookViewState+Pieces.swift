extension OrderBookViewState {
    /// What a patch may change, by its path.
    public static var patchPaths: PatchPaths<Self> {
        var paths = PatchPaths<Self>()
        paths.value("health") { $0.health = $1 }
        paths.value("depth") { $0.depth = $1 }
        paths.value("group") { $0.group = $1 }
        paths.value("levelsKept") { $0.levelsKept = $1 }
        paths.value("crossed") { $0.crossed = $1 }
        paths.value("heals") { $0.heals = $1 }
        paths.value("asks") { $0.asks = $1 }
        paths.value("bids") { $0.bids = $1 }
        paths.value("best") { $0.best = $1 }
        paths.value("spread") { $0.spread = $1 }
        paths.value("spreadText") { $0.spreadText = $1 }
        paths.value("mid") { $0.mid = $1 }
        paths.value("totals") { $0.totals = $1 }
        return paths
    }

    /// Divides the book: each member whole, its sides too.
    public func write(to pieces: inout PartWriter, after old: Self?) {
        pieces.value("health", health, old?.health) { $1.write(to: &$0) }
        pieces.value("depth", depth, old?.depth) { $0.integer($1) }
        pieces.value("group", group, old?.group) { $0.optionalDecimal($1) }
        pieces.value("levelsKept", levelsKept, old?.levelsKept) { $0.integer($1) }
        pieces.value("crossed", crossed, old?.crossed) { $0.boolean($1) }
        pieces.value("heals", heals, old?.heals) { $0.integer($1) }
        pieces.value("asks", asks, old?.asks) { json, levels in
            json.array(levels) { json, level in level.write(to: &json) }
        }
        pieces.value("bids", bids, old?.bids) { json, levels in
            json.array(levels) { json, level in level.write(to: &json) }
        }
        pieces.value("best", best, old?.best) { $1.write(to: &$0) }
        pieces.value("spread", spread, old?.spread) { $0.optionalDecimal($1) }
        pieces.value("spreadText", spreadText, old?.spreadText) { $0.optionalString($1) }
        pieces.value("mid", mid, old?.mid) { $0.optionalDecimal($1) }
        pieces.value("totals", totals, old?.totals) { $1.write(to: &$0) }
    }
}
