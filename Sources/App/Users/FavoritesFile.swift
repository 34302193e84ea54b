import Domain

/// Favorites as CSV: a header, then one market and its position per line, from 1.
///
/// ```
/// market,position
/// BTC_KRW,1
/// ```
enum FavoritesFile {
    /// The maximum size of a file, in bytes.
    static let bytesMax = 1 << 20
    /// The maximum number of wrong lines in an error.
    static let mistakesMax = 10

    /// The first line.
    static let header = "market,position"

    /// The wrong lines of a file and the reasons.
    struct Refusal: Error, Equatable, CustomStringConvertible {
        /// One line of text for each wrong line: `line 4: …`.
        let description: String
    }

    /// The favorites as text; lines end with LF, or with CR LF as in RFC 4180.
    static func text(_ markets: [MarketID], lineEnd: String = "\n") -> String {
        let lines = zip(1..., markets).map { "\($1.name),\($0)" }
        return ([header] + lines).map { $0 + lineEnd }.joined()
    }

    /// Parses a whole file, or throws.
    ///
    /// Lines are in the order of their positions. CR LF, quoted fields and a byte order mark are
    /// accepted, because spreadsheets write them.
    ///
    /// - Throws: ``Refusal``.
    static func markets(_ bytes: [UInt8]) throws(Refusal) -> [MarketID] {
        guard bytes.count <= bytesMax else {
            throw Refusal(description: "the file is larger than \(bytesMax) bytes")
        }
        if let place = bytes.firstIndex(of: 0) {
            let line = bytes[..<place].count { $0 == UInt8(ascii: "\n") } + 1
            throw Refusal(description: "line \(line): zero byte; use a text file")
        }
        let rows = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        var reading = Reading()
        for (index, row) in rows.enumerated() {
            do throws(Refusal) {
                try reading.apply(row, number: index + 1)
            } catch {
                reading.mistakes.append("line \(index + 1): \(error)")
                // With a wrong header every line would be wrong.
                if index == 0 || reading.mistakes.count == mistakesMax { break }
            }
        }
        guard reading.mistakes.isEmpty else {
            throw Refusal(description: reading.mistakes.joined(separator: "\n"))
        }
        return reading.markets
    }
}

extension FavoritesFile {
    /// The result of the lines so far.
    private struct Reading {
        var markets: [MarketID] = []
        var mistakes: [String] = []
        private var lines: [MarketID: Int] = [:]
        private var lastPlace = 0

        mutating func apply(_ row: ArraySlice<UInt8>, number: Int) throws(Refusal) {
            guard var text = String(validating: row, as: UTF8.self) else {
                throw Refusal(description: "not valid UTF-8")
            }
            if number == 1, text.unicodeScalars.first == "\u{FEFF}" {
                text.unicodeScalars.removeFirst()
            }
            if text.utf8.last == UInt8(ascii: "\r") { text.unicodeScalars.removeLast() }
            if number == 1 {
                let names = Self.fields(text)
                guard names == header.split(separator: ",") else {
                    throw Refusal(description: "the header must be \(header)")
                }
            } else if !text.isEmpty {
                try apply(Self.fields(text), number: number)
            }
        }

        private mutating func apply(_ fields: [Substring], number: Int) throws(Refusal) {
            guard fields.count == 2 else {
                throw Refusal(description: "must be a market and a position")
            }
            guard let market = MarketID(anySpelling: String(fields[0])) else {
                throw Refusal(description: "the market must be like BTC_KRW")
            }
            guard let place = Int(fields[1]), place > 0 else {
                throw Refusal(description: "the position must be a whole number, 1 or more")
            }
            guard place > lastPlace else {
                throw Refusal(
                    description:
                        "position \(place) follows \(lastPlace); sort the lines by position"
                )
            }
            lastPlace = place
            if let earlier = lines.updateValue(number, forKey: market) {
                throw Refusal(description: "\(market.name) is on line \(earlier) too")
            }
            guard markets.count < UserRecord.favoritesMax else {
                throw Refusal(
                    description: "more than \(UserRecord.favoritesMax) favorites"
                )
            }
            markets.append(market)
        }

        /// The fields of a line, without quotes.
        private static func fields(_ text: String) -> [Substring] {
            text.split(separator: ",", omittingEmptySubsequences: false).map { field in
                let isQuoted =
                    field.utf8.count >= 2 && field.hasPrefix("\"") && field.hasSuffix("\"")
                return isQuoted ? field.dropFirst().dropLast() : field
            }
        }
    }
}
