import Domain
import ViewStates

extension AssetsQuery {
    /// The parameters of `/v1/assets`.
    static let parameterNames = ["state", "q", "sort", "direction", "lang"]

    /// Parses the parameters; absent ones have the contract's defaults.
    ///
    /// - Throws: ``Problem`` `invalid_parameter`.
    init(_ parameters: RequestParameters) throws(Problem) {
        self.init()
        filter = try parameters.choice("state") ?? filter
        searchText = try parameters.searchText()
        sort = try parameters.choice("sort") ?? sort
        direction = try parameters.choice("direction") ?? direction
        language = try parameters.choice("lang") ?? language
    }
}
