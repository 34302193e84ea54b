import ViewStates

/// Copies to the terminal's clipboard.
extension TerminalLoop {
    /// Copies what the screen shows, and says in the bottom line whether it was sent.
    mutating func copy(_ target: CopyTarget) {
        // Keys arrive faster than frames: the last frame may show another screen or the palette.
        reorderIfDue()
        draw()
        perform(ScreenReducer.reduce(&state, .copied(result(of: target))))
    }

    private func result(of target: CopyTarget) -> CopyResult {
        switch screen.clipboard {
        case .off: return .off
        case .unknown: return .unknownTerminal
        case .available: break
        }
        guard let text = text(of: target) else { return .nothingMarked }
        guard text.utf8.count <= ClipboardSequence.textBytesMax else { return .tooLong }
        screen.copy(text)
        return .copied
    }

    private func text(of target: CopyTarget) -> String? {
        guard let seen else { return nil }
        let frame = screen.characters == .ascii ? seen.inASCII : seen
        switch target {
        case .screen: return CopiedText.screen(of: frame)
        case .marked:
            guard let detail = state.focusedDetail else { return CopiedText.selectedRow(of: frame) }
            let query = detail.query(period: state.list.period, language: language, now: model.now)
            return CopiedText.value(
                of: model.detail(query).state,
                crosshair: detail.focus == .chart ? detail.chart.crosshair : nil
            )
        }
    }
}
