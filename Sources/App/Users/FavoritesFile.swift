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
    /// The first line.
    static let header = "market,position"

    /// The favorites as text; lines end with LF, or with CR LF as in RFC 4180.
    static func text(_ markets: [MarketID], lineEnd: String = "\n") -> String {
        let lines = zip(1..., markets).map { "\($1.name),\($0)" }
        return ([header] + lines).map { $0 + lineEnd }.joined()
    }

    /// Parses a whole file, or throws.
    ///
    /// Lines are in the order of their positions.
    ///
    /// - Throws: ``ImportFile/Refusal``.
    static func markets(_ bytes: [UInt8]) throws(ImportFile.Refusal) -> [MarketID] {
        guard bytes.count <= bytesMax else {
            throw ImportFile.Refusal(description: "the file is larger than \(bytesMax) bytes")
        }
        let rows = CSVReader.rows(bytes)
        guard let first = rows.first, case .success(let names) = first.fields,
            names == ["market", "position"]
        else {
            throw ImportFile.Refusal(description: "line 1: the header must be \(header)")
        }
        var reading = Reading()
        for row in rows.dropFirst() where reading.mistakes.count < ImportFile.mistakesMax {
            reading.apply(row)
        }
        guard reading.mistakes.isEmpty else {
            throw ImportFile.Refusal(description: reading.mistakes.joined(separator: "\n"))
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

        mutating func apply(_ row: CSVReader.Row) {
            do throws(ImportFile.Refusal) {
                switch row.fields {
                case .success(let fields): try apply(fields, number: row.line)
                case .failure(let fault): throw ImportFile.Refusal(description: fault.detail)
                }
            } catch {
                mistakes.append("line \(row.line): \(error)")
            }
        }

        private mutating func apply(_ fields: [String], number: Int) throws(ImportFile.Refusal) {
            guard fields.count == 2 else {
                throw ImportFile.Refusal(description: "must be a market and a position")
            }
            guard let market = MarketID(anySpelling: fields[0]) else {
                throw ImportFile.Refusal(description: "the market must be like BTC_KRW")
            }
            guard let place = Int(fields[1]), place > 0 else {
                throw ImportFile.Refusal(
                    description: "the position must be a whole number, 1 or more"
                )
            }
            guard place > lastPlace else {
                throw ImportFile.Refusal(
                    description:
                        "position \(place) follows \(lastPlace); sort the lines by position"
                )
            }
            lastPlace = place
            if let earlier = lines.updateValue(number, forKey: market) {
                throw ImportFile.Refusal(description: "\(market.name) is on line \(earlier) too")
            }
            guard markets.count < UserRecord.favoritesMax else {
                throw ImportFile.Refusal(
                    description: "more than \(UserRecord.favoritesMax) favorites"
                )
            }
            markets.append(market)
        }
    }
}
