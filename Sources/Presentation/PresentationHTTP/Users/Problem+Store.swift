import Domain

extension Problem {
    /// What a failure of the store is to whoever asked; where the store is and what ails it are
    /// for its owner alone.
    ///
    /// - Parameters:
    ///   - failure: what the store said.
    ///   - subject: what of the request a rule of the store is about.
    init(_ failure: StoreFailure, about subject: String = "body") {
        switch failure.code {
        case .unauthorized, .noToken: self.init(code: .unauthorized, detail: failure.detail)
        case .forbidden: self.init(code: .forbiddenScope, detail: failure.detail)
        case .conflict:
            self.init(
                code: .preconditionFailed,
                detail: "it was changed meanwhile; read it again and repeat the change"
            )
        case .refused:
            self = .invalidParameter(
                subject,
                "what is kept would break a rule",
                allowed: [failure.detail]
            )
        case .unavailable, .busy, .full, .readOnly, .damaged, .incompatible: self = .storeAway
        }
    }

    /// What is kept cannot be reached now.
    static let storeAway = Problem(
        code: .storeUnavailable,
        detail: "what is kept for users cannot be reached at the moment; "
            + "public data are not concerned"
    )

    /// More wait for what is kept than may.
    static let tooManyWaiting = Problem(
        code: .storeUnavailable,
        detail: "\(UserRequestTasks.jobsMax) requests wait for what is kept for users; "
            + "repeat it in a moment"
    )
}
