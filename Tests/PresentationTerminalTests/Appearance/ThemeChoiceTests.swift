import Domain
import Testing

@testable import PresentationTerminal

@Suite("Theme, color depth and characters follow the user, then the terminal")
struct ThemeChoiceTests {
    @Test(
        "A selected theme applies; only auto depends on the background",
        arguments: [
            (UserSettings.Theme.auto, TerminalBackground.light, Theme.Shades.light),
            (.auto, .dark, .dark), (.auto, nil, .dark), (.light, .dark, .light),
            (.light, nil, .light), (.dark, .light, .dark), (.highContrast, .light, .highContrast),
        ] as [(UserSettings.Theme, TerminalBackground?, Theme.Shades)]
    )
    func shades(wanted: UserSettings.Theme, background: TerminalBackground?, shades: Theme.Shades) {
        for directions in UserSettings.Colors.allCases {
            let theme = Theme(
                colors: .sixteen,
                wanted: wanted,
                background: background,
                directions: directions
            )
            #expect(theme == Theme(colors: .sixteen, shades: shades, directions: directions))
        }
    }

    @Test(
        "A selected depth overrides NO_COLOR but not the terminal's limit",
        arguments: [
            (256, ColorDepth.sixteen, ColorDepth.sixteen), (256, .trueColor, .indexed256),
            (8, .indexed256, .eight), (0, .trueColor, .none), (256, ColorDepth.none, .none),
            (1 << 24, .trueColor, .trueColor),
        ]
    )
    func depth(count: Int, wanted: ColorDepth, expected: ColorDepth) {
        for environment in [[:], ["NO_COLOR": "1"]] {
            #expect(
                ColorDepth(colorCount: count, environment: environment, wanted: wanted) == expected
            )
        }
    }

    @Test(
        "ASCII applies to locales with other character sets and to the Linux console",
        arguments: [
            ([:], "ANSI_X3.4-1968", TerminalCharacters.unicode),
            (["LANG": "C"], "ANSI_X3.4-1968", .unicode), (["LC_ALL": "POSIX"], nil, .unicode),
            (["LANG": "C.UTF-8"], "UTF-8", .unicode), (["LANG": "ko_KR.utf8"], nil, .unicode),
            (["LANG": "ko_KR.UTF-8"], "UTF-8", .unicode),
            (["LANG": "ko_KR.eucKR"], "EUC-KR", .ascii), (["LANG": "ko_KR.EUC-KR"], nil, .ascii),
            (["LANG": "en_US"], "ISO-8859-1", .ascii), (["LANG": "en_US"], nil, .unicode),
            (["LANG": "de_DE@euro"], "ISO-8859-15", .ascii),
            (["LANG": "en_US.ISO-8859-1", "LC_ALL": "C.UTF-8"], "UTF-8", .unicode),
            (["LANG": "C.UTF-8", "LC_CTYPE": "ko_KR.CP949"], "CP949", .ascii),
            (["LANG": "ko_KR.UTF-8", "LC_ALL": ""], "UTF-8", .unicode),
            (["LANG": "ko_KR.UTF-8", "TERM": "linux"], "UTF-8", .ascii),
        ] as [([String: String], String?, TerminalCharacters)]
    )
    func characters(environment: [String: String], codeset: String?, expected: TerminalCharacters) {
        #expect(TerminalCharacters(environment: environment, codeset: codeset) == expected)
    }
}
