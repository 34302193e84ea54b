import CNCurses
import Glibc

/// The terminal on standard input and output, over ncursesw.
///
/// Owns the one screen of the process, its window for input, and the signals while it is open;
/// ``close()`` or the end of its life gives everything back. Used from one thread at a time.
///
/// Safe, because both pointers are private, come from ncurses, and are freed in `close()` only.
@safe
final class TerminalDevice: TerminalScreen {
    /// Milliseconds after which Esc is the key and not the beginning of a sequence.
    static let escapeDelayMilliseconds: Int32 = 25

    let colors: ColorDepth
    let characters: TerminalCharacters
    let clipboard: ClipboardAccess
    private let notifications: NotificationMethod
    /// Whether tmux stands between hoga and the terminal.
    private let isInTmux: Bool
    let interrupt: TerminalInterrupt
    /// The type that stands in for a terminal without a terminfo entry; nil if it has one.
    let standIn: String?
    /// The terminal's answer, or the value from the environment.
    var background: TerminalBackground?
    var theme: Theme {
        didSet {
            guard theme != oldValue else { return }
            TerminalColors.set(theme)
            styles = DrawnStyles(theme)
            invalidate()
        }
    }
    private var styles: DrawnStyles
    /// nil once closed.
    private var screen: OpaquePointer?
    /// A one-cell window for input: reading keys refreshes the window used for reading, and this
    /// one costs nothing.
    private(set) var keyWindow: UnsafeMutablePointer<WINDOW>?
    private var previous: Frame?
    private var isCursorShown = false
    private var buffer: [hoga_cell] = []
    private let bracketedPaste: (begin: String, end: String)?
    /// The mouse report sequences; nil while the mouse is disabled.
    let mouseReports: (begin: String, end: String)?
    var decoder = KeyDecoder()
    var replies = TerminalReplies()
    /// Input read while waiting for the terminal's background.
    var bufferedInput: [InputUnit] = []
    var lastInputAt: Duration = .zero
    /// Until when the shell is spared an answer that has not come.
    var repliesDueAt: Duration = .zero
    let patience: TerminalReplies.Timeouts

    /// Opens the terminal.
    ///
    /// - Parameters:
    ///   - environment: of the process, for `NO_COLOR` and `COLORFGBG`.
    ///   - choices: the user's options.
    ///   - usesMouse: whether to enable mouse reports.
    ///   - interrupt: ends a wait from other threads.
    ///   - patience: time limits for terminal replies.
    /// - Throws: the reason; the terminal is then unchanged.
    init(
        environment: [String: String],
        choices: TerminalOptions,
        usesMouse: Bool = false,
        interrupt: TerminalInterrupt,
        patience: TerminalReplies.Timeouts = TerminalReplies.Timeouts()
    ) throws(TerminalError) {
        if isatty(STDIN_FILENO) == 0 { throw .notATerminal(.input) }
        if isatty(STDOUT_FILENO) == 0 { throw .notATerminal(.output) }
        characters =
            choices.characters
            ?? TerminalCharacters(environment: environment, codeset: TerminalLocale.codeset())
        try TerminalLocale.adopt()
        self.interrupt = interrupt
        self.patience = patience
        // Started in the background, it would find the modes of a shell that reads a command.
        hoga_signals_await_foreground(STDIN_FILENO)
        if hoga_signals_arm(STDIN_FILENO, STDOUT_FILENO, interrupt.descriptor) != 0 {
            if errno == EBUSY { throw .alreadyInUse }
            throw .system(call: "tcgetattr", errno: errno)
        }
        standIn = TerminalType.mayBeReplaced ? TerminalType.standIn : nil
        let opened = unsafe TerminalColors.openScreen(
            environment: environment,
            wanted: choices.colors,
            standIn: standIn
        )
        guard let screen = unsafe opened else {
            hoga_signals_disarm()
            throw .unknownTerminal
        }
        guard TerminalCapability.cursorAddress.text != nil else {
            endwin()
            unsafe delscreen(screen)
            hoga_signals_disarm()
            throw .unusableTerminal
        }
        unsafe self.screen = screen
        clipboard = ClipboardAccess(
            wanted: choices.copies,
            // The stand-in's capability says nothing about the terminal.
            isDescribed: standIn == nil && TerminalCapability.clipboard.text != nil,
            environment: environment
        )
        notifications = NotificationMethod(wanted: choices.notifies, environment: environment)
        isInTmux = environment["TMUX"] != nil
        let paste = TerminalCapability.bracketedPaste
        bracketedPaste = paste
        let mouse = usesMouse ? TerminalCapability.mouseReports : nil
        mouseReports = mouse
        colors = TerminalColors.start(environment: environment, wanted: choices.colors)
        theme = Theme(colors: colors)
        styles = DrawnStyles(theme)
        TerminalColors.set(theme)
        background = TerminalBackground(environment: environment)
        setReset()
        guard openKeys() else {
            close()
            throw .system(call: "newpad", errno: ENOMEM)
        }
        curs_set(0)
        setModes(true)
        if colors != .none, environment["TERM"] != "linux" {
            repliesDueAt = uptime + patience.late
            askForBackground()
        }
    }

    deinit {
        close()
    }

    /// Restores the terminal and the signals.
    ///
    /// Idempotent.
    func close() {
        guard let open = unsafe screen else { return }
        waitForReplies()
        leave()
        if let keyWindow = unsafe keyWindow { unsafe delwin(keyWindow) }
        unsafe keyWindow = nil
        unsafe delscreen(open)
        unsafe screen = nil
        hoga_signals_disarm()
    }

