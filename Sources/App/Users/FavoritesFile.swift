import Domain

/// Favourites as a file of comma-separated values: a header, then a market and its place, from 1.
///
/// ```
/// market,position
/// BTC_KRW,1
/// ```
enum FavoritesFile {
    /// The largest file that is read, in bytes.
    static let bytesMax = 1 << 20
    /// How many wrong lines are named; there may be more.
    static let mistakesMax = 10

    /// The first line.
    static let header = "market,position"

    /// Why a file is not taken: the lines and what is wrong with them.
    struct Refusal: Error, Equatable, CustomStringConvertible {
        /// `line 4: …`, each a line of its own.
        let description: String
    }

    /// The favourites as text; a line end is LF as programs here want it, or CR LF as RFC 4180 has.
    static func text(_ markets: [MarketID], lineEnd: String = "\n") -> String {
        let lines = zip(1..., markets).map { "\($1.name),\($0)" }
        return ([header] + lines).map { $0 + lineEnd }.joined()
    }

    /// Reads a file whole, or not at all.
    ///
    /// The lines stand in the order of their places. Spreadsheets may end lines with CR LF, quote
    /// fields and put a byte order mark first.
    ///
    /// - Throws: ``Refusal``.
    static func markets(_ bytes: [UInt8]) throws(Refusal) -> [MarketID] {
        guard bytes.count <= bytesMax else {
            throw Refusal(description: "the file has more than \(bytesMax) bytes")
        }
        if let place = bytes.firstIndex(of: 0) {
            let line = bytes[..<place].count { $0 == UInt8(ascii: "\n") } + 1
            throw Refusal(description: "line \(line): a zero byte stands there: is it a text?")
        }
        let rows = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        var reading = Reading()
        for (index, row) in rows.enumerated() {
            do throws(Refusal) {
                try reading.take(row, number: index + 1)
            } catch {
                reading.mistakes.append("line \(index + 1): \(error)")
                // Under another header every line would be wrong.
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
    /// What the lines told so far.
    private struct Reading {
        var markets: [MarketID] = []
        var mistakes: [String] = []
        private var lines: [MarketID: Int] = [:]
        private var lastPlace = 0

        mutating func take(_ row: ArraySlice<UInt8>, number: Int) throws(Refusal) {
            guard var text = String(validating: row, as: UTF8.self) else {
                throw Refusal(description: "it is not valid UTF-8")
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
                try take(Self.fields(text), number: number)
            }
        }

        private mutating func take(_ fields: [Substring], number: Int) throws(Refusal) {
            guard fields.count == 2 else {
                throw Refusal(description: "a market and a position must stand there")
            }
            guard let market = MarketID(anySpelling: String(fields[0])) else {
                throw Refusal(description: "the market must be one like BTC_KRW")
            }
            guard let place = Int(fields[1]), place > 0 else {
                throw Refusal(description: "the position must be a whole number from 1 up")
            }
            guard place > lastPlace else {
                throw Refusal(
                    description: "position \(place) comes after \(lastPlace): "
                        + "lines stand in the order of their positions"
                )
            }
            lastPlace = place
            if let earlier = lines.updateValue(number, forKey: market) {
                throw Refusal(description: "\(market.name) stands on line \(earlier) too")
            }
            guard markets.count < UserRecord.favoritesMax else {
                throw Refusal(
                    description: "at most \(UserRecord.favoritesMax) favourites are kept"
                )
            }
            markets.append(market)
        }

        /// The fields of a line, without the quotes of a spreadsheet.
        private static func fields(_ text: String) -> [Substring] {
            text.split(separator: ",", omittingEmptySubsequences: false).map { field in
                let isQuoted =
                    field.utf8.count >= 2 && field.hasPrefix("\"") && field.hasSuffix("\"")
                return isQuoted ? field.dropFirst().dropLast() : field
            }
        }
    }
}
