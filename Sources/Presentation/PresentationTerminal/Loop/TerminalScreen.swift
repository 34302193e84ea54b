/// The terminal as the loop sees it: the ncurses device, or a script in tests.
protocol TerminalScreen: AnyObject {
    /// A monotonic clock.
    var uptime: Duration { get }

    /// How many colors it has.
    var colors: ColorDepth { get }

    /// The background; nil while unknown. The terminal's answer may arrive late.
    var background: TerminalBackground? { get }

    /// Which characters it shows.
    var characters: TerminalCharacters { get }

    /// The colors; a change draws the next frame completely.
    var theme: Theme { get set }

    /// The current size; a change draws the next frame completely.
    func measure() -> TerminalSize

    /// Draws a frame, sending only the differences from the last one.
    func draw(_ frame: Frame)

    /// Whether texts are sent to its clipboard.
    var clipboard: ClipboardAccess { get }

    /// Sends a text of at most ``ClipboardSequence/textBytesMax`` bytes to its clipboard.
    func copy(_ text: String)

    /// Tells the user about an alert, even while another window has the focus; as far as the
    /// terminal can, and the user wants it.
    func notify(_ text: String)

    /// Waits for an event or the timeout; nil waits without limit.
    func wait(for timeout: Duration?) -> TerminalWake

    /// All pending input; never blocks.
    func readInput() -> [InputEvent]

    /// Restores the terminal for the shell and stops the program; returns when it is continued.
    ///
    /// - Parameter isGroup: whether the whole job stops, as for Ctrl-Z, or only this process, as
    ///   for a signal sent to it.
    func suspend(isGroup: Bool)

    /// Takes the terminal back after a stop. In the background, waits for the foreground. The next
    /// frame is drawn completely.
    func resume()

    /// Forgets the screen's content, so that the next frame is drawn completely.
    func invalidate()
}

/// Why a wait ended.
struct TerminalWake: Sendable, Equatable {
    /// Input is readable.
    var hasInput = false
    /// The window has another size, or had one in between.
    var isResized = false
    /// The process was asked to stop (SIGTSTP).
    var isStopRequested = false
    /// The process was continued after a stop.
    var isContinued = false
    /// Why the loop must end.
    var ending: TerminalEnding?
}

/// How a session at the terminal came to its end.
public enum TerminalEnding: Sendable, Hashable {
    /// The user pressed the key for it.
    case quit
    /// The signal with this number.
    case signal(Int32)
    /// The terminal disconnected.
    case hangUp
    /// The task that ran it was cancelled.
    case cancelled
}
