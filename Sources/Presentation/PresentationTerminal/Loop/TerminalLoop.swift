import Domain
import ViewStates

/// Keys in, pictures out: the screens without their device.
struct TerminalLoop {
    let model: any ScreenModel
    let screen: any TerminalScreen
    let keys: KeyTable

    var state: ScreenState
    var schedule = DrawingSchedule()
    private var flashes = FlashTimer()
    /// The screen that the flashes belong to.
    private var flashSubject: FlashSubject?
    private(set) var size: TerminalSize
    /// The last drawn frame, which clicks refer to.
    var seen: Frame?
    private var drawnSequence: UInt64?
    private var personalSequence: UInt64?
    /// To which question about a detail the state knows the answer.
    var answeredRequest: DetailDocumentRequest?
    /// Input typed after a submitted form.
    var waiting = PendingInput()
    /// The last form result that no frame has shown yet.
    var undrawnFormResult: FormResult?
    /// Whether typed text has still to change the order.
    var isReorderDue = false

    init(
        model: any ScreenModel,
        screen: any TerminalScreen,
        state: ScreenState,
        keys: KeyTable = .screens
    ) {
        self.model = model
        self.screen = screen
        self.state = state
        self.keys = keys.spelled(for: screen.characters)
        size = screen.measure()
        self.state.isEnglishOnly = screen.characters == .ascii
        self.state.hasAlerts = model.hasAlerts
    }

    /// Runs until the user quits, a signal arrives or the terminal disappears.
    mutating func run() -> TerminalEnding {
        defer { model.hold(ScreenInterests()) }
        model.hold(state.interests)
        resize()
        draw()
        while true {
            let timeout = schedule.wait(at: screen.uptime)
            let wake = screen.wait(for: timeout)
            if let ending = wake.ending { return ending }
            if wake.isStopRequested { suspend(isGroup: false) }
            if wake.isContinued { repaint() }
            if wake.isResized {
                // Two changes that end at the old size look like none, but cost the content.
                screen.invalidate()
                resize()
                schedule.requestForResize(at: screen.uptime)
            }
            if handleInput(wake.hasInput ? screen.readInput() : []) { return .quit }
            if model.sequence != drawnSequence { schedule.requestForData(at: screen.uptime) }
            if screen.theme != theme { schedule.requestNow(at: screen.uptime) }
            guard schedule.isDue(at: screen.uptime) else { continue }
            draw()
            // Drawing reads the user's data, which may have settled a form.
            if handleInput([]) { return .quit }
        }
    }

    private mutating func show(_ frame: Frame) {
        seen = frame
        draw(frame)
    }

    mutating func reorderIfDue() {
        guard isReorderDue else { return }
        isReorderDue = false
        reorder()
    }

    mutating func reorder() {
        let order = model.order(for: state.list, language: language)
        perform(ScreenReducer.reduce(&state, .list(.ordered(order, now: model.now))))
    }

    /// Performs effects of time, size and order changes, which never end the program.
    mutating func perform(_ effects: [ScreenEffect]) {
        for effect in effects {
            switch effect {
            case .reorder: reorder()
            case .reload: model.reload()
            case .hold(let interests): model.hold(interests)
            case .perform(let change): model.perform(change)
            case .openMarket(let asset):
                let market = model.market(of: asset)
                let answer = market.map(ScreenAction.open) ?? .noMarket(asset)
                perform(ScreenReducer.reduce(&state, answer))
            case .compare(let asset):
                let market = model.market(of: asset)
                let answer = market.map { ScreenAction.detail(.compare($0)) } ?? .noMarket(asset)
                perform(ScreenReducer.reduce(&state, answer))
            case .saveChart(let name):
                let outcome = saveChart(as: name)
                perform(ScreenReducer.reduce(&state, .chartSaved(outcome)))
            case .copy(let target): copy(target)
            case .suggestAlert(let market):
                let text = suggestedAlert(of: market)
                perform(ScreenReducer.reduce(&state, .alertSuggested(text)))
            case .notify(let notice): screen.notify(notice.text(language))
            case .act, .quit: break
            }
        }
    }

