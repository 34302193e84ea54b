import Foundation
import Glibc
import Testing

@testable import App

@Suite("The manual page lists every command, setting, key and exit code")
struct ManualPageTests {
    private let page = ManualPage.text

    @Test("it lists every command with its operands and flags", arguments: Command.allCases)
    func commands(command: Command) {
        #expect(page.contains(".B " + RoffText.escaped("hoga \(command.spelling)\n")))
        for option in command.options {
            #expect(page.contains(".B " + RoffText.escaped(option.flag)))
        }
    }

    @Test(
        "it lists every setting with its variable, flag, key and default",
        arguments: Setting.allCases
    )
    func settings(setting: Setting) {
        #expect(page.contains(".B " + RoffText.escaped(setting.environmentName)))
        let source = setting.isSecret ? "_FILE to read it from a file" : "Key: \(setting.key)."
        #expect(page.contains(source))
    }

    @Test("it lists every exit code", arguments: ExitCode.allCases)
    func exitCodes(code: ExitCode) {
        #expect(page.contains(".B \(code.rawValue)\n"))
    }

    @Test("the configuration page lists the same exit codes, and both explain signals")
    func exitCodesOfConfigurationPage() throws {
        let path = #filePath.split(separator: "/").dropLast(4).joined(separator: "/")
        let url = URL(filePath: "/\(path)/docs/configuration.md")
        let text = String(decoding: try Data(contentsOf: url), as: UTF8.self)
        let documented = text.split(separator: "\n").joined(separator: " ")
        let heading = try #require(documented.range(of: "**Exit codes**:"))
        let rest = documented[heading.upperBound...]
        let all = ExitCode.allCases.map { "\($0.rawValue) \($0)" }.joined(separator: ", ")
        #expect(rest.hasPrefix(" \(all), \(ExitCode.signaled) killed by signal n, e.g. 139 "))
        #expect(page.contains(".B \(ExitCode.signaled)\n"))
        for signal in [SIGINT, SIGTERM, SIGSEGV] {
            let status = "\(128 + signal) after "
            #expect(rest.contains(status) && page.contains(status))
        }
    }

    @Test(
        "text is escaped",
        arguments: [
            ("a-b", "a\\-b"), (".SH x", "\\&.SH x"), ("'quoted", "\\&'quoted"), ("\\", "\\e"),
            ("plain", "plain"),
        ]
    )
    func escapes(text: String, expected: String) {
        #expect(RoffText.escaped(text) == expected)
    }

    @Test("every line is text or a known man(7) request")
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
