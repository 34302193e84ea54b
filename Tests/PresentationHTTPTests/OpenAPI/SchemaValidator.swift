import TestSupport

/// Validates values against the schemas of an OpenAPI document.
///
/// The validator knows the keywords of JSON Schema 2020-12 that the document uses, and no others.
/// Unlike in JSON Schema, a key without a schema is an error.
struct SchemaValidator {
    let document: OrderedJSON
    /// The locations of schemas that matched a null, and of those that matched another value.
    private(set) var nulls: Set<String> = []
    private(set) var others: Set<String> = []
    private(set) var faults: [String] = []
    private let memory = Memory()

    /// Compiled expressions, their matches and resolved references, shared by all trials.
    private final class Memory {
        var expressions: [String: Regex<AnyRegexOutput>?] = [:]
        /// Whether a text fits, by expression and text.
        var fits: [String: [String: Bool]] = [:]
        var schemas: [String: OrderedJSON?] = [:]
    }

    init(_ document: OrderedJSON) { self.document = document }

    /// The faults of a value by the schema of a name; empty if the value matches.
    mutating func faults(of value: OrderedJSON, _ name: String) -> [String] {
        faults(of: value, at: "#/components/schemas/" + name)
    }

    /// The faults of a value by the schema at a location.
    mutating func faults(of value: OrderedJSON, at place: String) -> [String] {
        faults = []
        guard let schema = schema(at: place) else { return ["there is no schema \(place)"] }
        _ = check(value, schema, place, "", isWhole: true)
        return faults
    }

    /// The schema at a place; a slash in a key is written `~1`.
    func schema(at place: String) -> OrderedJSON? {
        if let known = memory.schemas[place] { return known }
        let schema = find(place)
        memory.schemas[place] = .some(schema)
        return schema
    }

    private func find(_ place: String) -> OrderedJSON? {
        place.dropFirst(2).split(separator: "/").reduce(document as OrderedJSON?) { json, part in
            let key = part.split(separator: "~1").joined(separator: "/")
            if let elements = json?.elements { return Int(key).map { elements[$0] } }
            return json?[key]
        }
    }

    private static let keywords: Set<String> = [
        "$ref", "type", "const", "enum", "required", "properties", "additionalProperties", "items",
        "minItems", "maxItems", "uniqueItems", "minimum", "maximum", "minLength", "maxLength",
        "pattern", "format", "oneOf", "allOf", "minProperties", "description", "default",
    ]

    /// Checks a value; returns the described keys, or nil if any key is allowed.
    private mutating func check(
        _ value: OrderedJSON,
        _ schema: OrderedJSON,
        _ place: String,
        _ path: String,
        isWhole: Bool
    ) -> Set<String>? {
        if schema == .boolean(true) { return nil }
        if value == .null { nulls.insert(place) } else { others.insert(place) }
        for word in schema.keys ?? [] where !Self.keywords.contains(word) {
            faults.append("\(place): \(word) is not a known keyword")
        }
        if let reference = schema["$ref"]?.text {
            guard let target = self.schema(at: reference) else {
                faults.append("\(place): there is no \(reference)")
                return nil
            }
            return check(value, target, reference, path, isWhole: isWhole)
        }
        if let fault = plainFault(value, schema) { faults.append("\(path): \(fault)") }
        var keys: Set<String>? = []
        for (index, part) in (schema["allOf"]?.elements ?? []).enumerated() {
            let place = "\(place)/allOf/\(index)"
            keys = keys.joined(check(value, part, place, path, isWhole: false))
        }
        if let branches = schema["oneOf"]?.elements {
            keys = keys.joined(checkOne(value, branches, place, path, isWhole: isWhole))
        } else {
            keys = keys.joined(checkParts(value, schema, place, path))
        }
        if isWhole, schema["oneOf"] == nil, let keys {
            for key in value.keys ?? [] where !keys.contains(key) {
                faults.append("\(path).\(key): is not described")
            }
        }
        return keys
    }

    /// Checks that exactly one branch matches.
    private mutating func checkOne(
        _ value: OrderedJSON,
        _ branches: [OrderedJSON],
        _ place: String,
        _ path: String,
        isWhole: Bool
    ) -> Set<String>? {
        let before = self
        var fitting: (validator: SchemaValidator, keys: Set<String>?)?
        var reasons: [String] = []
        var count = 0
        for (index, branch) in branches.enumerated() {
            var trial = before
            let keys = trial.check(value, branch, "\(place)/oneOf/\(index)", path, isWhole: isWhole)
            if trial.faults.count == before.faults.count {
                count += 1
                fitting = (trial, keys)
            } else {
                reasons += trial.faults[before.faults.count...]
            }
        }
        if let fitting, count == 1 {
            self = fitting.validator
            return fitting.keys
        }
        faults += count == 0 ? reasons : ["\(path): \(count) of the alternatives fit"]
        return nil
    }

