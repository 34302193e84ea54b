import FileOutput
import Foundation
import PresentationTerminal
import Testing

@testable import App

@Suite("System checks compare the machine with the needs of hoga")
struct SystemChecksTests {
    private func facts(
        isTerminal: Bool = true,
        _ columns: Int = 100,
        _ rows: Int = 30,
        locale: [String: String] = ["LANG": "ko_KR.UTF-8"],
        codeset: String? = "UTF-8",
        colors: Int? = 256,
        standIn: String? = nil
    ) -> TerminalInfo {
        TerminalInfo(
            isTerminal: isTerminal,
            size: TerminalSize(columns: columns, rows: rows),
            locale: NamedLocale(environment: locale),
            codeset: codeset,
            colorCount: colors,
            standIn: standIn
        )
    }

    @Test("a file with a secret must be closed to other users, wherever a link leads")
    func secretFiles() throws {
        let files = FileManager.default
        let folder = NSTemporaryDirectory() + "hoga-secrets-\(UUID().uuidString)"
        try files.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? files.removeItem(atPath: folder) }
        let (token, link) = (folder + "/token", folder + "/link")
        try Data("secret".utf8).write(to: URL(fileURLWithPath: token))
        try files.createSymbolicLink(atPath: link, withDestinationPath: token)
        for (mode, level) in [(0o600, .ok), (0o400, .ok), (0o640, .warn), (0o604, .warn)]
            as [(Int, DoctorFinding.Level)]
        {
            try files.setAttributes([.posixPermissions: mode], ofItemAtPath: token)
            let finding = SystemChecks.secretFiles([link])
            #expect(finding.level == level)
            #expect(finding.remedy?.hasPrefix("chmod 600 \(link); ") != false)
        }
    }

    @Test("a terminal needs UTF-8, colors, a minimum size and a terminfo entry")
    func terminal() {
        #expect(SystemChecks.terminal(facts()) == .ok("100x30, UTF-8, 256 colors"))
        #expect(SystemChecks.terminal(facts(isTerminal: false)) == .ok("no terminal; UTF-8"))
        #expect(SystemChecks.terminal(facts(codeset: "utf-8")).level == .ok)
        let bad = [
            facts(codeset: "ANSI_X3.4-1968"), facts(79, 30), facts(100, 23), facts(colors: 0),
        ]
        for facts in bad { #expect(SystemChecks.terminal(facts).level == .warn) }
        let unknown = SystemChecks.terminal(facts(colors: nil))
        #expect(unknown.level == .fail && unknown.remedy?.contains("TERM") == true)
        let replaced = SystemChecks.terminal(facts(standIn: "xterm-256color"))
        #expect(replaced.level == .warn && replaced.text.contains("uses xterm-256color"))
    }

    @Test(
        "a missing locale is named, and no fix changes the language",
        arguments: [
            (["LANG": "en_US.UTF-8"], nil, ["install it, or set LC_CTYPE=C.UTF-8"]),
            (["LANG": "ko_KR", "LC_CTYPE": "en_US.UTF-8"], nil, ["set LC_CTYPE=C.UTF-8"]),
            (
                ["LC_ALL": "en_US.UTF-8"], nil,
                ["replace LC_ALL by LANG=en_US.UTF-8 LC_CTYPE=C.UTF-8"]
            ),
            (["LANG": "ko_KR.EUC-KR"], "EUC-KR", ["set LC_CTYPE=C.UTF-8"]),
            ([:], "ANSI_X3.4-1968", ["set LC_CTYPE=C.UTF-8"]),
        ] as [([String: String], String?, [String])]
    )
    func locale(environment: [String: String], codeset: String?, remedies: [String]) {
        let finding = SystemChecks.terminal(facts(locale: environment, codeset: codeset))
        #expect(finding.level == .warn)
        let isNamed = finding.text.contains("locale en_US.UTF-8 is not installed")
        #expect(isNamed == (codeset == nil))
        for remedy in remedies { #expect(finding.remedy?.contains(remedy) == true) }
        #expect(finding.remedy?.contains("LC_ALL=") == false)
    }

    @Test("the hard limit on open files counts")
    func openFiles() {
        #expect(SystemChecks.openFiles(OpenFileLimit(limit: 256, limitMax: 4_096)).level == .ok)
        #expect(SystemChecks.openFiles(OpenFileLimit(limit: 4_095, limitMax: 4_095)).level == .warn)
        #expect(SystemChecks.openFiles(nil).level == .warn)
    }

    @Test("little available memory is a warning")
    func memory() {
        #expect(SystemChecks.memory(256 << 20) == .ok("256 MiB available"))
        #expect(SystemChecks.memory((256 << 20) - 1).level == .warn)
        #expect(SystemChecks.memory(nil).level == .ok)
    }

    @Test(
        "connections are limited by open files less 512, with a minimum",
        arguments: [
            (20_000, 1_048_576, 20_000), (20_000, 20_512, 20_000), (20_000, 20_511, 19_999),
            (20_000, 1_024, 512), (20_000, 600, 150), (10, 1_024, 10), (20_000, 1, 1),
            (20_000, nil, 20_000),
        ] as [(Int, Int?, Int)]
    )
    func connections(configured: Int, openFiles: Int?, expected: Int) {
        let count = ConnectionLimit.connectionsMax(configured: configured, openFiles: openFiles)
        #expect(count == expected)
    }
}
