import ViewStates
import PresentationHTTP

/// Documents by their names, as a command line asks for them.
enum NamedDocument {
    static func query(
        _ document: String,
        _ parameters: [(String, String)]
    ) throws(ParameterErrorText) -> DocumentQuery {
        do throws(ParameterError) {
            return try DocumentQuery(
                document: document,
                parameters: parameters.map { (name: $0.0, value: $0.1) }
            )
        } catch {
            throw ParameterErrorText(text: error.description)
        }
    }
}

/// The text of a parameter error.
struct ParameterErrorText: Error, Equatable {
    let text: String
}
