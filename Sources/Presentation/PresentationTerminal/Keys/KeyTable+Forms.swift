import ViewStates

extension KeyTable {
    /// The keys of forms and questions.
    static let formBindings = [
        KeyBinding(
            .formSubmit,
            [.enter],
            .form(.submit),
            in: [.form],
            hint: LocalizedText(korean: "다음·저장", english: "next, save")
        ),
        KeyBinding(
            .formNext,
            [.tab, .down],
            .form(.next),
            in: [.form],
            hint: LocalizedText(korean: "이동", english: "move")
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
            hint: LocalizedText(korean: "예", english: "yes")
        ),
        KeyBinding(
            .questionNo,
            [.character("n"), .escape],
            .form(.cancel),
            in: [.question],
            hint: LocalizedText(korean: "아니오", english: "no")
        ),
        KeyBinding(
            .formCancel,
            [.escape],
            .form(.cancel),
            in: [.form],
            hint: LocalizedText(korean: "취소", english: "cancel")
        ),
        // What was handed in cannot be taken back; only the form can go out of the way.
        KeyBinding(
            .formCancel,
            [.escape],
            .form(.cancel),
            in: [.saving],
            hint: LocalizedText(korean: "닫기", english: "close")
        ),
    ]
}
