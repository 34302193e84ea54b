import Foundation

/// hoga, started by hand in a window.
extension TerminalWindow {
    /// What a test watches if it does not care what: the exchange that hoga simulates in itself.
    static let simulated = "--exchange simulated --krw-markets 10 --rate 50"

    /// Starts hoga in the window's shell, answers what a first start asks, and waits for the list.
    ///
    /// - Parameters:
    ///   - arguments: of `hoga watch`.
    ///   - firstLook: whether a picture is the first one to go on from; without it, the list with a
    ///     market in it.
    /// - Returns: that picture.
    @discardableResult
    func watch(
        _ arguments: String = TerminalWindow.simulated,
        firstLook: (Picture) -> Bool = { $0.contains("비트코인") && $0.contains("Enter 열기") }
    ) async throws -> Picture {
        try run("$HOGA watch \(arguments)")
        // What a first start asks is answered with nothing; a second start asks nothing.
        let asked = try await picture("the first questions or the list") {
            $0.contains("처음 시작") || firstLook($0)
        }
        if asked.contains("처음 시작") { try press("Escape") }
        return try await picture("the list alone") { !$0.contains("처음 시작") && firstLook($0) }
    }
}
