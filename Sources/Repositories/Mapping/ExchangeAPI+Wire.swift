import DataSourceContracts
import Domain

extension APIGeneration {
    /// The same in the words of Domain.
    var api: ExchangeAPI {
        switch self {
        case .v1: .v1
        case .v2: .v2
        }
    }
}
