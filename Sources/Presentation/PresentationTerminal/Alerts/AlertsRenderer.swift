public import Domain
import ViewStates

/// Draws 알림: a pure function of the user's record, the screen's state, the time and a size.
public enum AlertsRenderer: Sendable {
    /// Draws the log of alerts, or the rules.
    ///
    /// - Parameters:
    ///   - failure: why the user's command failed last; nil if it did not.
    ///   - state: the user's record and screen state.
    ///   - now: for the clock and the state of rules.
    ///   - size: any size; small ones drop parts.
    ///   - keys: the key bindings.
    ///   - language: the language of labels.
    /// - Returns: a frame of exactly that size.
    public static func render(
        failure: AlertCommandFailure?,
        state: ScreenState,
        now: Timestamp,
        size: TerminalSize,
        keys: KeyTable = .screens,
        language: Language
    ) -> Frame {
        let page = PageCanvas(screen: state, now: now, size: size, keys: keys, language: language)
        var canvas = AlertsCanvas(failure: failure, page: page)
        canvas.page.drawTitle(source: nil, health: nil)
        canvas.drawContent()
        canvas.page.drawBottom(error: nil)
        canvas.page.drawOverlays()
        return canvas.page.frame
    }

    /// How many rows a screen of this size shows at once.
    public static func visibleRows(
        in size: TerminalSize,
        _ state: ScreenState,
        _ failure: AlertCommandFailure?
    ) -> Int {
        let layout = MarketListLayout(size)
        return area(PageCanvas.rows(layout, state), layout, failure).count / layout.rowHeight
    }

    /// The lines of the rows: without the one of a failure, if there is room for both.
    fileprivate static func area(
        _ rows: Range<Int>,
        _ layout: MarketListLayout,
        _ failure: AlertCommandFailure?
    ) -> Range<Int> {
        let isToldBelow = failure != nil && rows.count > layout.rowHeight
        return rows.lowerBound..<(rows.upperBound - (isToldBelow ? 1 : 0))
    }
}

/// A frame of the alerts in progress.
private struct AlertsCanvas {
    /// The first column of content, behind the signs of selection and state.
    private static let start = 4
    /// From this width on a rule has the time of its newest alert.
    private static let lastFiredWidthMin = 70

    let failure: AlertCommandFailure?
    var page: PageCanvas

    private var state: AlertsScreenState { page.screen.alerts }
    private var alerts: UserAlerts { page.screen.personal?.record.alerts.value ?? UserAlerts() }
    private var language: Language { page.language }
    private var width: Int { page.width }
    private var isFolded: Bool { page.layout.rowHeight > 1 }
    private var area: Range<Int> { AlertsRenderer.area(page.rows, page.layout, failure) }

    mutating func drawContent() {
        guard page.screen.hasAlerts else {
            return page.drawCentered([[Span(AlertStrings.unsupported[language], .bold)]])
        }
        guard page.screen.visibility == .shown else {
            let texts = StoreStrings.unloaded(.alerts, page.screen.visibility).map { $0[language] }
            return page.drawCentered(
                texts.enumerated().map { [Span($1, $0 == 0 ? .bold : .plain)] }
            )
        }
        drawTabs()
        drawFailure()
        switch state.section {
        case .log: drawLog()
        case .rules: drawRules()
        }
    }

    /// Draws the two parts with their counts, and the number of new alerts.
    private mutating func drawTabs() {
        guard let row = page.layout.tabs else { return }
        let counts = [alerts.log.count, alerts.rules.count]
        let tabs = zip(AlertsScreenState.Section.allCases, counts).map { section, count in
            Span.tab(
                AlertStrings.section(section)[language] + " \(count)",
                isOpen: section == state.section,
                target: .alertSection(section)
            )
        }
        let new = alerts.log.count { isNew($0) }
        let right =
            new > 0 ? [LineSegment([AlertStrings.new(new)[language]], style: .bold, rank: 1)] : []
        FittedLine(left: [LineSegment([tabs], rank: 0)], right: right, width: width)
            .draw(in: &page.frame, row: row)
    }

    private func isNew(_ alert: LoggedAlert) -> Bool {
        alert.number > state.newAfter ?? alerts.seenThrough
    }

    private mutating func drawFailure() {
        guard let failure, area != page.rows else { return }
        page.frame.draw(
            TextWidth.truncated("! " + failure.text[language], to: max(width - 2, 0)),
            row: area.upperBound,
            column: 2,
            style: CellStyle(.error, emphasis: .bold)
        )
    }

    // MARK: The log

