import ViewStates

extension KeyTable {
    /// 알림.
    static let alertBindings = [
        KeyBinding(
            .alertOpen,
            [.enter],
            .alerts(.open),
            in: [.alerts],
            help: LocalizedText(ko: "마켓 열기·규칙 수정", en: "open market, edit rule"),
            hint: LocalizedText(ko: "열기", en: "open")
        ),
        // Two keys: Korean keyboards have no capital of this letter.
        KeyBinding(
            .alertAdd,
            [.character("A"), .character("a")],
            .newAlert,
            in: [.alerts],
            help: LocalizedText(ko: "알림 추가", en: "add an alert"),
            hint: LocalizedText(ko: "추가", en: "add")
        ),
        KeyBinding(
            .alertRemove,
            [.character("x"), .delete],
            .alerts(.remove),
            in: [.alerts],
            help: LocalizedText(ko: "규칙 삭제", en: "remove a rule"),
            hint: LocalizedText(ko: "삭제", en: "remove")
        ),
        KeyBinding(
            .alertsSection,
            [.tab, .backTab],
            .alerts(.otherSection),
            in: [.alerts],
            help: LocalizedText(ko: "알림·규칙", en: "log, rules"),
            hint: LocalizedText(ko: "알림·규칙", en: "log, rules")
        ),
        KeyBinding(
            .back,
            [.escape],
            .alerts(.dismiss),
            in: [.alerts],
            help: LocalizedText(ko: "거래소로", en: "to the list"),
            hint: LocalizedText(ko: "거래소", en: "list")
        ),
    ]
}
