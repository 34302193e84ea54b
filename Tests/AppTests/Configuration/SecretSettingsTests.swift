import Domain
import Foundation
import TestSupport
import Testing

@testable import App

@Suite("Secrets come from a variable or a file and are never shown")
struct SecretSettingsTests {
    private static let secrets = Setting.allCases.filter(\.isSecret)
    private static let values: [Setting: String] = [
        .databaseURL: "postgresql://kim:s3cret@db.example:5432/hoga",
        .databaseSessionURL: "host=db.example dbname=hoga password=s3cret",
        .databaseReadURL: "host=db1,db2 dbname=hoga password=s3cret",
        .token: "hoga_" + String(repeating: "s3cret", count: 7) + "A",
        .webhookKey: String(repeating: "s3cret", count: 7) + "A=",
    ]

    private func resolve(
        _ environment: [String: String],
        flags: [Setting: String] = [:],
        file: String? = nil
    ) throws -> Configuration {
        try ConfigurationSources(
            flags: flags,
            environment: environment,
            secrets: try SecretFiles.values(environment),
            file: file.map { Array($0.utf8) }
        ).resolve()
    }

    /// Writes a file that goes when the body ends.
    private func withFile(_ bytes: [UInt8], _ body: (String) throws -> Void) throws {
        let path = NSTemporaryDirectory() + "hoga-secret-\(UUID().uuidString)"
        try Data(bytes).write(to: URL(fileURLWithPath: path))
        defer { try? FileManager.default.removeItem(atPath: path) }
        try body(path)
    }

    /// The other variables that the setting requires.
    private func base(_ setting: Setting) -> [String: String] {
        [.databaseSessionURL, .databaseReadURL].contains(setting)
            ? ["HOGA_DATABASE_URL": "postgresql://h/d"] : [:]
    }

    private func text(_ setting: Setting, _ configuration: Configuration) -> String? {
        switch (setting, configuration.store) {
        case (.token, _): configuration.token?.text
        case (.webhookKey, _):
            // Keys have no text form.
            Self.values[setting].flatMap { text in
                (try? WebhookKeys(parsing: text)) == configuration.webhookKeys ? text : nil
            }
        case (.databaseURL, .postgresql(let choice)): choice.url
        case (.databaseSessionURL, .postgresql(let choice)): choice.sessionURL
        case (.databaseReadURL, .postgresql(let choice)): choice.readURL
        default: nil
        }
    }

    @Test("every origin gives the value, and config show masks it", arguments: secrets)
    func origins(setting: Setting) throws {
        let value = try #require(Self.values[setting])
        let variable = base(setting).merging([setting.environmentName: value]) { $1 }
        let fileName = try #require(setting.fileVariable)
        try withFile(Array("  \(value)\r\n\n".utf8)) { path in
            let key = base(setting).merging([fileName: path]) { $1 }
            let json = #"{"\#(setting.key)":"\#(value)"}"#
            let cases: [(Configuration, Configuration.Origin, String)] = [
                (try resolve(variable), .environment, "environment"),
                (try resolve(key), .secretFile(path: path), "secret file \(path)"),
                (try resolve(base(setting), file: json), .file, "config.json"),
                (
                    try resolve(key, file: #"{"\#(setting.key)":"other"}"#),
                    .secretFile(path: path), "secret file \(path)"
                ),
            ]
            for (configuration, origin, words) in cases {
                #expect(text(setting, configuration) == value)
                #expect(configuration.entries[setting]?.origin == origin)
                let shown = ConfigCommand(configuration: configuration).text
                #expect(!shown.contains("s3cret"))
                let line = shown.split(separator: "\n").first { $0.hasPrefix(setting.key + " ") }
                #expect(line?.contains(ConfigCommand.mask) == true)
                #expect(line?.contains(words) == true)
            }
        }
    }

    @Test("an unusable file is refused by name, without its content", arguments: secrets)
    func files(setting: Setting) throws {
        let name = try #require(setting.fileVariable)
        func error(_ path: String) -> ProgramError? {
            #expect(throws: ProgramError.self) {
                try resolve(base(setting).merging([name: path]) { $1 })
            }
        }
        let folder = NSTemporaryDirectory()
        for (path, words) in [
            (folder + "/not-there", "cannot read"), (folder, "cannot read"),
            ("", "cannot read"), ("/dev/zero", "cannot read"),
        ] {
            let error = error(path)
            #expect(error?.exitCode == .configuration)
            #expect(error?.description.hasPrefix(name + ":") == true)
            #expect(error?.description.contains(words) == true, "\(path)")
        }
        for (bytes, words) in [
            ([], "is empty"), (Array(" \n\t".utf8), "is empty"), ([0xff, 0xfe], "not UTF-8"),
            (Array(repeating: UInt8(ascii: "x"), count: 70_000), "larger than"),
            (Array("s3cret s3cret".utf8), ": "),
            (Array("s3cret\ns3cret".utf8), setting.hasLines ? "line 1 is not" : "several lines"),
        ] as [([UInt8], String)] {
            try withFile(bytes) { path in
                let error = error(path)
                #expect(error?.exitCode == .configuration)
                #expect(error?.description.hasPrefix(name + ":") == true)
                #expect(error?.description.contains(words) == true)
                #expect(error?.description.contains("s3cret") == false)
            }
        }
    }

