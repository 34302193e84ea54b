import DataSourceContracts
import Domain
import ViewStates

/// `hoga user`: who keeps something, and how it is let go.
struct UserCommand: Sendable {
    let access: StoreAccess

    /// `list`: number, since when, whether their tokens open something, and the name.
    func list() async throws(ProgramError) {
        let users = try await access.callUsers { source throws(StoreError) in
            try await source.users()
        }
        if users.isEmpty { Console.note("There are no users; `hoga user add` adds one.") }
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

    /// `disable`, `enable`: whether the user's tokens open something.
    func set(_ text: String, isDisabled: Bool) async throws(ProgramError) {
        let name = try Self.name(text)
        try await access.callUsers { source throws(StoreError) in
            try await source.setUser(name: name, isDisabled: isDisabled)
        }
        try Console.line("\(name) \(isDisabled ? "disabled" : "enabled")")
    }

    /// `remove`: removes a user with everything that is kept; only with `--yes`.
    func remove(_ text: String, isMeant: Bool) async throws(ProgramError) {
        let name = try Self.name(text)
        guard isMeant else {
            throw ProgramError(
                .usage,
                "everything of \(name) would be gone for good: `hoga user export` first, then "
                    + "repeat it with \(CommandOption.yes.rawValue)"
            )
        }
        try await access.callUsers { source throws(StoreError) in
            try await source.removeUser(name: name)
        }
        try Console.line("\(name) removed")
    }

    /// `export`: everything that is kept of a user, as JSON.
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

    private static func line(_ user: UserDTO) throws(ProgramError) {
        let at = TimeText.iso(Timestamp(microseconds: user.addedAt))
        // Names may have spaces inside, and never tabulators.
        let fields = [
            "\(user.number)", at, user.isDisabled ? "disabled" : "enabled", user.name,
        ]
        try Console.line(fields.joined(separator: "\t"))
    }
}
