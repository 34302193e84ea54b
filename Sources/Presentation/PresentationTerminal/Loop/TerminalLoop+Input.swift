import ViewStates

/// Handles keys, pastes and mouse events.
extension TerminalLoop {
    var isSaving: Bool { state.form?.isSaving ?? false }

    /// Handles pending and new events in order, then requests one frame.
    ///
    /// While a form is being saved, later input is queued. Esc closes the form; if input is queued
    /// before it, Esc is queued too.
    ///
    /// - Returns: whether an event ends the program.
    mutating func handleInput(_ events: [InputEvent]) -> Bool {
        guard !events.isEmpty || !waiting.isEmpty else { return false }
        var isQuit = false
        var hasHandledAny = handleWaiting(&isQuit)
        for event in events where !isQuit {
            var event = event
            if case .mouse(let mouse) = event {
                guard let key = point(mouse, &isQuit, &hasHandledAny) else { continue }
                event = .key(key)
            }
            hasHandledAny = true
            if event == .key(.control("z")) {
                suspend(isGroup: true)
            } else if event == .key(.control("l")) {
                repaint()
            } else if undrawnFormResult == .refused, event != .key(.control("c")) {
                // Typed for what comes after a form that in truth is open again.
                continue
            } else if isSaving, keys.action(for: event, in: state) != nil {
                let isClosing = keys.action(for: event, in: state) == .form(.cancel)
                isQuit = handle(event)
                if isClosing, !waiting.isEmpty { waiting.append(event) }
            } else {
                waiting.append(event)
            }
            if !isQuit { _ = handleWaiting(&isQuit) }
        }
        if isQuit { return true }
        reorderIfDue()
        if hasHandledAny { schedule.requestNow(at: screen.uptime) }
        return false
    }

    /// Handles what waits, up to the next form that is being kept.
    ///
    /// - Returns: whether anything was handled.
    private mutating func handleWaiting(_ isQuit: inout Bool) -> Bool {
        var hasHandledAny = false
        while !isQuit {
            applyUserState()
            guard !isSaving, !waiting.isEmpty else { break }
            if undrawnFormResult == .saved {
                // The next key is about the screen without the form, and its rows as they are now.
                reorderIfDue()
                draw()
            }
            guard let event = waiting.takeFirst() else { break }
            isQuit = handle(event)
            hasHandledAny = true
        }
        return hasHandledAny
    }

    /// Handles one key or paste.
    ///
    /// - Returns: whether it ends the program.
    private mutating func handle(_ event: InputEvent) -> Bool {
        keys.action(for: event, in: state).map { handle($0) } ?? false
    }

    /// Performs an action.
    ///
    /// - Returns: whether it ends the program.
    private mutating func handle(_ action: ScreenAction) -> Bool {
        // The effect would be invisible on a screen that is too small.
        if SmallScreenNotice.isTooSmall(size), !SmallScreenNotice.allows(action) { return false }
        // Typing requests one reorder per batch; any other action needs it now.
        if !action.isTyping { reorderIfDue() }
        if action == .form(.submit), state.form?.takesCoin ?? false {
            perform(ScreenReducer.reduce(&state, .form(.know(model.coins))))
        }
        if action == .form(.submit), state.form?.takesRule ?? false {
            perform(ScreenReducer.reduce(&state, .form(.knowRules(model.alertContext))))
        }
        // A market that was opened first hides a list that was never read.
        if case .stepMarket = action, state.list.order.isEmpty { reorder() }
        // Keys arrive faster than frames, so the data that this key needs is read now.
        if ScreenReducer.awaits(action, state) || state.needsCurrentFrame(for: action)
            || outruns(action)
        {
            _ = readContent(model.now)
        }
        for effect in ScreenReducer.reduce(&state, action) {
            switch effect {
            case .reorder: isReorderDue = true
            case .act(let action): if handle(action) { return true }
            case .quit: return true
            case .reload, .hold, .perform, .openMarket, .compare, .saveChart, .copy,
                .suggestAlert, .notify:
                perform([effect])
            }
        }
        return false
    }

    /// Handles a mouse event; ignored while a form is being saved, because the visible rows may
    /// change.
    ///
    /// - Returns: the key that the click stands for, if any.
    private mutating func point(
        _ event: MouseEvent,
        _ isQuit: inout Bool,
        _ hasHandledAny: inout Bool
    ) -> Key? {
        guard let seen else { return nil }
        switch MouseHandler.answer(to: event, on: seen, in: state) {
        case .key(let key): return key
        case .actions(let actions):
            guard !isSaving, waiting.isEmpty, undrawnFormResult == nil else { return nil }
            for action in actions where !isQuit {
                isQuit = handle(action)
                hasHandledAny = true
            }
            return nil
        }
    }
}

extension ScreenAction {
    /// Whether it only changes the search text.
    fileprivate var isTyping: Bool {
        switch self {
        case .list(.typeSearch), .list(.deleteSearch): true
        default: false
        }
    }
}