    @Test("an empty variable is refused", arguments: secrets, ["", "  "])
    func empty(setting: Setting, text: String) {
        let error = #expect(throws: ProgramError.self) {
            try resolve(base(setting).merging([setting.environmentName: text]) { $1 })
        }
        #expect(error?.exitCode == .configuration)
        #expect(error?.description.hasPrefix(setting.environmentName + " is empty") == true)
    }

    @Test(
        "an invalid address is refused without repeating it",
        arguments: [
            "postgresql://svc:TOP/SECRET@127.0.0.1:5432/db", "postgresql://svc:TOP@SECRET@h/db",
            "postgresql://svc:SECRET", "postgresql://svc:TOP@h/d?sslmode=SECRET",
            "postgresql://TOP:SECRET/db",
        ]
    )
    func addresses(text: String) throws {
        func check(_ environment: [String: String], _ words: String...) {
            let error = #expect(throws: ProgramError.self) { try resolve(environment) }
            #expect(error?.exitCode == .configuration)
            let description = error?.description ?? ""
            for word in words { #expect(description.contains(word), "\(description)") }
            for part in ["TOP", "SECRET", "svc"] { #expect(!description.contains(part)) }
        }
        check(["HOGA_DATABASE_URL": text], "HOGA_DATABASE_URL: ")
        check(
            ["HOGA_DATABASE_URL": "postgresql://h/d", "HOGA_DATABASE_SESSION_URL": text],
            "HOGA_DATABASE_SESSION_URL: "
        )
        check(
            ["HOGA_DATABASE_URL": "postgresql://h/d", "HOGA_DATABASE_READ_URL": text],
            "HOGA_DATABASE_READ_URL: "
        )
        try withFile(Array(text.utf8)) { path in
            check(["HOGA_DATABASE_URL_FILE": path], "HOGA_DATABASE_URL_FILE: ", path)
        }
        if !text.contains("sslmode") { check(["HOGA_DATABASE_URL": text], "%2F", "%40") }
    }

    @Test("a token or key file that others can read causes a warning; other secrets do not")
    func modes() throws {
        try withFile(Array((Self.values[.token] ?? "").utf8)) { path in
            for (mode, isOpen) in [(0o600, false), (0o400, false), (0o640, true), (0o604, true)] {
                try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
                for setting in Self.secrets {
                    let name = try #require(setting.fileVariable)
                    let secrets = try SecretFiles.values([name: path])
                    let warnings = SecretFiles.warnings(secrets, for: Self.secrets)
                    let isChecked = [.token, .webhookKey].contains(setting)
                    #expect((warnings.count == 1) == (isOpen && isChecked), "\(mode)")
                    for warning in warnings {
                        #expect(warning.hasPrefix(name + ": other users can read"))
                        #expect(warning.hasSuffix("chmod 600 \(path)"))
                    }
                    #expect(SecretFiles.warnings(secrets, for: [.databaseURL]).isEmpty)
                }
            }
        }
    }

    @Test("config.json is a file with secrets if one of its values is a secret, in use or not")
    func configurationFile() throws {
        let home = ["HOME": "/home/kim"]
        func paths(_ text: String?, _ environment: [String: String]) throws -> Set<String> {
            let entries = try resolve(environment, file: text).entries
            return SecretFiles.paths(
                entries,
                try ConfigurationFile(text.map { Array($0.utf8) }),
                environment
            )
        }
        let token = try #require(Self.values[.token])
        let path = "/home/kim/.config/hoga/config.json"
        let secret = #"{"token": "\#(token)"}"#
        #expect(try paths(nil, home).isEmpty)
        #expect(try paths(#"{"period": "1H"}"#, home).isEmpty)
        #expect(try paths(secret, home) == [path])
        let given = home.merging(["HOGA_TOKEN": token]) { $1 }
        #expect(try paths(secret, given) == [path])
        try withFile(Array(token.utf8)) { named in
            let environment = home.merging(["HOGA_TOKEN_FILE": named]) { $1 }
            let both = try paths(secret, environment)
            #expect(both == [named, path])
        }
    }

    @Test("a path with a line feed stays on one line in messages")
    func paths() {
        let error = #expect(throws: ProgramError.self) {
            try SecretFiles.values(["HOGA_TOKEN_FILE": "/not\nthere"])
        }
        #expect(error?.description.contains("\n") == false)
    }

    @Test("a secret given by variable and file is refused", arguments: secrets)
    func both(setting: Setting) throws {
        let name = try #require(setting.fileVariable)
        let value = try #require(Self.values[setting])
        try withFile(Array(value.utf8)) { path in
            let error = #expect(throws: ProgramError.self) {
                try resolve([name: path, setting.environmentName: value])
            }
            #expect(error?.exitCode == .configuration)
            #expect(error?.description.hasPrefix(name) == true)
            #expect(
                error?.description.contains("conflicts with " + setting.environmentName) == true
            )
        }
    }

    @Test("a symbolic link to a secret file is followed")
    func link() throws {
        try withFile(Array((Self.values[.token] ?? "").utf8)) { path in
            let link = path + ".link"
            try FileManager.default.createSymbolicLink(
                atPath: link,
                withDestinationPath: path
            )
            defer { try? FileManager.default.removeItem(atPath: link) }
            #expect(try resolve(["HOGA_TOKEN_FILE": link]).token?.text == Self.values[.token])
        }
    }

    @Test("a secret as a flag is refused and not repeated", arguments: secrets)
    func flags(setting: Setting) throws {
        let value = try #require(Self.values[setting])
        for arguments in [[setting.flag, value], [setting.flag + "=" + value]] {
            for command in Command.allCases {
                let operands = command.operands.filter { !$0.isOptional }.map { _ in "x" }
                let error = #expect(throws: ProgramError.self) {
                    try CommandLineReader.read(command.words + operands + arguments)
                }
                #expect(error?.exitCode == .usage)
                #expect(error?.description.hasPrefix(setting.flag + ":") == true)
                #expect(error?.description.contains(setting.environmentName + "_FILE") == true)
                #expect(error?.description.contains("s3cret") == false)
                #expect(!command.settings.contains(setting))
                #expect(!HelpText.text(of: command).contains(setting.flag + " "))
            }
        }
    }

    @Test("standbys are given beside the primary, and have no effect beside a standby")
    func standbys() throws {
        let read = ["HOGA_DATABASE_READ_URL": "postgresql://r/d", "HOGA_DATABASE_READ_AGE": "30s"]
        let choice = try resolve(read.merging(["HOGA_DATABASE_URL": "postgresql://h/d"]) { $1 })
        #expect(
            choice.store
                == .postgresql(
                    DatabaseChoice(
                        url: "postgresql://h/d",
                        readURL: "postgresql://r/d",
                        readAgeMax: .seconds(30),
                        connectionsMax: 8
                    )
                )
        )
        let standby = "postgresql://h/d?target_session_attrs=standby"
        for name in ["HOGA_DATABASE_READ_URL", "HOGA_DATABASE_SESSION_URL"] {
            let error = #expect(throws: ProgramError.self) {
                try resolve(["HOGA_DATABASE_URL": standby, name: "postgresql://r/d"])
            }
            #expect(error?.exitCode == .configuration)
            #expect(error?.description.hasPrefix("\(name): has no effect") == true)
        }
        for age in ["1s", "11m", "10"] {
            #expect(throws: ProgramError.self) { try resolve(["HOGA_DATABASE_READ_AGE": age]) }
        }
    }

    @Test("a file together with a database is refused")
    func database() throws {
        let url = ["HOGA_DATABASE_URL": "postgresql://h/d"]
        let choice = try resolve(url).store
        #expect(
            choice
                == .postgresql(
                    DatabaseChoice(url: "postgresql://h/d", sessionURL: nil, connectionsMax: 8)
                )
        )
        #expect(choice.isShared && choice.path(["HOME": "/h"]) == nil)
        for store in ["none", "/tmp/x.sqlite"] {
            let error = #expect(throws: ProgramError.self) {
                try resolve(url, flags: [.store: store])
            }
            #expect(error?.exitCode == .usage)
            #expect(error?.description.contains("HOGA_DATABASE_URL") == true)
            #expect(throws: ProgramError.self) {
                try resolve(url.merging(["HOGA_STORE": store]) { $1 })
            }
        }
        for name in ["HOGA_DATABASE_SESSION_URL", "HOGA_DATABASE_READ_URL"] {
            let alone = #expect(throws: ProgramError.self) {
                try resolve([name: "postgresql://h/d"])
            }
            #expect(alone?.description.hasPrefix("\(name): needs HOGA_DATABASE_URL") == true)
        }
        let mistaken = #expect(throws: ProgramError.self) {
            try resolve([:], flags: [.store: "postgresql://kim:s3cret@h/d"])
        }
        #expect(mistaken?.description.contains("HOGA_DATABASE_URL") == true)
        #expect(mistaken?.description.contains("s3cret") == false)
    }
}
