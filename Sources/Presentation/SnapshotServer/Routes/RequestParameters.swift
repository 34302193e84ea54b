import HTTPServer

/// The query parameters of one request: each known, each at most once.
struct RequestParameters: Sendable {
    private let values: [String: String]

    /// Takes the parameters of a request.
    ///
    /// - Throws: ``Problem`` `invalid_parameter` for a name that is not among `known`, or that
    ///   stands twice.
    init(_ request: HTTPServerRequest, known: [String]) throws(Problem) {
        try self.init(request.query, known: known)
    }

    /// Takes parameters that were written elsewhere; as above.
    init(_ query: [(name: String, value: String)], known: [String]) throws(Problem) {
        var values: [String: String] = [:]
        for (name, value) in query {
            guard known.contains(name) else {
                throw .invalidParameter(name, "there is no such parameter here", allowed: known)
            }
            guard values.updateValue(value, forKey: name) == nil else {
                throw .invalidParameter(name, "stands more than once", allowed: ["once"])
            }
        }
        self.values = values
    }

    /// The text of a parameter; nil if it was not given.
    subscript(name: String) -> String? { values[name] }

    /// One of a fixed set of words; nil if the parameter was not given.
    ///
    /// - Throws: ``Problem`` naming the words.
    func choice<Value: RawRepresentable<String> & CaseIterable>(
        _ name: String
    ) throws(Problem) -> Value? {
        guard let text = values[name] else { return nil }
        guard let value = Value(rawValue: text) else {
            throw .invalidParameter(
                name,
                "\"\(Problem.short(text))\" is not one of its values",
                allowed: Value.allCases.map(\.rawValue)
            )
        }
        return value
    }

    /// A whole number within a range; nil if the parameter was not given.
    ///
    /// - Throws: ``Problem`` naming the range.
    func integer(_ name: String, in range: ClosedRange<Int>) throws(Problem) -> Int? {
        guard let text = values[name] else { return nil }
        guard let number = Int(text), range.contains(number), text.first != "+" else {
            let hasEnd = range.upperBound < .max
            throw .invalidParameter(
                name,
                "\"\(Problem.short(text))\" is no whole number in its range",
                allowed: ["\(range.lowerBound)" + (hasEnd ? "..\(range.upperBound)" : " or more")]
            )
        }
        return number
    }
}
