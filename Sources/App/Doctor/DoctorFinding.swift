/// The result of one check of `hoga doctor`.
struct DoctorFinding: Sendable, Equatable {
    /// The severity of a result.
    enum Level: String, Sendable {
        /// No problem.
        case ok
        /// hoga works with restrictions.
        case warn
        /// A part of hoga does not work.
        case fail
    }

    let level: Level
    /// The result, one line.
    let text: String
    /// The suggested fix; nil for none.
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

/// One check: its name, time limit and body.
struct DoctorCheck: Sendable {
    /// The default time limit.
    static let limit: Duration = .seconds(10)

    let name: String
    let limit: Duration
    let body: @Sendable () async -> DoctorFinding

    init(
        _ name: String,
        limit: Duration = Self.limit,
        body: @escaping @Sendable () async -> DoctorFinding
    ) {
        self.name = name
        self.limit = limit
        self.body = body
    }
}