    private mutating func drawLog() {
        guard !alerts.log.isEmpty else { return drawEmpty(AlertStrings.noAlerts) }
        let textStart = isFolded ? Self.start : Self.start + AlertStrings.momentColumns + 2
        drawHeadings([(AlertStrings.time, Self.start), (AlertStrings.content, textStart)])
        let byNumber = Dictionary(
            alerts.log.map { ($0.number, $0) },
            uniquingKeysWith: { first, _ in first }
        )
        for (number, line) in zip(state.log.order[state.log.window], page.firstLines(of: area)) {
            guard let alert = byNumber[number] else { continue }
            var base = beginRow(number, line)
            if isNew(alert) {
                page.frame.draw("●", row: line, column: 2, style: base.with(.accent))
                base = base.adding(.bold)
            }
            let moment = AlertStrings.moment(alert.alert.at)
            draw(moment, line, from: Self.start, to: width, base.adding(.dim))
            var end = width
            if alert.alert.lateness != nil {
                let late = AlertStrings.late[language]
                let columns = TextWidth.columns(late)
                let column =
                    isFolded ? Self.start + AlertStrings.momentColumns + 2 : width - columns
                draw(late, line, from: column, to: width, base)
                if !isFolded { end = width - columns - 1 }
            }
            draw(
                AlertTextPresenter.sentence(alert, language),
                line + page.layout.rowHeight - 1,
                from: textStart,
                to: end,
                base
            )
        }
    }

    // MARK: The rules

    private mutating func drawRules() {
        guard !alerts.rules.isEmpty else { return drawEmpty(AlertStrings.noRules) }
        let stateEnd = Self.start + AlertStrings.stateColumns(language)
        let textStart = isFolded ? Self.start : stateEnd + 2
        let firedStart = firedStart(after: stateEnd + 2)
        var headings = [(AlertStrings.state, Self.start), (AlertStrings.rule, textStart)]
        if let firedStart { headings.append((AlertStrings.lastFired, firedStart)) }
        drawHeadings(headings)
        for (number, line) in zip(state.rules.order[state.rules.window], page.firstLines(of: area))
        {
            guard let rule = alerts[number] else { continue }
            let condition = rule.state(at: page.now)
            var base = beginRow(number, line)
            if condition != .active { base = base.adding(.dim) }
            page.frame.draw(AlertStrings.mark(condition), row: line, column: 2, style: base)
            let stateText = AlertStrings.state(condition)[language]
            draw(stateText, line, from: Self.start, to: stateEnd, base)
            if let firedStart, let fired = rule.lastFiredAt {
                let moment = AlertStrings.moment(fired)
                draw(moment, line, from: firedStart, to: width, base.adding(.dim))
            }
            let textLine = line + page.layout.rowHeight - 1
            let end = isFolded ? width : firedStart.map { $0 - 2 } ?? width
            draw(rule.rule.text, textLine, from: textStart, to: end, base)
        }
    }

    /// The column of the newest alert of a rule; nil if it has no room.
    private func firedStart(after start: Int) -> Int? {
        let last = width - AlertStrings.momentColumns
        if isFolded { return start <= last ? start : nil }
        return width >= Self.lastFiredWidthMin ? last : nil
    }

    // MARK: Parts

    private mutating func beginRow(_ number: Int64, _ line: Int) -> CellStyle {
        page.markRow(.alert(number), line: line)
        let isSelected = number == state.rows.selected
        return page.beginRow(line, isSelected: isSelected, isOutdated: false)
    }

    /// Draws the headings of columns; folded rows have those that stand apart.
    private mutating func drawHeadings(_ headings: [(text: LocalizedText, column: Int)]) {
        guard let row = page.layout.header else { return }
        var end = 0
        for (text, column) in headings where column >= end {
            draw(text[language], row, from: column, to: width, .dim)
            end = column + TextWidth.columns(text[language]) + 1
        }
    }

    /// Draws a text that ends with `…` where it does not fit before the column `end`.
    private mutating func draw(
        _ text: String,
        _ row: Int,
        from start: Int,
        to end: Int,
        _ style: CellStyle
    ) {
        let text = TextWidth.truncated(TextWidth.drawn(text), to: max(end - start, 0))
        page.frame.draw(text, row: row, column: start, style: style)
    }

    private mutating func drawEmpty(_ text: LocalizedText) {
        guard page.screen.form == nil else { return }
        let offer = page.keys.offer(.newAlert, in: .alerts, AlertStrings.add[language])
        page.drawCentered([[Span(text[language], .bold)], offer].filter { !$0.isEmpty }, in: area)
    }
}
