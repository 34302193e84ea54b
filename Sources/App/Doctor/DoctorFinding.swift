/// What one check of `hoga doctor` found.
struct DoctorFinding: Sendable, Equatable {
    /// How it is.
    enum Level: String, Sendable {
        /// As it should be.
        case ok
        /// hoga works, but not as well as it could.
        case warn
        /// Something of hoga does not work.
        case fail
    }

    let level: Level
    /// What was found, in a line.
    let text: String
    /// What to do about it; nil where there is nothing to do.
    let remedy: String?

    static func ok(_ text: String) -> DoctorFinding {
        DoctorFinding(level: .ok, text: text, remedy: nil)
    }

    static func warn(_ text: String, _ remedy: String) -> DoctorFinding {
        DoctorFinding(level: .warn, text: text, remedy: remedy)
    }

    static func fail(_ text: String, _ remedy: String) -> DoctorFinding {
        DoctorFinding(level: .fail, text: text, remedy: remedy)
    }
}

/// One check: what it looks at, how long it may take, and the look itself.
struct DoctorCheck: Sendable {
    /// How long a check may take that says nothing else.
    static let limit: Duration = .seconds(10)

    let name: String
    let limit: Duration
    let look: @Sendable () async -> DoctorFinding

    init(
        _ name: String,
        limit: Duration = Self.limit,
        look: @escaping @Sendable () async -> DoctorFinding
    ) {
        self.name = name
        self.limit = limit
        self.look = look
    }
}