    /// Applies the user's data if it changed.
    mutating func applyUserState() {
        let personal = model.personal
        guard personal.sequence != personalSequence else { return }
        personalSequence = personal.sequence
        let wasSaving = isSaving
        perform(ScreenReducer.reduce(&state, .personal(UserStateUpdate(personal))))
        guard wasSaving, !isSaving else { return }
        undrawnFormResult = state.form == nil ? .saved : .refused
        // Typed for what comes after the form, and not for its fields.
        if state.form != nil { waiting.removeAll() }
    }

    private mutating func resize() {
        size = screen.measure()
        let wantsCompact = state.list.wantsCompact
        let resize = ScreenAction.resize(
            visibleRows: MarketListRenderer.visibleRows(in: size, wantsCompact: wantsCompact),
            room: MarketDetailRenderer.room(in: size),
            // A compact list has the whole window.
            besideList: wantsCompact ? nil : MarketDetailRenderer.sizesBesideList(in: size),
            isListCompact: MarketListRenderer.isCompact(in: size, wantsCompact: wantsCompact)
        )
        perform(ScreenReducer.reduce(&state, resize))
    }

    mutating func suspend(isGroup: Bool) {
        screen.suspend(isGroup: isGroup)
        repaint()
    }

    /// The terminal may show anything, at any size and in any mode.
    mutating func repaint() {
        screen.resume()
        resize()
        schedule.requestNow(at: screen.uptime)
    }

    mutating func draw() {
        let uptime = screen.uptime
        let now = model.now
        drawnSequence = model.sequence
        state.hasAlerts = model.hasAlerts
        applyUserState()
        let pendingCall = model.personal.pendingCall
        perform(ScreenReducer.reduce(&state, .passed(now: now, pendingCall: pendingCall)))
        screen.theme = theme
        let content = readContent(now)
        let subject = FlashSubject(state)
        if flashSubject != subject { flashes = FlashTimer() }
        flashSubject = subject
        flashes.apply(content.flashingFigures, at: uptime)
        show(
            ScreenRenderer.render(
                content,
                state: state,
                now: now,
                flashing: flashes.flashing,
                size: size,
                theme: screen.theme,
                keys: keys,
                language: language
            )
        )
        schedule.drew(at: uptime)
        undrawnFormResult = nil
        if let end = flashes.nextEnd { schedule.requestForTime(end) }
        schedule.requestForTime(uptime + timeToNextChange(isTurning: content.isAwaited, now: now))
    }

    /// The time until the clock or the spinner changes.
    private func timeToNextChange(isTurning: Bool, now: Timestamp) -> Duration {
        let interval = isTurning ? Spinner.interval : .seconds(1)
        let step = interval.wholeMicroseconds
        let past = ((now.microseconds % step) + step) % step
        return .microseconds(step - past)
    }
}

extension TerminalLoop {
    /// The interface language; ASCII terminals cannot show Hangul.
    var language: Language {
        switch screen.characters {
        case .unicode: state.look.language
        case .ascii: .english
        }
    }

    /// The theme that the user wants, on this terminal.
    var theme: Theme {
        Theme(
            colors: screen.colors,
            wanted: state.look.theme,
            background: screen.background,
            directions: state.look.colors
        )
    }

    /// Draws a frame in the terminal's characters.
    func draw(_ frame: Frame) {
        switch screen.characters {
        case .unicode: screen.draw(frame)
        case .ascii: screen.draw(frame.inASCII)
        }
    }

    /// A document with its names as the terminal can show them.
    func shown<State: ASCIIConvertible>(_ document: Document<State>) -> Document<State> {
        screen.characters == .ascii ? document.inASCII : document
    }
}
