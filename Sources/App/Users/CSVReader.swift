/// Reads the rows of a CSV file (RFC 4180, seen 2026-11-25).
///
/// Rows end with CR LF, LF or CR; a byte order mark and empty rows are skipped. Spreadsheets write
/// both.
struct CSVReader {
    /// A row.
    struct Row: Equatable {
        /// The line that it begins on, from 1; quoted fields may contain line ends.
        var line: Int
        /// The fields, or why there are none.
        var fields: Result<[String], CSVFault>
    }

    private var bytes: ArraySlice<UInt8>
    private var line = 1

    /// Reads all rows.
    static func rows(_ bytes: [UInt8]) -> [Row] {
        var reader = CSVReader(bytes: bytes[...])
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        if bytes.starts(with: mark) { reader.bytes = reader.bytes.dropFirst(mark.count) }
        var rows: [Row] = []
        while !reader.bytes.isEmpty {
            if reader.skipLineEnd() { continue }
            rows.append(reader.row())
        }
        return rows
    }

    private mutating func row() -> Row {
        let start = line
        var fields: [String] = []
        do throws(CSVFault) {
            while true {
                fields.append(try field())
                if bytes.isEmpty || skipLineEnd() { break }
                bytes.removeFirst()
            }
            return Row(line: start, fields: .success(fields))
        } catch {
            // The next row begins behind this line.
            while !bytes.isEmpty, !skipLineEnd() { bytes.removeFirst() }
            return Row(line: start, fields: .failure(error))
        }
    }

    /// Reads a field up to its comma, the end of the row or the end of the file.
    private mutating func field() throws(CSVFault) -> String {
        var content: [UInt8]
        if bytes.first == Self.quote {
            content = try quotedContent()
        } else {
            content = Array(bytes.prefix { $0 != Self.comma && !Self.lineEnds.contains($0) })
            bytes = bytes.dropFirst(content.count)
            guard !content.contains(Self.quote) else { throw .quoteInside }
        }
        guard !content.contains(0) else { throw .zeroByte }
        guard let text = String(validating: content, as: UTF8.self) else { throw .invalidUTF8 }
        return text
    }

    private mutating func quotedContent() throws(CSVFault) -> [UInt8] {
        bytes.removeFirst()
        var content: [UInt8] = []
        while let byte = bytes.first {
            if byte == Self.quote {
                bytes.removeFirst()
                guard bytes.first == Self.quote else {
                    let isEnded = bytes.first.map { $0 == Self.comma || Self.lineEnds.contains($0) }
                    guard isEnded ?? true else { throw .textAfterQuote }
                    return content
                }
            }
            if skipLineEnd() {
                content.append(Self.lineFeed)
            } else {
                content.append(bytes.removeFirst())
            }
        }
        throw .openQuote
    }

    /// Skips one line end; returns false where there is none.
    private mutating func skipLineEnd() -> Bool {
        guard let first = bytes.first, Self.lineEnds.contains(first) else { return false }
        bytes.removeFirst()
        if first == Self.carriageReturn, bytes.first == Self.lineFeed { bytes.removeFirst() }
        line += 1
        return true
    }

    private static let comma = UInt8(ascii: ",")
    private static let quote = UInt8(ascii: "\"")
    private static let lineFeed = UInt8(ascii: "\n")
    private static let carriageReturn = UInt8(ascii: "\r")
    private static let lineEnds = [lineFeed, carriageReturn]
}

/// Why a row of a CSV file cannot be read.
enum CSVFault: Error, Equatable {
    /// A quoted field does not end.
    case openQuote
    /// Text follows a quoted field.
    case textAfterQuote
    /// A field without quotes contains one.
    case quoteInside
    /// A zero byte: the file is no text.
    case zeroByte
    /// Bytes that are not UTF-8.
    case invalidUTF8

    /// The failure in words, with its remedy.
    var detail: String {
        switch self {
        case .openQuote: "a quote is not closed"
        case .textAfterQuote: "text follows a closing quote; double a quote inside quotes"
        case .quoteInside: "a quote inside a field; quote the field and double the quote"
        case .zeroByte: "zero byte; use a text file"
        case .invalidUTF8: "not valid UTF-8"
        }
    }
}
