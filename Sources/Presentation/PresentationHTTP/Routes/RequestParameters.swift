import HTTPServer

/// The query parameters of a request: all known, none repeated.
struct RequestParameters: Sendable {
    /// The longest search text, in characters.
    static let searchLengthMax = 100

    private let values: [String: String]
    /// The prefix of every name, also in errors: `market-list.` in a snapshot.
    private let prefix: String

    /// Checks the parameters of a request.
    ///
    /// - Throws: ``Problem`` `invalid_parameter` for an unknown or repeated name.
    init(_ request: HTTPServerRequest, known: [String]) throws(Problem) {
        try self.init(request.query, known: known)
    }

    /// Checks parameters that do not come from a request.
    init(_ query: [(name: String, value: String)], known: [String]) throws(Problem) {
        var values: [String: String] = [:]
        for (name, value) in query {
            guard known.contains(name) else {
                throw .invalidParameter(name, "unknown parameter", allowed: known)
            }
            guard values.updateValue(value, forKey: name) == nil else {
                throw .invalidParameter(name, "is given more than once", allowed: ["once"])
            }
        }
        self.values = values
        prefix = ""
    }

    private init(_ values: [String: String], prefix: String) {
        self.values = values
        self.prefix = prefix
    }

    /// The parameters with a prefix, by their names without it.
    func part(_ prefix: String) -> RequestParameters {
        let prefix = self.prefix + prefix
        return RequestParameters(values.filter { $0.key.hasPrefix(prefix) }, prefix: prefix)
    }

    /// The full name of any parameter; nil without parameters.
    var anyName: String? { values.keys.min() }

    /// The text of a parameter; nil if it is absent.
    subscript(name: String) -> String? { values[prefix + name] }

    /// The error for a parameter's value.
    func error(_ name: String, _ detail: String, allowed: [String]) -> Problem {
        .invalidParameter(prefix + name, detail, allowed: allowed)
    }

    /// One of an enum's raw values; nil if the parameter is absent.
    ///
    /// - Throws: ``Problem`` naming the values.
    func choice<Value: RawRepresentable<String> & CaseIterable>(
        _ name: String
    ) throws(Problem) -> Value? {
        try value(name, "not an allowed value", allowed: Value.allCases.map(\.rawValue)) {
            Value(rawValue: $0)
        }
    }

    /// The text of `q`; nil if it is absent.
    ///
    /// - Throws: ``Problem`` beyond ``searchLengthMax`` characters.
    func searchText() throws(Problem) -> String? {
        guard let text = self["q"] else { return nil }
        guard text.unicodeScalars.count <= Self.searchLengthMax else {
            throw error(
                "q",
                "the search text is too long",
                allowed: ["at most \(Self.searchLengthMax) characters"]
            )
        }
        return text
    }

    /// A whole number within a range; nil if the parameter is absent.
    ///
    /// - Throws: ``Problem`` naming the range.
    func integer(_ name: String, in range: ClosedRange<Int>) throws(Problem) -> Int? {
        let end = range.upperBound
        return try value(
            name,
            "not a whole number in its range",
            allowed: ["\(range.lowerBound)" + (end < .max ? "..\(end)" : " or more")]
        ) { text in
            guard let number = Int(text), range.contains(number), text.first != "+" else {
                return nil
            }
            return number
        }
    }

    /// A parsed value; nil if the parameter is absent.
    ///
    /// - Parameters:
    ///   - name: the parameter.
    ///   - detail: the detail of the error for an invalid text.
    ///   - allowed: the allowed values.
    ///   - read: parses the text; nil if it is invalid.
    /// - Returns: the value; nil if the parameter is absent.
    /// - Throws: ``Problem`` naming the allowed values.
    func value<Value>(
        _ name: String,
        _ detail: String,
        allowed: @autoclosure () -> [String],
        _ read: (String) -> Value?
    ) throws(Problem) -> Value? {
        guard let text = self[name] else { return nil }
        guard let value = read(text) else {
            throw self.error(
                name,
                "\"\(Problem.short(text))\" is \(detail)",
                allowed: allowed()
            )
        }
        return value
    }
}
