public import DataSourceContracts
public import Domain

extension StoreFailure {
    /// Translates the error of a store.
    public init(_ error: StoreError) {
        let code: Code =
            switch error.code {
            case .unavailable: .unavailable
            case .busy: .busy
            case .full: .full
            case .readOnly: .readOnly
            case .damaged: .damaged
            case .incompatible: .incompatible
            case .conflict: .conflict
            case .tooMany, .notFound, .refused: .refused
            case .unauthorized: .unauthorized
            case .forbidden: .forbidden
            case .fenced: .unavailable
            }
        self.init(code, error.detail)
    }
}
