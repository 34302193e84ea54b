extension DetailHeaderViewState {
    /// What a patch may change, by its path.
    static var patchPaths: PatchPaths<Self> {
        var paths = PatchPaths<Self>()
        paths.value("health") { $0.health = $1 }
        paths.value("market") { $0.market = $1 }
        paths.value("symbol") { $0.symbol = $1 }
        paths.value("quote") { $0.quote = $1 }
        paths.value("name") { $0.name = $1 }
        paths.value("price") { $0.price = $1 }
        paths.value("priceText") { $0.priceText = $1 }
        paths.value("priceAt") { $0.priceAt = $1 }
        paths.value("priceOrigin") { $0.priceOrigin = $1 }
        paths.value("changePeriod") { $0.changePeriod = $1 }
        paths.value("changeRatePercent") { $0.changeRatePercent = $1 }
        paths.value("changeRateText") { $0.changeRateText = $1 }
        paths.value("changeAmount") { $0.changeAmount = $1 }
        paths.value("changeAmountText") { $0.changeAmountText = $1 }
        paths.value("priceDirection") { $0.priceDirection = $1 }
        paths.value("tickDirection") { $0.tickDirection = $1 }
        paths.value("today") { $0.today = $1 }
        paths.value("rolling24h") { $0.rolling24h = $1 }
        paths.value("tradeStrengthPercent") { $0.tradeStrengthPercent = $1 }
        paths.value("deposit") { $0.deposit = $1 }
        paths.value("withdrawal") { $0.withdrawal = $1 }
        paths.value("marks") { $0.marks = $1 }
        paths.value("sparkline") { $0.sparkline = $1 }
        return paths
    }

    /// Divides the header: each member whole, most of which seldom change.
    func write(to pieces: inout PartWriter, after old: Self?) {
        pieces.value("health", health, old?.health) { $1.write(to: &$0) }
        pieces.value("market", market, old?.market) { $0.string($1) }
        pieces.value("symbol", symbol, old?.symbol) { $0.string($1) }
        pieces.value("quote", quote, old?.quote) { $0.string($1) }
        pieces.value("name", name, old?.name) { $1.write(to: &$0) }
        pieces.value("price", price, old?.price) { $0.optionalDecimal($1) }
        pieces.value("priceText", priceText, old?.priceText) { $0.optionalString($1) }
        pieces.value("priceAt", priceAt, old?.priceAt) { json, time in
            json.optional(time) { $0.time($1) }
        }
        pieces.value("priceOrigin", priceOrigin, old?.priceOrigin) { $0.optionalString($1) }
        pieces.value("changePeriod", changePeriod, old?.changePeriod) { $0.string($1) }
        pieces.value("changeRatePercent", changeRatePercent, old?.changeRatePercent) {
            $0.optionalDecimal($1)
        }
        pieces.value("changeRateText", changeRateText, old?.changeRateText) {
            $0.optionalString($1)
        }
        pieces.value("changeAmount", changeAmount, old?.changeAmount) { $0.optionalDecimal($1) }
        pieces.value("changeAmountText", changeAmountText, old?.changeAmountText) {
            $0.optionalString($1)
        }
        pieces.value("priceDirection", priceDirection, old?.priceDirection) {
            $0.optionalString($1?.rawValue)
        }
        pieces.value("tickDirection", tickDirection, old?.tickDirection) {
            $0.optionalString($1?.rawValue)
        }
        pieces.value("today", today, old?.today) { $1.write(to: &$0) }
        pieces.value("rolling24h", rolling24h, old?.rolling24h) { $1.write(to: &$0) }
        pieces.value("tradeStrengthPercent", tradeStrengthPercent, old?.tradeStrengthPercent) {
            $0.optionalDecimal($1)
        }
        pieces.value("deposit", deposit, old?.deposit) { $0.optionalString($1?.rawValue) }
        pieces.value("withdrawal", withdrawal, old?.withdrawal) {
            $0.optionalString($1?.rawValue)
        }
        pieces.value("marks", marks, old?.marks) { $1.write(to: &$0) }
        pieces.value("sparkline", sparkline, old?.sparkline) { json, line in
            json.optional(line) { $1.write(to: &$0) }
        }
    }
}
