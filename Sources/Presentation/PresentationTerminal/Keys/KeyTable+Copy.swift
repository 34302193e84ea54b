import ViewStates

extension KeyTable {
    /// The keys that copy to the terminal's clipboard.
    static let copyBindings = [
        binding(.copyValue, "y", .marked),
        binding(.copyScreen, "Y", .screen),
    ]

    private static func binding(
        _ command: KeyCommand,
        _ key: Unicode.Scalar,
        _ target: CopyTarget
    ) -> KeyBinding {
        KeyBinding(
            command,
            [.character(key)],
            .copy(target),
            in: [.list, .book, .chart, .trades, .assets, .portfolio, .more, .alerts],
            help: LocalizedText(ko: "값·화면 복사", en: "copy value, screen")
        )
    }
}
