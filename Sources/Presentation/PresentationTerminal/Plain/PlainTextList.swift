public import Domain
public import ViewStates

/// The list once, as text for pipes and files: aligned columns, no control sequences.
public enum PlainTextList: Sendable {
    /// Writes all rows of a document below a line that names feed, base, time and count.
    ///
    /// Unknown values are `-`. Hangul counts as two columns, as everywhere. The last line has no
    /// line end.
    public static func text(of document: MarketListDocument, language: Language) -> String {
        var lines = [summary(of: document, language)]
        if let error = document.state.health.error {
            lines.append(MarketListStrings.failed[language] + ": " + error.message)
        }
        if let text = MarketListStrings.coverage(document.state.health) {
            lines.append(text[language])
        }
        let rows = document.state.rows
        if rows.isEmpty {
            lines.append(MarketListStrings.empty(document.state.emptyReason)[language])
        } else {
            lines += table(of: rows, isRanked: document.state.query.tab == "popular", language)
        }
        return lines.map(TextWidth.drawn).joined(separator: "\n")
    }

    private static func summary(of document: MarketListDocument, _ language: Language) -> String {
        let state = document.state
        let raw = state.query.changePeriod
        let period =
            ChangePeriod(rawValue: raw).map { MarketListStrings.period($0)[language] } ?? raw
        let date = TimeText.iso(document.asOf).prefix(10)
        var parts = [
            MarketListStrings.program + " " + MarketListStrings.market[language],
            MarketListStrings.feed(document.source.feed)[language],
            MarketListStrings.change[language] + " " + period,
            date + " " + TimeText.clock(document.asOf) + " KST",
            "\(state.rows.count)/\(state.total)",
        ]
        if let text = state.query.q { parts.append("/" + text) }
        if let phase = phase(of: state.health, at: document.asOf, language) { parts.append(phase) }
        return parts.joined(separator: " | ")
    }

    /// A word for data that are not as they should be; nil if they are.
    static func phase(
        of health: HealthViewState,
        at moment: Timestamp,
        _ language: Language
    ) -> String? {
        switch health.phase {
        case .ready: nil
        case .loading: MarketListStrings.loading[language]
        case .failed: MarketListStrings.failed[language]
        case .ended: MarketListStrings.ended[language]
        case .stale:
            health.at.map { MarketListStrings.behind(moment.duration(since: $0))[language] }
                ?? MarketListStrings.disconnected[language]
        }
    }

    private static func table(
        of rows: [MarketRowViewState],
        isRanked: Bool,
        _ language: Language
    ) -> [String] {
        let headings = [
            MarketListStrings.name, MarketListStrings.pair, MarketListStrings.price,
            MarketListStrings.rate, MarketListStrings.amount,
            MarketListStrings.tradeValue,
        ].map { $0[language] }
        var cells = [headings] + rows.map { row in fields(of: row, language) }
        if isRanked {
            let ranks =
                [MarketListStrings.rank[language]] + rows.map { $0.rank.map { "\($0)" } ?? "-" }
            cells = zip(ranks, cells).map { [$0] + $1 }
        }
        let leading = isRanked ? 1...2 : 0...1
        // After the columns, so that rows without a warning stay aligned.
        let endings = [""] + rows.map { warnings(of: $0, language) }
        return PlainTable.lines(cells, leading: leading, endings: endings)
    }

    private static func warnings(of row: MarketRowViewState, _ language: Language) -> String {
        var words: [String] = []
        if row.marks.investmentWarning == true { words.append(MarketListStrings.warning[language]) }
        if !row.marks.alerts.isEmpty { words.append(MarketListStrings.alert[language]) }
        return words.map { "  " + $0 }.joined()
    }

    private static func fields(of row: MarketRowViewState, _ language: Language) -> [String] {
        let name = row.name[language]
        let isSuspended = row.marks.state == .suspended
        return [
            name ?? row.symbol,
            row.symbol + "/" + row.quote,
            row.priceText ?? "-",
            isSuspended ? MarketListStrings.suspended[language] : row.changeRateText ?? "-",
            row.changeAmountText ?? "-",
            row.tradeValueText ?? "-",
        ].map(TextWidth.drawn)
    }
}
