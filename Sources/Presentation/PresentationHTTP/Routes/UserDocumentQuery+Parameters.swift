public import Domain
public import ViewStates

extension UserDocumentQuery {
    /// The names of users' documents; `market-list` is one of them for the tab of favorites.
    public static let names = [
        PortfolioViewState.schemaName, AlertsViewState.schemaName, SettingsViewState.schemaName,
        FavoritesViewState.schemaName, HoldingsViewState.schemaName, CashViewState.schemaName,
        ProfileViewState.schemaName,
    ]

    /// Parses the parameters of a user's document, as commands take them; nil for a public one.
    ///
    /// - Parameters:
    ///   - document: the document's name.
    ///   - parameters: by their names in the HTTP contract.
    /// - Throws: ``ParameterError`` naming the parameter.
    public init?(
        document: String,
        parameters: [(name: String, value: String)]
    ) throws(ParameterError) {
        do throws(Problem) {
            guard let query = try Self.named(document, parameters) else { return nil }
            self = query
        } catch {
            throw ParameterError(error)
        }
    }

    private static func named(
        _ document: String,
        _ parameters: [(name: String, value: String)]
    ) throws(Problem) -> UserDocumentQuery? {
        let simple: UserDocumentQuery
        switch document {
        case MarketListViewState.schemaName:
            let favorites = MarketListQuery.Tab.favorites.rawValue
            guard parameters.contains(where: { $0 == ("tab", favorites) }) else { return nil }
            let known = try RequestParameters(parameters, known: MarketListQuery.parameterNames)
            return .marketList(try MarketListQuery(known, tabs: MarketListQuery.Tab.allCases))
        case PortfolioViewState.schemaName:
            let known = try RequestParameters(parameters, known: ["lang"])
            return .portfolio(try known.choice("lang") ?? .korean)
        case AlertsViewState.schemaName:
            let known = try RequestParameters(parameters, known: ["lang"])
            return .alerts(try known.choice("lang") ?? .korean)
        case SettingsViewState.schemaName: simple = .settings
        case FavoritesViewState.schemaName: simple = .favorites
        case HoldingsViewState.schemaName: simple = .holdings
        case CashViewState.schemaName: simple = .cash
        case ProfileViewState.schemaName: simple = .me
        default: return nil
        }
        if let name = parameters.first?.name {
            throw .invalidParameter(name, "\(document) takes no parameters", allowed: ["none"])
        }
        return simple
    }
}

extension Language {
    /// Parses the parameters of a document with `lang` only.
    ///
    /// - Throws: ``ParameterError`` naming the parameter.
    public init(documentParameters: [(name: String, value: String)]) throws(ParameterError) {
        do throws(Problem) {
            let known = try RequestParameters(documentParameters, known: ["lang"])
            self = try known.choice("lang") ?? .korean
        } catch {
            throw ParameterError(error)
        }
    }
}
