import PresentationTerminal

extension SettingReader {
    /// What is decided for the terminal, and not left to it.
    func terminal() throws(ProgramError) -> TerminalChoices {
        TerminalChoices(
            colors: try choice(
                .colorDepth,
                of: [
                    ("auto", nil), ("true", .trueColor), ("256", .indexed256), ("16", .sixteen),
                    ("8", .eight), ("none", ColorDepth.none),
                ] as [(word: String, value: ColorDepth?)]
            ),
            characters: try choice(
                .ascii,
                of: [
                    ("auto", nil), ("true", .ascii), ("false", .unicode),
                ] as [(word: String, value: TerminalCharacters?)]
            )
        )
    }
}
