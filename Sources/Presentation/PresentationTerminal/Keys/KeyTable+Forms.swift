import ViewStates

extension KeyTable {
    /// The keys of forms and questions.
    static let formBindings = [
        KeyBinding(
            .formSubmit,
            [.enter],
            .form(.submit),
            in: [.form],
            hint: LocalizedText(ko: "다음·저장", en: "next, save")
        ),
        KeyBinding(
            .formNext,
            [.tab, .down],
            .form(.next),
            in: [.form],
            hint: LocalizedText(ko: "이동", en: "move")
        ),
        KeyBinding(.formPrevious, [.backTab, .up], .form(.previous), in: [.form]),
        KeyBinding(.formDelete, [.backspace], .form(.delete(.character)), in: [.form]),
        KeyBinding(.formDeleteWord, [.control("w")], .form(.delete(.word)), in: [.form]),
        KeyBinding(.formClear, [.control("u")], .form(.delete(.all)), in: [.form]),
        KeyBinding(
            .questionYes,
            [.character("y")],
            .form(.submit),
            in: [.question],
            hint: LocalizedText(ko: "예", en: "yes")
        ),
        KeyBinding(
            .questionNo,
            [.character("n"), .escape],
            .form(.cancel),
            in: [.question],
            hint: LocalizedText(ko: "아니오", en: "no")
        ),
        KeyBinding(
            .formCancel,
            [.escape],
            .form(.cancel),
            in: [.form],
            hint: LocalizedText(ko: "취소", en: "cancel")
        ),
        // A submitted form cannot be withdrawn, only closed.
        KeyBinding(
            .formCancel,
            [.escape],
            .form(.cancel),
            in: [.saving],
            hint: LocalizedText(ko: "닫기", en: "close")
        ),
    ]
}
