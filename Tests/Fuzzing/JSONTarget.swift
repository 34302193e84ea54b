import JSON

extension FuzzTarget {
    /// JSON: what is read is written and read again as the same value, a fault has a place within
    /// the text, and a depth is a bound.
    func judgeJSON(_ input: FuzzInput) throws(FuzzFinding) {
        var input = input
        let depthMax = Int(input.byte() % 16)
        let bytes = input.bytes
        let value: JSONValue
        do throws(JSONError) {
            value = try JSONValue(parsing: bytes, depthMax: depthMax)
        } catch {
            try require((0...bytes.count).contains(error.offset), "fault outside of the text")
            if error.reason == .tooDeep { try checkDeeper(bytes, depthMax) }
            return
        }
        try require(depth(of: value) <= depthMax, "deeper than \(depthMax)")
        let written = value.bytes
        let again = try? JSONValue(parsing: written, depthMax: depthMax)
        try requireEqual(again, value, "JSON that was written")
        try requireEqual(again?.bytes, written, "JSON that was written twice")
        if let number = value.wholeNumber {
            try requireEqual(JSONValue.integer(number).wholeNumber, number, "a whole number")
        }
        if let text = value.text { try checkEscapes(text) }
    }

    /// With room a text that is too deep is read, or has another fault.
    private func checkDeeper(_ bytes: [UInt8], _ depthMax: Int) throws(FuzzFinding) {
        // Each bracket nests once at most. Recursion is bounded for the fuzzer's stack.
        guard bytes.count(where: { $0 == 0x5b || $0 == 0x7b }) < 500 else { return }
        guard let value = try? JSONValue(parsing: bytes, depthMax: 500) else { return }
        try require(depth(of: value) > depthMax, "refused as too deep within \(depthMax)")
    }

    private func depth(of value: JSONValue) -> Int {
        switch value {
        case .null, .boolean, .number, .string, .encoded: 0
        case .array(let elements): 1 + (elements.map(depth).max() ?? 0)
        case .object(let members): 1 + (members.map { depth(of: $0.value) }.max() ?? 0)
        }
    }

    /// A text whose characters are all escaped reads as itself.
    private func checkEscapes(_ text: String) throws(FuzzFinding) {
        let escaped = "\"" + JSONText.escape(text) { _ in true } + "\""
        let again = try? JSONValue(parsing: Array(escaped.utf8), depthMax: 1)
        try requireEqual(again?.text.map { Array($0.utf8) }, Array(text.utf8), "escaped text")
    }
}

/// Throws a finding unless bytes are JSON.
func requireJSON(_ bytes: [UInt8], _ subject: String) throws(FuzzFinding) {
    let value = try? JSONValue(parsing: bytes, depthMax: 64)
    try require(value != nil, "\(subject) is no JSON: \(String(decoding: bytes, as: UTF8.self))")
}
