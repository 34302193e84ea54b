import Testing

@testable import App

@Suite("The manual page tells every command, setting, key and exit code")
struct ManualPageTests {
    private let page = ManualPage.text

    @Test("Every command with its operands and flags", arguments: Command.allCases)
    func commands(command: Command) {
        let operands = command.operands.map { " " + $0.spelling }.joined()
        #expect(page.contains(".B " + RoffText.escaped("hoga \(command.rawValue)\(operands)\n")))
        for option in command.options {
            #expect(page.contains(".B " + RoffText.escaped(option.rawValue)))
        }
    }

    @Test("Every setting with its variable, flag, key and default", arguments: Setting.allCases)
    func settings(setting: Setting) {
        #expect(page.contains(".B " + RoffText.escaped(setting.environmentName)))
        #expect(page.contains(setting.isSecret ? "_FILE names a file" : "Key: \(setting.key)."))
    }

    @Test("Every exit code", arguments: ExitCode.allCases)
    func exitCodes(code: ExitCode) {
        #expect(page.contains(".B \(code.rawValue)\n"))
    }

    @Test(
        "Text stands for itself, whatever it begins with",
        arguments: [
            ("a-b", "a\\-b"), (".SH x", "\\&.SH x"), ("'quoted", "\\&'quoted"), ("\\", "\\e"),
            ("plain", "plain"),
        ]
    )
    func escapes(text: String, expected: String) {
        #expect(RoffText.escaped(text) == expected)
    }

    @Test("Every line is a request that man(7) knows, or text")
    func requests() {
        let known: Set<Substring> = [
            ".TH", ".SH", ".SS", ".PP", ".TP", ".B", ".RS", ".RE", ".IP", ".br",
        ]
        for line in page.split(separator: "\n") where line.hasPrefix(".") || line.hasPrefix("'") {
            #expect(known.contains(line.split(separator: " ")[0]), "\(line)")
        }
        let lines = page.split(separator: "\n")
        #expect(lines.count { $0 == ".RS" } == lines.count { $0 == ".RE" })
    }
}
