/// What the loop needs of a terminal: the device over ncurses, or a script in a test.
protocol TerminalScreen: AnyObject {
    /// A clock that only goes forward.
    var uptime: Duration { get }

    /// How many colours it has.
    var colors: ColorDepth { get }

    /// Its background; nil as long as nobody knows it. An answer may come late.
    var background: TerminalBackground? { get }

    /// Which characters it shows.
    var characters: TerminalCharacters { get }

    /// Which colour each meaning has; where it is changed the next picture is sent whole.
    var theme: Theme { get set }

    /// The present size; if it is another one than before, the next picture is sent whole.
    func measure() -> TerminalSize

    /// Shows a picture, sending only what differs from the last one.
    func draw(_ frame: Frame)

    /// Waits until something happens or the time is over; nil waits for as long as it takes.
    func wait(for timeout: Duration?) -> TerminalWake

    /// Everything that was typed or pasted since; never waits.
    func readInput() -> [InputEvent]

    /// Gives the terminal back to the shell and stops the program; returns when it is continued.
    ///
    /// - Parameter isGroup: whether the whole job stops, as for a key, or only this process, as for
    ///   a signal that was sent to it.
    func suspend(isGroup: Bool)

    /// Takes the terminal, which a shell may have had and changed; in the background, when the
    /// program is continued in the foreground. The next picture is sent whole.
    func resume()

    /// Forgets what is on the screen, so that the next picture is sent whole.
    func invalidate()
}

/// Why a wait ended.
struct TerminalWake: Sendable, Equatable {
    /// Input is there to be read.
    var hasInput = false
    /// The window has another size.
    var isResized = false
    /// Somebody asked the process to stop until it is continued.
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
    /// A signal asked for it, by its number.
    case signal(Int32)
    /// The terminal is gone.
    case hangUp
    /// The task that ran it was cancelled.
    case cancelled
}
