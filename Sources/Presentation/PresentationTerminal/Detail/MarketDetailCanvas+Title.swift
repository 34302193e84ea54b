import Domain
import ViewStates

extension MarketDetailCanvas {
    /// The narrowest sparkline that says something.
    private static let sparklineColumnsMin = 12

    /// Which market this is, what the exchange warns of, the feed, how fresh it is, and the time.
    mutating func drawTitle() {
        let header = state.header
        let marks = MarkWords(marks: header.marks, now: now, language: language)
        let words = HealthWords(health: header.health, now: now, language: language)
        let clock = TimeText.clock(now)
        let feed = LineSegment(
            ListWords.feed(document.source.feed, language),
            style: document.source.feed.titleStyle,
            rank: 0
        )
        let left = [
            LineSegment(
                names.map { star + " " + $0 },
                style: CellStyle(.accent, emphasis: .bold),
                rank: 0
            ),
            // Beside the list, that names the feed of both.
            screen.isSplit ? LineSegment([""], rank: 0) : feed,
            LineSegment(marks.texts, style: .bold, rank: 0),
        ]
        let right = [
            LineSegment(words.texts, style: words.style, rank: 2),
            LineSegment([clock + " KST", clock], style: .dim, rank: 4),
        ]
        FittedLine(left: left.filter(\.isFilled), right: right, width: width)
            .draw(in: &frame, row: layout.title)
    }

    /// The price, its change, whether the coin can be moved, and ninety days as a line.
    mutating func drawPrice() {
        guard let row = layout.price else { return }
        let header = state.header
        let role = CellStyle.Role(header.priceDirection)
        let base = header.health.isOutdated ? CellStyle.dim : .plain
        let style = CellStyle(role, emphasis: base.emphasis.union(.bold))
        let price = header.priceText ?? "-"
        let isFlashing = flashing.contains(FigureName.price)
        // The sign stands before what there is first of the change.
        let sign = header.priceDirection.sign.map { $0 + " " } ?? ""
        let amount = header.changeAmountText.map { sign + $0 } ?? ""
        let period =
            ChangePeriod(rawValue: header.changePeriod)
            .map { ListWords.period($0)[language] } ?? header.changePeriod
        let rate = header.changeRateText.map { (amount.isEmpty ? sign : "") + $0 } ?? "-"
        let isNormal = header.deposit == .normal && header.withdrawal == .normal
        let transfers = DetailWords.transfers(header, language)
        let left = [
            LineSegment([price], style: isFlashing ? style.reversed : style, rank: 0),
            LineSegment([amount], style: style, rank: 2),
            LineSegment([rate], style: CellStyle(role, emphasis: base.emphasis), rank: 1),
            LineSegment([period], style: .dim, rank: 4),
            LineSegment([transfers ?? ""], style: isNormal ? .dim : .bold, rank: 3),
        ].filter(\.isFilled)
        let line = FittedLine(left: left, right: [], width: width)
        line.draw(in: &frame, row: row)
        drawSparkline(row: row, from: line.leftColumns + FittedLine.gap, base.emphasis)
    }

    private mutating func drawSparkline(
        row: Int,
        from column: Int,
        _ emphasis: CellStyle.Emphasis
    ) {
        guard let line = state.header.sparkline, width - column >= Self.sparklineColumnsMin else {
            return
        }
        let start = max(width - line.opens.count, column)
        Sparkline.draw(line, row: row, columns: start..<width, emphasis: emphasis, into: &frame)
    }

    /// The names of the market, longest first.
    private var names: [String] {
        let header = state.header
        let pair = header.symbol + "/" + header.quote
        let (own, other) =
            language == .korean
            ? (header.name.ko, header.name.en) : (header.name.en, header.name.ko)
        guard let own else { return [pair] }
        let all = [own, other, pair].compactMap { $0 }.joined(separator: " ")
        return [all, own + " " + pair, pair]
    }

    /// Whether the market is a favourite; the shape tells it, not the colour.
    private var star: String {
        let isFavorite = screen.list.favorites.contains(detail.market)
        return isFavorite ? ListWords.star : ListWords.noStar
    }
}

extension Optional<DirectionViewState> {
    /// What tells the direction without colour.
    var sign: String? {
        switch self {
        case .up: "▲"
        case .down: "▼"
        case .flat, nil: nil
        }
    }
}

extension FeedLabel {
    /// What is not the exchange itself is reversed, so that it cannot be overlooked even without
    /// colours.
    var titleStyle: CellStyle {
        switch self {
        case .live: .plain
        case .simulated, .replay: CellStyle(emphasis: [.bold, .reverse])
        }
    }
}

extension LineSegment {
    /// Whether it says anything.
    var isFilled: Bool { variants.contains { $0.columns > 0 } }
}

extension FittedLine {
    /// How many columns the parts at the left take.
    var leftColumns: Int {
        left.reduce(0) { $0 + $1.spans.columns } + max(left.count - 1, 0) * Self.gap
    }
}
