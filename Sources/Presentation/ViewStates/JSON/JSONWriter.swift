import Domain

/// Writes JSON as bytes, keys in the order in which they are given, unknown values as `null`.
public struct JSONWriter: Sendable {
    private(set) var bytes: [UInt8] = []
    /// Whether the next element of the open object or array needs a comma before it.
    private var needsComma = false

    /// Makes room for a document of about that size.
    init(capacity: Int) {
        bytes.reserveCapacity(capacity)
    }

    /// Writes an object.
    mutating func object(_ body: (inout JSONWriter) -> Void) {
        open(UInt8(ascii: "{"))
        body(&self)
        close(UInt8(ascii: "}"))
    }

    /// Begins an object that ``endObject()`` ends: for those whose members come from elsewhere.
    mutating func beginObject() { open(UInt8(ascii: "{")) }

    /// Ends the innermost object.
    mutating func endObject() { close(UInt8(ascii: "}")) }

    /// Writes a value that is JSON already.
    mutating func encoded(_ value: [UInt8]) {
        separate()
        bytes.append(contentsOf: value)
        needsComma = true
    }

    /// Adds a member to the object that was just written and has others already.
    mutating func extendObject(_ body: (inout JSONWriter) -> Void) {
        bytes.removeLast()
        needsComma = true
        body(&self)
        close(UInt8(ascii: "}"))
    }

    /// Writes an array of what `body` writes for each element.
    mutating func array<Element>(
        _ elements: some Sequence<Element>,
        _ body: (inout JSONWriter, Element) -> Void
    ) {
        open(UInt8(ascii: "["))
        for element in elements { body(&self, element) }
        close(UInt8(ascii: "]"))
    }

    /// Writes a key, which must be plain ASCII without quotes; a value must follow.
    mutating func key(_ name: String) {
        separate()
        bytes.append(UInt8(ascii: "\""))
        bytes.append(contentsOf: name.utf8)
        bytes.append(UInt8(ascii: "\""))
        bytes.append(UInt8(ascii: ":"))
        needsComma = false
    }

    /// Writes a string, escaped as RFC 8259 says.
    mutating func string(_ text: String) {
        separate()
        bytes.append(UInt8(ascii: "\""))
        let start = bytes.count
        bytes.append(contentsOf: text.utf8)
        // Copied in one piece and looked through afterwards: hardly any text needs an escape.
        if bytes[start...].contains(where: Self.needsEscape) {
            bytes.removeSubrange(start...)
            appendEscaped(text)
        }
        bytes.append(UInt8(ascii: "\""))
        needsComma = true
    }

    /// Writes a decimal as a string in canonical form.
    mutating func decimal(_ value: FixedDecimal) {
        separate()
        bytes.append(UInt8(ascii: "\""))
        value.appendText(to: &bytes, fractionDigitsMin: 0)
        bytes.append(UInt8(ascii: "\""))
        needsComma = true
    }

    /// Writes a time as ISO 8601 with microseconds and `+09:00`.
    mutating func time(_ value: Timestamp) {
        separate()
        bytes.append(UInt8(ascii: "\""))
        TimeText.appendISO(value, to: &bytes)
        bytes.append(UInt8(ascii: "\""))
        needsComma = true
    }

    /// Writes a whole number.
    mutating func integer(_ value: Int) {
        separate()
        bytes.append(contentsOf: String(value).utf8)
        needsComma = true
    }

    /// Writes `true` or `false`.
    mutating func boolean(_ value: Bool) {
        separate()
        bytes.append(contentsOf: (value ? "true" : "false").utf8)
        needsComma = true
    }

    /// Writes the value, or `null` where there is none.
    mutating func optional<Value>(_ value: Value?, _ write: (inout JSONWriter, Value) -> Void) {
        if let value {
            write(&self, value)
        } else {
            separate()
            bytes.append(contentsOf: "null".utf8)
            needsComma = true
        }
    }

    private mutating func open(_ bracket: UInt8) {
        separate()
        bytes.append(bracket)
        needsComma = false
    }

    private mutating func close(_ bracket: UInt8) {
        bytes.append(bracket)
        needsComma = true
    }

    private mutating func separate() {
        if needsComma { bytes.append(UInt8(ascii: ",")) }
        needsComma = false
    }

    private static func needsEscape(_ byte: UInt8) -> Bool {
        byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
    }

    private mutating func appendEscaped(_ text: String) {
        for byte in text.utf8 {
            if byte < 0x20 {
                appendControl(byte)
            } else {
                if Self.needsEscape(byte) { bytes.append(UInt8(ascii: "\\")) }
                bytes.append(byte)
            }
        }
    }

    private mutating func appendControl(_ byte: UInt8) {
        let digits = Array("0123456789abcdef".utf8)
        bytes.append(contentsOf: "\\u00".utf8)
        bytes.append(digits[Int(byte >> 4)])
        bytes.append(digits[Int(byte & 15)])
    }
}

extension JSONWriter {
    mutating func string(_ name: String, _ text: String?) {
        key(name)
        optional(text) { $0.string($1) }
    }

    mutating func decimal(_ name: String, _ value: FixedDecimal?) {
        key(name)
        optional(value) { $0.decimal($1) }
    }

    mutating func time(_ name: String, _ value: Timestamp?) {
        key(name)
        optional(value) { $0.time($1) }
    }

    mutating func text(_ name: String, _ value: (some RawRepresentable<String>)?) {
        string(name, value?.rawValue)
    }

    mutating func integer(_ name: String, _ value: Int?) {
        key(name)
        optional(value) { $0.integer($1) }
    }

    mutating func boolean(_ name: String, _ value: Bool?) {
        key(name)
        optional(value) { $0.boolean($1) }
    }
}

extension JSONWriter {
    mutating func optionalString(_ text: String?) { optional(text) { $0.string($1) } }

    mutating func optionalDecimal(_ value: FixedDecimal?) { optional(value) { $0.decimal($1) } }
}
