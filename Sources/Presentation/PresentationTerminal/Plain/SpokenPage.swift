public import Domain
public import ViewStates

/// A screen as sentences, one per row, for screen readers: no meaning depends on position, color
/// or drawing.
public struct SpokenPage: Sendable, Equatable {
    /// The screen, the data source and the time.
    public let heading: String
    /// The time only, for updates.
    public let time: String
    /// The content, one sentence per item.
    public let sentences: [String]

    /// Makes a page of sentences that were drawn already.
    init(heading: String, time: String, sentences: [String]) {
        self.heading = heading
        self.time = time
        self.sentences = sentences
    }

    init(heading: [String?], at moment: Timestamp, sentences: [String]) {
        self.heading = Self.sentence(heading)
        time = TimeText.clock(moment)
        self.sentences = sentences.map(TextWidth.drawn)
    }

    /// All sentences, one per line, without a final line break.
    public var text: String { ([heading] + sentences).joined(separator: "\n") }

    /// The changes since an earlier page: time, count and new sentences.
    public func text(since earlier: SpokenPage, _ language: Language) -> String {
        let known = Set(earlier.sentences)
        let changes = sentences.filter { !known.contains($0) }
        let count =
            LocalizedText(ko: "변경 \(changes.count)건", en: "\(changes.count) changed")[language]
        return (["\(time), \(count)"] + changes).joined(separator: "\n")
    }

    /// Joins parts with commas; nil parts are omitted.
    static func sentence(_ words: [String?]) -> String {
        TextWidth.drawn(words.compactMap { $0 }.joined(separator: ", "))
    }

    /// The data source without the brackets of the screen.
    static func feed(_ source: SourceViewState, _ language: Language) -> String {
        MarketListStrings.feed(source.feed)[language]
            .replacing("[", with: "").replacing("]", with: "")
    }

    /// `2026-11-20 21:03:11 KST`.
    static func moment(_ at: Timestamp) -> String {
        TimeText.date(at) + " " + TimeText.clock(at) + " KST"
    }

    /// The problem of a block; empty if healthy.
    static func statusSentence(
        _ name: String?,
        _ health: HealthViewState,
        at moment: Timestamp,
        _ language: Language
    ) -> [String] {
        let phase = PlainTextList.phase(of: health, at: moment, language)
        let loss = health.repair.flatMap { repair in
            RepairLabel(repair: repair, now: moment, language: language).texts.first
        }
        guard phase != nil || health.error != nil || loss != nil else { return [] }
        return [sentence([name, phase, health.error?.message, loss])]
    }
}

extension SpokenPage {
    /// The market list; each row is its `spokenText`.
    public init(_ document: MarketListDocument, _ language: Language) {
        let state = document.state
        let raw = state.query.changePeriod
        let period =
            ChangePeriod(rawValue: raw).map { MarketListStrings.period($0)[language] } ?? raw
        let count =
            LocalizedText(
                ko: "\(state.total)개 중 \(state.rows.count)개",
                en: "\(state.rows.count) of \(state.total) markets"
            )[language]
        let nothing =
            state.rows.isEmpty ? [MarketListStrings.empty(state.emptyReason)[language]] : []
        let coverage = MarketListStrings.coverage(state.health).map { [$0[language]] } ?? []
        self.init(
            heading: [
                MarketListStrings.program + " " + MarketListStrings.market[language],
                Self.feed(document.source, language),
                MarketListStrings.change[language] + " " + period,
                Self.moment(document.asOf), count,
            ],
            at: document.asOf,
            sentences: Self.statusSentence(nil, state.health, at: document.asOf, language)
                + coverage + nothing + state.rows.map(\.spokenText)
        )
    }

    /// Deposits and withdrawals; each row is its `spokenText`.
    public init(_ document: AssetsDocument, _ language: Language) {
        let state = document.state
        let counts =
            LocalizedText(
                ko: "전체 \(state.counts.all), 정상 \(state.counts.normal), "
                    + "중단 \(state.counts.suspended)",
                en: "all \(state.counts.all), normal \(state.counts.normal), "
                    + "suspended \(state.counts.suspended)"
            )[language]
        self.init(
            heading: [
                MarketListStrings.program + " " + PageStrings.page(.assets)[language],
                Self.feed(document.source, language), Self.moment(document.asOf),
                state.rows.isEmpty ? nil : counts,
            ],
            at: document.asOf,
            sentences: Self.statusSentence(nil, state.health, at: document.asOf, language)
                + state.rows.map(\.spokenText)
        )
    }
}

extension SpokenPage {
    /// The holdings: totals, each coin, cash.
    public init(_ document: PortfolioDocument, _ language: Language) {
        let state = document.state
        let unit = LocalizedText(ko: "원", en: " KRW")[language]
        func told(_ words: LocalizedText, _ value: String?, _ unit: String = "") -> String {
            words[language] + " "
                + (value.map { $0 + unit } ?? LocalizedText(ko: "없음", en: "unknown")[language])
        }
        func share(_ percent: FixedDecimal?) -> String? {
            percent.map { NumberText.grouped($0, fractionDigitsMin: 2) + "%" }
        }
        func price(_ price: FixedDecimal?) -> String? {
            price.map { NumberText.price($0, quote: .krw) }
        }
        let rows = state.rows.map { row in
            Self.sentence([
                row.name[language] ?? row.asset,
                told(PageStrings.quantity, NumberText.quantity(row.quantity)),
                told(PageStrings.averagePrice, price(row.averagePrice), unit),
                told(PageStrings.price, price(row.price), unit),
                told(PageStrings.value, row.valueText, unit),
                told(PageStrings.profit, row.profitText, unit),
                told(PageStrings.rate, row.profitRatePercent.map(NumberText.rate)),
                told(PageStrings.share, share(row.sharePercent)),
            ])
        }
        let cash = Self.sentence([
            told(PageStrings.cash, state.cash.amountText, unit),
            told(PageStrings.share, share(state.cash.sharePercent)),
        ])
        let total = Self.sentence([
            told(PageStrings.total, state.totals.valueText, unit),
            told(PageStrings.profit, state.totals.profit.map(NumberText.wonChange), unit),
            told(PageStrings.rate, state.totals.profitRatePercent.map(NumberText.rate)),
        ])
        let nothing = state.rows.isEmpty ? [PageStrings.noHoldings[language]] : []
        self.init(
            heading: [
                MarketListStrings.program + " " + PageStrings.page(.portfolio)[language],
                Self.feed(document.source, language), Self.moment(document.asOf),
            ],
            at: document.asOf,
            sentences: Self.statusSentence(nil, state.health, at: document.asOf, language)
                + (state.isRead ? [total] + rows + [cash] : nothing)
        )
    }
}