    /// Checks members and elements.
    private mutating func checkParts(
        _ value: OrderedJSON,
        _ schema: OrderedJSON,
        _ place: String,
        _ path: String
    ) -> Set<String>? {
        switch value {
        case .object(let members):
            let properties = schema["properties"]
            let additional = schema["additionalProperties"]
            for member in members {
                let path = "\(path).\(member.key)"
                if let property = properties?[member.key] {
                    let place = "\(place)/properties/\(member.key)"
                    _ = check(member.value, property, place, path, isWhole: true)
                } else if let additional, additional != .boolean(false) {
                    let place = "\(place)/additionalProperties"
                    _ = check(member.value, additional, place, path, isWhole: true)
                }
            }
            let isOpen = additional != nil && additional != .boolean(false)
            return isOpen ? nil : Set(properties?.keys ?? [])
        case .array(let elements):
            guard let items = schema["items"] else { return [] }
            for (index, element) in elements.enumerated() {
                _ = check(element, items, place + "/items", "\(path)[\(index)]", isWhole: true)
            }
            return []
        case .string, .number, .boolean, .null: return []
        }
    }

    /// Whether a text matches a regular expression; an invalid expression matches nothing.
    private func fits(_ text: String, _ pattern: String) -> Bool {
        if let known = memory.fits[pattern]?[text] { return known }
        let expression = memory.expressions[pattern] ?? (try? Regex(pattern))
        memory.expressions[pattern] = .some(expression)
        let isFitting = (try? expression?.firstMatch(in: text)) != nil
        memory.fits[pattern, default: [:]][text] = isFitting
        return isFitting
    }

    /// The fault of a value itself, without its members and elements.
    private func plainFault(_ value: OrderedJSON, _ schema: OrderedJSON) -> String? {
        let types =
            schema["type"]?.elements?.compactMap(\.text)
            ?? schema["type"]?.text.map { [$0] }
        if let types, !types.contains(where: { value.isOf(type: $0) }) {
            return "is no \(types.joined(separator: " or "))"
        }
        if let constant = schema["const"], constant != value { return "is another constant" }
        if let words = schema["enum"]?.elements, !words.contains(value) {
            return "is not a value of the enum"
        }
        for case .string(let key)? in schema["required"]?.elements ?? [] where value.keys != nil {
            if value[key] == nil { return "has no \(key)" }
        }
        if let text = value.text {
            if !(schema.bound("minLength", orLess: text.unicodeScalars.count)) {
                return "is too short"
            }
            if !(schema.bound("maxLength", orMore: text.unicodeScalars.count)) {
                return "is too long"
            }
            if let pattern = schema["pattern"]?.text, !fits(text, pattern) {
                return "“\(text)” does not have the form \(pattern)"
            }
        }
        if case .number(let digits) = value, let number = Int(digits),
            !(schema.bound("minimum", orLess: number) && schema.bound("maximum", orMore: number))
        {
            return "\(number) is out of range"
        }
        if let elements = value.elements {
            let isWithin =
                schema.bound("minItems", orLess: elements.count)
                && schema.bound("maxItems", orMore: elements.count)
            if !isWithin { return "has a wrong number of elements" }
            if schema["uniqueItems"] == .boolean(true),
                elements.indices.contains(where: { elements[..<$0].contains(elements[$0]) })
            {
                return "repeats itself"
            }
        }
        if let keys = value.keys, !schema.bound("minProperties", orLess: keys.count) {
            return "has too few keys"
        }
        return nil
    }
}

extension OrderedJSON {
    fileprivate func isOf(type: String) -> Bool {
        switch self {
        case .object: type == "object"
        case .array: type == "array"
        case .string: type == "string"
        case .number(let digits): type == "number" || (type == "integer" && Int(digits) != nil)
        case .boolean: type == "boolean"
        case .null: type == "null"
        }
    }

    /// Whether a lower bound, if any, is satisfied.
    fileprivate func bound(_ word: String, orLess number: Int) -> Bool {
        guard case .number(let digits)? = self[word], let bound = Int(digits) else { return true }
        return bound <= number
    }

    /// Whether an upper bound, if any, is satisfied.
    fileprivate func bound(_ word: String, orMore number: Int) -> Bool {
        guard case .number(let digits)? = self[word], let bound = Int(digits) else { return true }
        return bound >= number
    }
}

extension Set<String>? {
    /// The keys of both sets; nil if any key is allowed.
    fileprivate func joined(_ other: Set<String>?) -> Set<String>? {
        guard let self, let other else { return nil }
        return self.union(other)
    }
}
