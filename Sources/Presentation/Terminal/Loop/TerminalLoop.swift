import Domain
import Presentation

/// Keys in, pictures out: the list screen without its device.
struct TerminalLoop {
    private let model: any MarketListScreenModel
    private let screen: any TerminalScreen
    private let language: Language
    private let keys = KeyTable.marketList

    private(set) var state: MarketListScreenState
    private var schedule = DrawingSchedule()
    private var flashes = FlashBook()
    private var size: TerminalSize
    private var drawnSequence: UInt64?

    init(
        model: any MarketListScreenModel,
        screen: any TerminalScreen,
        state: MarketListScreenState,
        language: Language
    ) {
        self.model = model
        self.screen = screen
        self.state = state
        self.language = language
        size = screen.measure()
    }

    /// Runs until somebody quits, a signal comes, or the terminal goes away.
    mutating func run() -> TerminalEnding {
        resize()
        draw()
        while true {
            let timeout = schedule.wait(at: screen.uptime)
            let wake = screen.wait(for: timeout)
            if let ending = wake.ending { return ending }
            if wake.isStopRequested { suspend(isGroup: false) }
            if wake.isContinued { repaint() }
            if wake.isResized {
                resize()
                schedule.requestForResize(at: screen.uptime)
            }
            if wake.hasInput, handleInput() { return .quit }
            if model.sequence != drawnSequence { schedule.requestForData(at: screen.uptime) }
            if schedule.isDue(at: screen.uptime) { draw() }
        }
    }

    /// Handles all keys that are there, then asks for one picture.
    ///
    /// - Returns: whether one of them ends the program.
    private mutating func handleInput() -> Bool {
        var isReorderDue = false
        let events = screen.readInput()
        for event in events {
            if event == .key(.control("z")) {
                suspend(isGroup: true)
                continue
            }
            if event == .key(.control("l")) {
                repaint()
                continue
            }
            guard let action = keys.action(for: event, in: state) else { continue }
            // Typed text changes the order once for all of it; whatever else comes needs it now.
            if isReorderDue, !action.isTyping {
                reorder()
                isReorderDue = false
            }
            for effect in MarketListReducer.reduce(&state, action) {
                switch effect {
                case .reorder: isReorderDue = true
                case .reload: model.reload()
                case .quit: return true
                }
            }
        }
        if isReorderDue { reorder() }
        if !events.isEmpty { schedule.requestNow(at: screen.uptime) }
        return false
    }

    private mutating func reorder() {
        let order = model.order(for: state)
        perform(MarketListReducer.reduce(&state, .ordered(order, now: model.now)))
    }

    /// Performs what a change of time, size or order asks for; none of them can end the program.
    private mutating func perform(_ effects: [MarketListEffect]) {
        for effect in effects {
            switch effect {
            case .reorder: reorder()
            case .reload: model.reload()
            case .quit: break
            }
        }
    }

    private mutating func resize() {
        size = screen.measure()
        let rows = MarketListRenderer.visibleRows(in: size)
        perform(MarketListReducer.reduce(&state, .resize(visibleRows: rows)))
    }

    private mutating func suspend(isGroup: Bool) {
        screen.suspend(isGroup: isGroup)
        repaint()
    }

    /// The terminal may show anything, at any size.
    private mutating func repaint() {
        screen.invalidate()
        resize()
        schedule.requestNow(at: screen.uptime)
    }

    private mutating func draw() {
        let uptime = screen.uptime
        let now = model.now
        drawnSequence = model.sequence
        perform(MarketListReducer.reduce(&state, .refresh(now: now)))
        let document = model.document(for: state)
        flashes.take(document.state.rows, at: uptime)
        screen.draw(
            MarketListRenderer.render(
                document: document,
                state: state,
                now: now,
                flashing: flashes.flashing,
                size: size,
                language: language
            )
        )
        schedule.drew(at: uptime)
        if let end = flashes.nextEnd { schedule.requestForTime(end) }
        schedule.requestForTime(uptime + timeToNextChange(of: document, now: now))
    }

    /// How long until the clock, or the spinner while there is one, shows something else.
    private func timeToNextChange(of document: MarketListDocument, now: Timestamp) -> Duration {
        let isTurning = document.state.health.phase == .loading
        let interval = isTurning ? MarketListCanvas.spinnerInterval : .seconds(1)
        let step = interval.wholeMicroseconds
        let past = ((now.microseconds % step) + step) % step
        return .microseconds(step - past)
    }
}

extension MarketListAction {
    /// Whether it only changes the search text.
    fileprivate var isTyping: Bool {
        if case .typeSearch = self { return true }
        return self == .deleteSearch
    }
}
