import Domain
import ViewStates

extension ChartCanvas {
    /// Interval, time, prices, volume and change of one candle.
    func drawTitle(in frame: inout Frame) {
        if let row = layout.title { drawTitle(row: row, in: &frame) }
    }

    /// Draws the title into any row.
    func drawTitle(row: Int, in frame: inout Frame) {
        guard let interval else { return }
        let name = ChartStrings.interval(interval)[context.language]
        var segments = [LineSegment([name], style: context.style(.plain, .bold), rank: 5)]
        let isAimed = crosshairBucket != nil
        if let told = describedCandle {
            segments += figures(of: chart.candles[told], interval, isAimed: isAimed)
        } else if let bucket = crosshairBucket {
            let open = slots.opens[bucket]
            let isMissing = slots.slot(ofBucket: bucket)?.isMissing ?? false
            let isClosed = chart.maintenance.contains { $0.contains(open) }
            let word =
                isMissing
                ? ChartStrings.missing : isClosed ? ChartStrings.maintenance : ChartStrings.noTrade
            segments.append(time(open, interval, isAimed: true))
            segments.append(LineSegment([word[context.language]], style: .dim, rank: 0))
        }
        // Cached candles are shown while newer ones are being fetched.
        if chart.health.origin == .store, chart.health.phase == .stale, chart.health.error == nil {
            let word = MarketListStrings.loading[context.language]
            segments.append(LineSegment([word], style: context.style(.plain, .dim), rank: 6))
        }
        if isRunningPartial {
            let word = ChartStrings.partial[context.language]
            segments.append(LineSegment([word], style: context.style(.error), rank: 0))
        }
        if let pastProgress {
            segments.append(
                LineSegment([pastProgress], style: context.style(.plain, .dim), rank: 0)
            )
        }
        if !layout.hidden.isEmpty {
            let text = ChartStrings.hidden(layout.hidden, context.language)
            segments.append(LineSegment([text], style: context.style(.plain, .dim), rank: 1))
        }
        context.draw(segments, row: row, columns: layout.columns, in: &frame)
    }

    /// Whether the newest candles hold only the trades since a screen follows them, because their
    /// page of the exchange has not arrived.
    private var isRunningPartial: Bool {
        let health = chart.health
        return health.phase == .ready && !health.complete && health.known == nil
            && health.error == nil && !chart.candles.isEmpty
            && !chart.gaps.contains { $0.reason == .missing }
    }

    /// How many past candles were read, or why they cannot be; nil if all are known.
    var pastProgress: String? {
        guard let known = chart.health.known, let of = chart.health.of, known < of else {
            return nil
        }
        if chart.health.error?.code == FeedFailure.Code.unserved.rawValue {
            return ChartStrings.unservedPast[context.language]
        }
        return ChartStrings.past(known, of: of)[context.language]
    }

    /// Draws the averages of the described candle.
    func drawLegend(in frame: inout Frame) {
        if let row = layout.legend { drawLegend(row: row, in: &frame) }
    }

    /// Draws the legend into any row.
    func drawLegend(row: Int, in frame: inout Frame) {
        var segments = comparisonFigures
        if !averages.isEmpty {
            let word = ChartStrings.average[context.language]
            segments.append(LineSegment([word], style: context.style(.plain, .dim), rank: 1))
        }
        let told = describedCandle
        for (place, average) in averages.enumerated() {
            let value = told.flatMap { told in
                average.closes.indices.contains(told) ? average.closes[told] : nil
            }
            let text = average.label + " " + (value.map(averageText) ?? "-")
            segments.append(
                LineSegment([text], style: context.style(average.role), rank: place + 2)
            )
        }
        segments += bandFigures
        context.draw(segments, row: row, columns: layout.columns, in: &frame)
    }

    /// The times below the plot.
    func drawTimes(in frame: inout Frame) {
        guard let row = layout.times else { return }
        let tag = timeTag?.columns ?? 0..<0
        for label in times {
            let start = prices.columns.lowerBound + label.columns.lowerBound
            if tag.overlaps(start..<(start + label.columns.count)) { continue }
            frame.draw(
                label.text,
                row: row,
                column: start,
                width: label.columns.count,
                style: context.style(.plain, .dim)
            )
        }
    }

    private func figures(
        of candle: ChartViewState.Candle,
        _ interval: CandleInterval,
        isAimed: Bool
    ) -> [LineSegment] {
        func price(_ word: LocalizedText, _ price: FixedDecimal, rank: Int) -> LineSegment {
            let text = NumberText.price(price, quote: context.quote)
            let isStray = price > candle.high || price < candle.low
            let shown = text + (isStray ? ChartGlyphs.strayMark : "")
            let style = context.style(candle.priceDirection)
            return LineSegment(
                [[Span(word[context.language] + " ", context.style()), Span(shown, style)]],
                rank: rank
            )
        }
        let volume = ChartStrings.volume[context.language] + " "
        var segments = [
            time(candle.openTime, interval, isAimed: isAimed),
            price(ChartStrings.open, candle.open, rank: 4),
            price(ChartStrings.high, candle.high, rank: 2),
            price(ChartStrings.low, candle.low, rank: 3),
            price(ChartStrings.close, candle.close, rank: 0),
        ]
        if let percent = PriceAxis.percent(
            of: candle.close,
            base: candle.open
        ) {
            let style = context.style(candle.priceDirection)
            segments.append(LineSegment([NumberText.rate(percent)], style: style, rank: 1))
        }
        let texts = [NumberText.quantity(candle.volume), AxisText.compact(candle.volume)]
        segments.append(LineSegment(texts.map { volume + $0 }, style: context.style(), rank: 6))
        if candle.corrected {
            let word = ChartStrings.corrected[context.language]
            segments.append(LineSegment([word], style: context.style(.plain, .dim), rank: 7))
        }
        return segments
    }

    private func time(
        _ open: Timestamp,
        _ interval: CandleInterval,
        isAimed: Bool
    ) -> LineSegment {
        let texts = [false, true].map { AxisText.bucket(open, interval: interval, isShort: $0) }
        return LineSegment(texts, style: context.style(), rank: isAimed ? 1 : 5)
    }

    /// An average formatted like a price, rounded to the decimals of its magnitude.
    func averageText(_ value: FixedDecimal) -> String {
        let digits = NumberText.priceDecimals(value, quote: context.quote)
        let rounded = try? value.rounded(toFractionDigits: digits, .halfAwayFromZero)
        return NumberText.price(rounded ?? value, quote: context.quote)
    }
}
