public import Presentation

/// A document's query read from the parameters of the HTTP contract, wherever they were written.
public struct DocumentQuery: Sendable {
    /// The query of the list.
    public let marketList: MarketListQuery

    /// Reads the parameters of `/v1/markets`.
    ///
    /// - Throws: ``ParameterError`` naming the parameter.
    public init(
        marketList parameters: [(name: String, value: String)]
    ) throws(ParameterError) {
        do throws(Problem) {
            marketList = try MarketListQuery(
                RequestParameters(parameters, known: MarketListQuery.parameterNames)
            )
        } catch {
            throw ParameterError(error)
        }
    }
}

/// A parameter that is not one, or has a value that is not allowed.
public struct ParameterError: Error, Sendable, Equatable, CustomStringConvertible {
    /// What is wrong, with the parameter's name in front, and what would be allowed.
    public let description: String

    init(_ problem: Problem) {
        description =
            problem.detail + "; allowed: " + (problem.allowed ?? []).joined(separator: ", ")
    }
}
