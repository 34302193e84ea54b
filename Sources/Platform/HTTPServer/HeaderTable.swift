/// The header fields of one request in one allocation, names in lower case.
struct HeaderTable: Sendable {
    private struct Entry {
        var nameStart: Int
        var valueStart: Int
        var valueEnd: Int
    }

    private var bytes: [UInt8] = []
    private var entries: [Entry] = []

    /// Capacity for a browser's usual header fields.
    private static let bytesExpected = 512
    private static let entriesExpected = 12

    init() {
        bytes.reserveCapacity(Self.bytesExpected)
        entries.reserveCapacity(Self.entriesExpected)
    }

    /// Copies a field, without blanks around its value (RFC 9112, 5.1).
    mutating func append(name: ArraySlice<UInt8>, value: ArraySlice<UInt8>) {
        let nameStart = bytes.count
        bytes.append(contentsOf: name)
        let valueStart = bytes.count
        for index in nameStart..<valueStart { bytes[index] = Self.lowercase(bytes[index]) }
        bytes.append(contentsOf: Self.trimmed(value))
        entries.append(
            Entry(nameStart: nameStart, valueStart: valueStart, valueEnd: bytes.count)
        )
    }

    func value(of lowercaseName: String) -> String? {
        var found: String?
        for entry in entries where isNamed(entry, lowercaseName) {
            let value = String(decoding: bytes[entry.valueStart..<entry.valueEnd], as: UTF8.self)
            found = found.map { $0 + ", " + value } ?? value
        }
        return found
    }

    func count(of lowercaseName: String) -> Int {
        entries.count { isNamed($0, lowercaseName) }
    }

    /// Whether a field that is a list of tokens has one, in any case of letters (RFC 9110, 5.6.1).
    func has(_ lowercaseToken: String, in lowercaseName: String) -> Bool {
        entries.contains { entry in
            guard isNamed(entry, lowercaseName) else { return false }
            let value = bytes[entry.valueStart..<entry.valueEnd]
            return value.split(separator: UInt8(ascii: ",")).contains { element in
                Self.trimmed(element).lazy.map(Self.lowercase).elementsEqual(lowercaseToken.utf8)
            }
        }
    }

    private static func lowercase(_ byte: UInt8) -> UInt8 {
        UInt8(ascii: "A")...UInt8(ascii: "Z") ~= byte ? byte | 0x20 : byte
    }

    private static func trimmed(_ value: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        let isBlank = { (byte: UInt8) in byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }
        let end = value.lastIndex { !isBlank($0) }.map { $0 + 1 } ?? value.startIndex
        return value[..<end].drop(while: isBlank)
    }

    private func isNamed(_ entry: Entry, _ name: String) -> Bool {
        entry.valueStart - entry.nameStart == name.utf8.count
            && name.utf8.elementsEqual(bytes[entry.nameStart..<entry.valueStart])
    }
}
