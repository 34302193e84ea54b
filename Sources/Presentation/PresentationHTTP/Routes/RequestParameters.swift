import HTTPServer

/// The query parameters of one request: each known, each at most once.
struct RequestParameters: Sendable {
    /// The longest search text, in characters.
    static let searchLengthMax = 100

    private let values: [String: String]
    /// What stands before every name, here and in refusals: `market-list.` in a snapshot.
    private let prefix: String

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
        prefix = ""
    }

    private init(_ values: [String: String], prefix: String) {
        self.values = values
        self.prefix = prefix
    }

    /// The parameters whose names begin with a prefix, under the rest of their names.
    func part(_ prefix: String) -> RequestParameters {
        let prefix = self.prefix + prefix
        return RequestParameters(values.filter { $0.key.hasPrefix(prefix) }, prefix: prefix)
    }

    /// The name, as it stands in the request, of any parameter that was given; nil without one.
    var anyName: String? { values.keys.min() }

    /// The text of a parameter; nil if it was not given.
    subscript(name: String) -> String? { values[prefix + name] }

    /// The refusal of a parameter's value.
    func refusal(_ name: String, _ detail: String, allowed: [String]) -> Problem {
        .invalidParameter(prefix + name, detail, allowed: allowed)
    }

    /// One of a fixed set of words; nil if the parameter was not given.
    ///
    /// - Throws: ``Problem`` naming the words.
    func choice<Value: RawRepresentable<String> & CaseIterable>(
        _ name: String
    ) throws(Problem) -> Value? {
        try value(name, "not one of its values", allowed: Value.allCases.map(\.rawValue)) {
            Value(rawValue: $0)
        }
    }

    /// The text of `q`; nil if it was not given.
    ///
    /// - Throws: ``Problem`` for one of more than ``searchLengthMax`` characters.
    func searchText() throws(Problem) -> String? {
        guard let text = self["q"] else { return nil }
        guard text.unicodeScalars.count <= Self.searchLengthMax else {
            throw refusal(
                "q",
                "the search text is too long",
                allowed: ["at most \(Self.searchLengthMax) characters"]
            )
        }
        return text
    }

    /// A whole number within a range; nil if the parameter was not given.
    ///
    /// - Throws: ``Problem`` naming the range.
    func integer(_ name: String, in range: ClosedRange<Int>) throws(Problem) -> Int? {
        let end = range.upperBound
        return try value(
            name,
            "no whole number in its range",
            allowed: ["\(range.lowerBound)" + (end < .max ? "..\(end)" : " or more")]
        ) { text in
            guard let number = Int(text), range.contains(number), text.first != "+" else {
                return nil
            }
            return number
        }
    }

    /// What a text stands for; nil if the parameter was not given.
    ///
    /// - Parameters:
    ///   - name: the parameter.
    ///   - refusal: what a text is that stands for nothing.
    ///   - allowed: what the parameter may be.
    ///   - read: makes the value, or nil of a text that is refused.
    /// - Returns: the value.
    /// - Throws: ``Problem`` naming what is allowed.
    func value<Value>(
        _ name: String,
        _ refusal: String,
        allowed: @autoclosure () -> [String],
        _ read: (String) -> Value?
    ) throws(Problem) -> Value? {
        guard let text = self[name] else { return nil }
        guard let value = read(text) else {
            throw self.refusal(
                name,
                "\"\(Problem.short(text))\" is \(refusal)",
                allowed: allowed()
            )
        }
        return value
    }
}
