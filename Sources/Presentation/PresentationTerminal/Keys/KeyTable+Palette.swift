import ViewStates

extension KeyTable {
    /// The keys that open the palette, and those in it.
    static let paletteBindings =
        [
            KeyBinding(
                .paletteOpen,
                [.character(":"), .control("p")],
                .palette(.open),
                in: [
                    .list, .periods, .indicators, .panel, .help, .book, .chart, .trades, .assets,
                    .portfolio, .more, .alerts,
                ],
                help: LocalizedText(ko: "코인·화면·기능 바로가기", en: "go to anything")
            ),
            // A colon is text in a field.
            KeyBinding(
                .searchPalette,
                [.control("p")],
                .palette(.open),
                in: [.search, .assetSearch]
            ),
            KeyBinding(
                .searchOpen,
                [.enter],
                .palette(.confirm),
                in: [.palette],
                hint: LocalizedText(ko: "이동", en: "go")
            ),
            KeyBinding(
                .searchLeave,
                [.escape],
                .palette(.dismiss),
                in: [.palette],
                hint: LocalizedText(ko: "닫기", en: "close")
            ),
            KeyBinding(.searchUp, [.up], .palette(.move(-1)), in: [.palette]),
            KeyBinding(.searchDown, [.down], .palette(.move(1)), in: [.palette]),
        ] + searchDeletion(.palette) { .palette(.delete($0)) }
}
