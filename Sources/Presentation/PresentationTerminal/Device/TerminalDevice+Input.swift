import CNCurses
import Glibc

extension TerminalDevice {
    /// The maximum codes per read; the rest is read after the next frame.
    private static let codesMax = 4_096
    /// A paste without input for this long has lost its end marker.
    private static let pasteSilenceMax: Duration = .seconds(1)

    func wait(for timeout: Duration?) -> TerminalWake {
        if let wake = wakeWithoutInput { return wake }
        if !bufferedInput.isEmpty { return TerminalWake(hasInput: true) }
        var descriptors = [
            pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0),
            pollfd(fd: interrupt.descriptor, events: Int16(POLLIN), revents: 0),
        ]
        let count = unsafe poll(
            &descriptors,
            nfds_t(descriptors.count),
            milliseconds(timeout)
        )
        if count > 0, descriptors[1].revents != 0 { interrupt.clear() }
        var wake = wakeWithoutInput ?? TerminalWake()
        guard count > 0, wake.ending == nil else { return wake }
        let input = Int32(descriptors[0].revents)
        if input & (POLLHUP | POLLERR | POLLNVAL) != 0 { wake.ending = .hangUp }
        if input & POLLIN != 0 {
            wake.hasInput = true
            // Readable but empty means end of input; reading would spin.
            if hoga_signals_readable_bytes(STDIN_FILENO) == 0 { wake.ending = .hangUp }
        }
        return wake
    }

    func readInput() -> [InputEvent] {
        var events: [InputEvent] = []
        let now = uptime
        if decoder.isPasting, now - lastInputAt > Self.pasteSilenceMax {
            events = decoder.abandonPaste()
        }
        lastInputAt = now
        let units = bufferedInput + readUnits()
        bufferedInput = []
        let decoded = decoder.decode(units)
        // Reports without a request belong to an earlier program.
        return events + (mouseReports == nil ? decoded.filter { !$0.isMouse } : decoded)
    }

    /// Asks the terminal for its background color and waits briefly for the answer.
    ///
    /// The second query is one that every terminal answers, which ends the wait on terminals that
    /// ignore the first. Late answers are accepted.
    func askForBackground() {
        replies.expect()
        send(TerminalReplies.questions)
        let deadline = uptime + patience.first
        while replies.isAwaited, Self.endingSignal == 0, !interrupt.isCancelled {
            guard let units = readUnits(until: deadline) else { break }
            bufferedInput += units
        }
    }

    /// Waits for an answer that is still on its way, before the terminal is given back: a shell
    /// would take it for typed.
    func waitForReplies() {
        while replies.isAwaited, let units = readUnits(until: repliesDueAt) {
            if bufferedInput.count < Self.codesMax { bufferedInput += units }
        }
    }

    /// Input read before a deadline; empty if a signal ended the wait, nil if no more input can
    /// arrive.
    private func readUnits(until deadline: Duration) -> [InputUnit]? {
        let rest = deadline - uptime
        guard rest > .zero else { return nil }
        var input = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
        let count = unsafe poll(&input, 1, milliseconds(rest))
        if count < 0, errno == EINTR { return [] }
        guard count > 0, Int32(input.revents) & POLLIN != 0,
            hoga_signals_readable_bytes(STDIN_FILENO) > 0
        else { return nil }
        return readUnits()
    }

    /// All readable input except the terminal's replies.
    private func readUnits() -> [InputUnit] {
        var units: [InputUnit] = []
        // Bytes are put together by the decoder: get_wch would lose the first half of a character
        // whose second half has not arrived.
        for _ in 0..<Self.codesMax {
            let code = unsafe wgetch(keyWindow)
            if code == ERR { break }
            if let unit = TerminalKeys.unit(of: code) { units.append(unit) }
        }
        units = replies.taken(from: units)
        if let told = replies.background { background = told }
        return units
    }

    /// The signal that asked the process to end; 0 if none.
    static var endingSignal: Int32 { hoga_signals_ending_signal() }

    /// Events raised by signals and other threads; nil if none.
    private var wakeWithoutInput: TerminalWake? {
        var wake = TerminalWake()
        let notices = Int(hoga_signals_take_notices())
        wake.isResized = notices & HOGA_NOTICE_RESIZED != 0
        wake.isStopRequested = notices & HOGA_NOTICE_STOP != 0
        wake.isContinued = notices & HOGA_NOTICE_CONTINUED != 0
        if Self.endingSignal != 0 {
            wake.ending = .signal(Self.endingSignal)
        } else if interrupt.isCancelled {
            wake.ending = .cancelled
        }
        return wake == TerminalWake() ? nil : wake
    }

    /// Milliseconds, rounded up so that a deadline has passed when the wait ends.
    private func milliseconds(_ timeout: Duration?) -> Int32 {
        guard let timeout else { return -1 }
        let (seconds, attoseconds) = min(timeout, .seconds(3_600)).components
        return Int32(seconds * 1_000 + (attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000)
    }
}