    var uptime: Duration {
        var time = timespec()
        unsafe clock_gettime(CLOCK_MONOTONIC, &time)
        return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }

    func measure() -> TerminalSize {
        var window = winsize()
        let isKnown = unsafe ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &window) == 0
        if isKnown, window.ws_col > 0, window.ws_row > 0 {
            let size = TerminalSize(columns: Int(window.ws_col), rows: Int(window.ws_row))
            if hoga_columns() != size.columns || hoga_rows() != size.rows {
                resizeterm(Int32(size.rows), Int32(size.columns))
                setReset()
                invalidate()
            }
        }
        return TerminalSize(columns: Int(hoga_columns()), rows: Int(hoga_rows()))
    }

    func invalidate() {
        previous = nil
        hoga_repaint()
    }

    func suspend(isGroup: Bool) {
        waitForReplies()
        leave()
        hoga_signals_stop(isGroup ? 1 : 0)
    }

    func resume() {
        hoga_signals_await_foreground(STDIN_FILENO)
        // Notices of the stop itself are done with.
        _ = hoga_signals_take_notices()
        reset_prog_mode()
        // Only the next reading would ask for the keys as ncurses knows them, and be too late for
        // the first one.
        unsafe keypad(keyWindow, true)
        setModes(true)
        // Toggled first, because ncurses skips modes that it believes are already set.
        curs_set(isCursorShown ? 0 : 1)
        curs_set(isCursorShown ? 1 : 0)
        invalidate()
    }

    /// Leaves the drawing, with an empty line for the shell on terminals without an alternate
    /// screen.
    private func leave() {
        setModes(false)
        send(ResetSequence.joined(TerminalCapability.exitSequences(rows: Int(hoga_rows()))))
        endwin()
    }

    /// Sets the reset sequence for the crash handler, for the current size.
    private func setReset() {
        let reset = ResetSequence.joined(
            TerminalCapability.resetTexts(
                rows: Int(hoga_rows()),
                bracketedPaste: bracketedPaste,
                mouseReports: mouseReports
            )
        )
        unsafe hoga_signals_set_reset(reset, reset.count)
    }

    func draw(_ frame: Frame) {
        // A signal on another thread may be ending the process, its terminal restored.
        if hoga_signals_is_armed() == 0 { return }
        let isUnchanged = previous?.cursor == frame.cursor
        let runs = frame.runs(since: previous)
        previous = frame
        if runs.isEmpty, isUnchanged { return }
        for run in runs { put(run, of: frame) }
        show(frame.cursor)
        unsafe wnoutrefresh(hoga_standard_window())
        doupdate()
    }

    private func put(_ run: Frame.Run, of frame: Frame) {
        buffer.removeAll(keepingCapacity: true)
        let start = run.row * frame.size.columns
        for cell in frame.cells[(start + run.columns.lowerBound)..<(start + run.columns.upperBound)]
        {
            let drawn = styles[cell.style]
            buffer.append(
                hoga_cell(
                    base: cell.base,
                    first_mark: cell.firstMark,
                    second_mark: cell.secondMark,
                    attributes: drawn.attributes,
                    pair: drawn.pair,
                    columns: cell.columns
                )
            )
        }
        unsafe hoga_put_cells(
            Int32(run.row),
            Int32(run.columns.lowerBound),
            buffer,
            Int32(buffer.count)
        )
    }

    /// The cursor marks the input position, where an input method shows its composition.
    private func show(_ cursor: Frame.Position?) {
        let window = unsafe hoga_standard_window()
        if isCursorShown != (cursor != nil) {
            isCursorShown = cursor != nil
            curs_set(isCursorShown ? 1 : 0)
        }
        unsafe leaveok(window, cursor == nil)
        if let cursor { unsafe wmove(window, Int32(cursor.row), Int32(cursor.column)) }
    }

    /// Switches modes that ncurses does not manage: bracketed paste and mouse reports.
    private func setModes(_ isOn: Bool) {
        for mode in [bracketedPaste, mouseReports] {
            if let mode { send(isOn ? mode.begin : mode.end) }
        }
    }

    /// Writes past ncurses, whose buffer is empty between two updates.
    func send(_ text: String) {
        send(Array(text.utf8))
    }

    private func send(_ bytes: [UInt8]) {
        var rest = bytes
        while !rest.isEmpty {
            // A signal may interrupt a write that the terminal is slow to take.
            let count = unsafe write(STDOUT_FILENO, rest, rest.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return }
            rest.removeFirst(count)
        }
    }

    func copy(_ text: String) {
        // A signal on another thread may be ending the process, its terminal restored.
        if hoga_signals_is_armed() == 0 { return }
        send(ClipboardSequence.bytes(text))
    }

    func notify(_ text: String) {
        if hoga_signals_is_armed() == 0 { return }
        // What a terminal without UTF-8 would take for a control character is left out, too.
        let text = characters == .ascii ? ASCIIText.text(text) : text
        send(NotificationSequence.bytes(text, notifications, isInTmux: isInTmux))
    }

    /// Sets up the reading of keys; false without memory for it.
    private func openKeys() -> Bool {
        raw()
        noecho()
        nonl()
        set_escdelay(Self.escapeDelayMilliseconds)
        // Finish a frame even if input arrives while it is drawn.
        typeahead(-1)
        guard let window = unsafe newpad(1, 1) else { return false }
        unsafe keyWindow = window
        unsafe keypad(window, true)
        unsafe nodelay(window, true)
        TerminalKeys.definePasteMarks()
        TerminalKeys.defineMouseReports()
        TerminalKeys.defineControlArrows()
        TerminalKeys.defineOtherArrows()
        return true
    }
}
