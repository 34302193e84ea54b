import Cryptography

/// The control sequences by which terminals show a notification.
///
/// Sources (seen 2026-11): iTerm2, Proprietary Escape Codes (OSC 9); foot, foot-ctlseqs(7)
/// (OSC 777); kitty, Desktop notifications (OSC 99); tmux(1), `allow-passthrough`.
enum NotificationSequence {
    /// The most characters of a text.
    static let charactersMax = 200

    private static let escape = "\u{1B}"
    private static let end = escape + "\\"

    /// The sequence for a text, which cannot end it or begin another one.
    ///
    /// - Parameters:
    ///   - text: any text; a part of it is shown.
    ///   - method: how.
    ///   - isInTmux: whether tmux must pass the sequence on.
    /// - Returns: the bytes; empty for no notification.
    static func bytes(_ text: String, _ method: NotificationMethod, isInTmux: Bool) -> [UInt8] {
        let text = TextWidth.drawn(String(text.prefix(charactersMax)))
        let sequence: String
        switch method {
        case .off: return []
        case .bell: return [7]
        // A text that begins with a number and a semicolon would be another command of OSC 9.
        case .osc9: sequence = "\(escape)]9;hoga: \(text)\(end)"
        case .osc777: sequence = "\(escape)]777;notify;hoga;\(text)\(end)"
        case .osc99:
            let encoded = Cryptography.base64(Array("hoga: \(text)".utf8))
            sequence = "\(escape)]99;e=1;\(encoded)\(end)"
        }
        guard isInTmux else { return Array(sequence.utf8) }
        let doubled = sequence.split(separator: escape, omittingEmptySubsequences: false)
            .joined(separator: escape + escape)
        return Array("\(escape)Ptmux;\(doubled)\(end)".utf8)
    }
}
