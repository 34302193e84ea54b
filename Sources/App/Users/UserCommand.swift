import DataSourceContracts
import Domain
import ViewStates

extension Command {
    static let userList = onStore("user list", "List all users", requires: .existingAccounts) {
        access,
        _ throws(ProgramError) in
        try await UserCommand(access: access).list()
    }

    static let userAdd = onStore(
        "user add",
        "Add a user; then create a token with 'hoga user token new'",
        operands: [.user],
        requires: .accounts,
        isAudited: true
    ) { access, invocation throws(ProgramError) in
        try await UserCommand(access: access).add(invocation.required(0))
    }

    static let userImport = onStore(
        "user import",
        "Add the users of a file, all or none",
        operands: [
            CommandOperand(
                "FILE",
                "a CSV file: the header name,displayName, then one line per user",
                .path("FILE")
            )
        ],
        options: [.quiet],
        requires: .accounts,
        isAudited: true,
        progress: "adding the users"
    ) { access, invocation throws(ProgramError) in
        try await UserCommand(access: access).importFile(invocation.required(0))
    }

    static let userDisable = onStore(
        "user disable",
        "Disable a user's tokens; the data is kept",
        operands: [.user],
        requires: .accounts,
        isAudited: true
    ) { access, invocation throws(ProgramError) in
        try await UserCommand(access: access).set(invocation.required(0), isDisabled: true)
    }

    static let userEnable = onStore(
        "user enable",
        "Enable a disabled user's tokens again",
        operands: [.user],
        requires: .accounts,
        isAudited: true
    ) { access, invocation throws(ProgramError) in
        try await UserCommand(access: access).set(invocation.required(0), isDisabled: false)
    }

    static let userRemove = onStore(
        "user remove",
        "Delete a user and all data of the user",
        operands: [.user],
        options: [.yes],
        requires: .accounts,
        isAudited: true
    ) { access, invocation throws(ProgramError) in
        try await UserCommand(access: access)
            .remove(invocation.required(0), isConfirmed: invocation.has(.yes))
    }

    static let userExport = onStore(
        "user export",
        "Print all data of a user as JSON",
        operands: [.user],
        options: [.quiet],
        requires: .existingAccounts,
        progress: "reading the user's data"
    ) { access, invocation throws(ProgramError) in
        try await UserCommand(access: access).export(invocation.required(0))
    }
}

/// `hoga user`: the users of a store.
struct UserCommand: Sendable {
    let access: StoreAccess

    /// `list`: number, time of creation, enabled or disabled, and name.
    func list() async throws(ProgramError) {
        let users = try await access.callUsers { source throws(StoreError) in
            try await source.users()
        }
        if users.isEmpty { Console.note("no users; add one with 'hoga user add NAME'") }
        for user in users { try Self.line(user) }
    }

    /// `add`: adds a user.
    func add(_ text: String) async throws(ProgramError) {
        let name = try Self.name(text)
        let user = try await access.callUsers { source throws(StoreError) in
            try await source.addUser(name: name, at: SystemSources.now().microseconds)
        }
        try Self.line(user)
    }

    /// `import`: adds the users of a file in one transaction.
    func importFile(_ path: String) async throws(ProgramError) {
        let entries: [UserFile.Entry]
        do throws(ImportFile.Refusal) {
            let content = try ImportFile.content(of: path, bytesMax: UserFile.bytesMax)
            entries = try UserFile.entries(content)
        } catch {
            throw Self.refused(path, error)
        }
        let users = entries.map(\.user)
        let existing = try await access.callUsers { source throws(StoreError) in
            try await source.addUsers(users, at: SystemSources.now().microseconds)
        }
        guard existing.isEmpty else {
            throw Self.refused(path, UserFile.refusal(entries, existing: existing))
        }
        try Console.line("\(users.count) users added")
    }

    /// `disable`, `enable`: whether the user's tokens are valid.
    func set(_ text: String, isDisabled: Bool) async throws(ProgramError) {
        let name = try Self.name(text)
        try await access.callUsers { source throws(StoreError) in
            try await source.setUser(name: name, isDisabled: isDisabled)
        }
        try Console.line("\(name) \(isDisabled ? "disabled" : "enabled")")
    }

    /// `remove`: deletes a user and all data of the user, only with `--yes`.
    func remove(_ text: String, isConfirmed: Bool) async throws(ProgramError) {
        let name = try Self.name(text)
        guard isConfirmed else {
            throw ProgramError(
                .usage,
                "this deletes all data of \(name), which cannot be undone; add "
                    + "\(CommandOption.yes.flag) to confirm"
            )
        }
        try await access.callUsers { source throws(StoreError) in
            try await source.removeUser(name: name)
        }
        try Console.line("\(name) removed")
    }

    /// `export`: prints all data of a user as JSON.
    func export(_ text: String) async throws(ProgramError) {
        let name = try Self.name(text)
        let export = try await access.callUsers { source throws(StoreError) in
            try await source.export(name: name)
        }
        let document = UserExportDocument(export, at: SystemSources.now())
        try Console.write(document.json + [UInt8(ascii: "\n")])
    }

    /// Reads the name of a user.
    static func name(_ text: String) throws(ProgramError) -> String {
        do throws(InputError) {
            return try UserInput.userName(text)
        } catch {
            throw ProgramError(.usage, "NAME: \(error.detail)")
        }
    }

    private static func refused(_ path: String, _ refusal: ImportFile.Refusal) -> ProgramError {
        ProgramError(.usage, "cannot import \(path); nothing was changed\n\(refusal)")
    }

    private static func line(_ user: UserDTO) throws(ProgramError) {
        let at = TimeText.iso(Timestamp(microseconds: user.addedAt))
        // Names may contain spaces but no tabs.
        let fields = [
            "\(user.number)", at, user.isDisabled ? "disabled" : "enabled", user.name,
        ]
        try Console.line(fields.joined(separator: "\t"))
    }
}
