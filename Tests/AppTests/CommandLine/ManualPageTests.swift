import Foundation
import Glibc
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

    @Test("The configuration page lists the same exit codes, and both list those of signals")
    func exitCodesOfConfigurationPage() throws {
        let path = #filePath.split(separator: "/").dropLast(4).joined(separator: "/")
        let url = URL(filePath: "/\(path)/docs/configuration.md")
        let text = String(decoding: try Data(contentsOf: url), as: UTF8.self)
        let documented = text.split(separator: "\n").joined(separator: " ")
        let told = try #require(documented.range(of: "**Exit codes**:"))
        let rest = documented[told.upperBound...]
        let codes = rest[..<(rest.firstIndex(of: ";") ?? rest.endIndex)]
        let all = ExitCode.allCases.map { "\($0.rawValue) \($0)" }.joined(separator: ", ")
        #expect(codes == " " + all)
        #expect(rest.hasPrefix(" \(all); \(ExitCode.signalled) when signal n ended it: 130 "))
        #expect(page.contains(".B \(ExitCode.signalled)\n"))
        for signal in [SIGINT, SIGTERM, SIGSEGV] {
            let status = "\(128 + signal) after "
            #expect(rest.contains(status) && page.contains(status))
        }
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
