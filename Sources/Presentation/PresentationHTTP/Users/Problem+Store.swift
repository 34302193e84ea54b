import Domain
import UseCases

extension Problem {
    /// The answer to a failure of the store.
    ///
    /// The store's address and its error stay in the log.
    ///
    /// - Parameters:
    ///   - failure: the failure.
    ///   - subject: the part of the request that a broken rule is about.
    init(_ failure: StoreFailure, about subject: String = "body") {
        switch failure.code {
        case .unauthorized, .noToken: self.init(code: .unauthorized, detail: failure.detail)
        case .forbidden: self.init(code: .forbiddenScope, detail: failure.detail)
        case .conflict:
            self.init(
                code: .preconditionFailed,
                detail: "the document changed meanwhile. Read it again and repeat the change"
            )
        case .refused:
            self = .invalidParameter(
                subject,
                "is not allowed",
                allowed: [failure.detail]
            )
        case .busy where failure == .tooManyUsers: self = .tooManyUsers
        case .unavailable, .busy, .full, .readOnly, .damaged, .incompatible: self = .storeAway
        }
    }

    /// The store is unreachable.
    static let storeAway = Problem(
        code: .storeUnavailable,
        detail: "the user store is unreachable. Public data is not affected"
    )

    /// The users in use fill the memory for users.
    static let tooManyUsers = Problem(
        code: .storeUnavailable,
        detail: "the memory for users' data is full. Try again soon"
    )

    /// ``UserRequestTasks/jobsMax`` requests wait for the store.
    static let tooManyWaiting = Problem(
        code: .storeUnavailable,
        detail: "\(UserRequestTasks.jobsMax) requests wait for the user store. Try again soon"
    )
}
