/// Writes JSON into a byte buffer, members in the order of the calls.
///
/// Documents are encoded with it on the hot path: small methods are inlinable.
public struct JSONWriter: Sendable {
    @usableFromInline var buffer: [UInt8] = []
    /// Whether the next element of the open object or array needs a comma before it.
    @usableFromInline var needsComma = false

    /// Makes an empty writer and reserves a capacity in bytes.
    @inlinable
    public init(capacity: Int = 0) { buffer.reserveCapacity(capacity) }

    /// The JSON written so far.
    @inlinable public var bytes: [UInt8] { buffer }

    // MARK: Objects and arrays

    /// Writes an object.
    @inlinable
    public mutating func object(_ body: (inout JSONWriter) -> Void) {
        beginObject()
        body(&self)
        endObject()
    }

    /// Opens an object; ``endObject()`` closes it.
    @inlinable
    public mutating func beginObject() { open(UInt8(ascii: "{")) }

    /// Closes the innermost object.
    @inlinable
    public mutating func endObject() { close(UInt8(ascii: "}")) }

    /// Adds members to the object written last, which must not be empty.
    @inlinable
    public mutating func extendObject(_ body: (inout JSONWriter) -> Void) {
        buffer.removeLast()
        needsComma = true
        body(&self)
        endObject()
    }

    /// Writes an array; `body` writes one element.
    @inlinable
    public mutating func array<Element>(
        _ elements: some Sequence<Element>,
        _ body: (inout JSONWriter, Element) -> Void
    ) {
        open(UInt8(ascii: "["))
        for element in elements { body(&self, element) }
        close(UInt8(ascii: "]"))
    }

    /// Writes a key, which must be ASCII without quotes and backslashes; a value must follow.
    @inlinable
    public mutating func key(_ name: String) {
        separate()
        buffer.append(UInt8(ascii: "\""))
        buffer.append(contentsOf: name.utf8)
        buffer.append(UInt8(ascii: "\""))
        buffer.append(UInt8(ascii: ":"))
        needsComma = false
    }

    /// Writes a key that may need escapes; a value must follow.
    public mutating func name(_ text: String) {
        string(text)
        buffer.append(UInt8(ascii: ":"))
        needsComma = false
    }

    // MARK: Values

    /// Writes a string.
    @inlinable
    public mutating func string(_ text: String) {
        separate()
        JSONText.append(text, to: &buffer)
        needsComma = true
    }

    /// Writes a string whose text, appended by `body`, needs no escapes.
    @inlinable
    public mutating func plainString(_ body: (inout [UInt8]) -> Void) {
        separate()
        buffer.append(UInt8(ascii: "\""))
        body(&buffer)
        buffer.append(UInt8(ascii: "\""))
        needsComma = true
    }

    /// Writes an integer.
    @inlinable
    public mutating func integer(_ value: some BinaryInteger) {
        separate()
        buffer.append(contentsOf: String(value).utf8)
        needsComma = true
    }

    /// Writes `true` or `false`.
    @inlinable
    public mutating func boolean(_ value: Bool) {
        separate()
        buffer.append(contentsOf: (value ? "true" : "false").utf8)
        needsComma = true
    }

    /// Writes `null`.
    @inlinable
    public mutating func null() {
        separate()
        buffer.append(contentsOf: "null".utf8)
        needsComma = true
    }

    /// Writes a value that is JSON already.
    @inlinable
    public mutating func encoded(_ value: [UInt8]) {
        separate()
        buffer.append(contentsOf: value)
        needsComma = true
    }

    // MARK: Punctuation

    @inlinable
    mutating func open(_ bracket: UInt8) {
        separate()
        buffer.append(bracket)
        needsComma = false
    }

    @inlinable
    mutating func close(_ bracket: UInt8) {
        buffer.append(bracket)
        needsComma = true
    }

    @inlinable
    mutating func separate() {
        if needsComma { buffer.append(UInt8(ascii: ",")) }
        needsComma = false
    }
}
