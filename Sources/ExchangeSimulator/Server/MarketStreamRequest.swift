import Domain
import FoundationEssentials

/// A request of a client on a stream connection of API 2.x: a list of objects.
///
/// ```
/// [{"ticket":"a"},{"type":"ticker","codes":["KRW-BTC"]},{"format":"SIMPLE"}]
/// ```
struct MarketStreamRequest: Sendable, Equatable {
    /// One type with its markets.
    struct Channel: Sendable, Equatable {
        var type: MarketFrameType
        /// The names of markets, `BTC_KRW`, with the number of units of a book.
        var markets: [Market]
        /// Prices of a book are multiples of this many ticks.
        var level = 1
        var hasSnapshot = true
        var hasRealtime = true
    }

    /// A code with its suffix.
    struct Market: Sendable, Equatable {
        var name: String
        var units: Int
    }

    var channels: [Channel] = []
    var format = MarketFrameFormat.full

    /// The text that is answered like a ping.
    static let ping = Array("PING".utf8)
    /// The answer to ``ping``.
    static let pingAnswer = #"{"status":"UP"}"#

    /// Why a request is refused; the connection is then closed.
    enum Refusal: String, Error {
        case noTicket = "NO_TICKET"
        case wrongFormat = "WRONG_FORMAT"
        case invalidParameter = "INVALID_PARAM"
        case noCodes = "NO_CODES"

        private var message: String {
            switch self {
            case .noTicket: "Ticket is required"
            case .wrongFormat: "Wrong format"
            case .invalidParameter: "Invalid parameter"
            case .noCodes: "Codes are required"
            }
        }

        /// The answer on the stream; the texts of messages were never recorded.
        var answer: String {
            #"{"error":{"name":"\#(rawValue)","message":"\#(message)"}}"#
        }
    }

    private struct Part: Decodable {
        var ticket: String?
        var type: String?
        var codes: [String]?
        var isOnlySnapshot: Bool?
        var isOnlyRealtime: Bool?
        var level: Int?
        var format: String?
    }

    /// The multiples of the tick that books can have.
    private static let levels: Set = [1, 10, 100, 1_000, 10_000]

    /// Parses a request.
    ///
    /// Codes that name no market are dropped without a word, lower-case ones included.
    init(_ message: some Collection<UInt8>) throws(Refusal) {
        guard let parts = try? JSONDecoder().decode([Part].self, from: Data(message)) else {
            throw .wrongFormat
        }
        guard parts.contains(where: { $0.ticket?.isEmpty == false }) else { throw .noTicket }
        // An unknown format means the usual one.
        if parts.contains(where: { $0.format == MarketFrameFormat.simple.rawValue }) {
            format = .simple
        }
        for part in parts where part.ticket == nil && part.format == nil {
            channels.append(try Self.channel(part))
        }
        // The documentation names NO_TYPE, but this was observed.
        if channels.isEmpty { throw .wrongFormat }
    }

    private static func channel(_ part: Part) throws(Refusal) -> Channel {
        guard let name = part.type else { throw .wrongFormat }
        guard let type = MarketFrameType(rawValue: name) else { throw .invalidParameter }
        guard let codes = part.codes else { throw .noCodes }
        if codes.isEmpty { throw .invalidParameter }
        if let level = part.level, !levels.contains(level) { throw .wrongFormat }
        let isOnlySnapshot = part.isOnlySnapshot ?? false
        return Channel(
            type: type,
            markets: codes.compactMap(market),
            level: part.level ?? 1,
            hasSnapshot: isOnlySnapshot || part.isOnlyRealtime != true,
            hasRealtime: !isOnlySnapshot
        )
    }

    /// Parses `KRW-BTC` or `KRW-BTC.5`.
    private static func market(_ code: String) -> Market? {
        let parts = code.split(separator: ".", omittingEmptySubsequences: false)
        guard let first = parts.first, parts.count <= 2, let id = MarketID(code: first) else {
            return nil
        }
        let most = BookView.unitsMax
        guard parts.count == 2 else { return Market(name: id.name, units: most) }
        guard let units = Int(parts[1]), units > 0 else { return nil }
        return Market(name: id.name, units: min(units, most))
    }
}

/// The types of frames of API 2.x.
enum MarketFrameType: String, Sendable {
    case ticker, trade, orderbook
}

/// The spelling of a frame's names.
enum MarketFrameFormat: String, Sendable, Hashable, CaseIterable {
    case full = "DEFAULT"
    case simple = "SIMPLE"
}

/// How much of an order book a frame shows.
struct BookView: Sendable, Hashable {
    var units = unitsMax
    /// Prices are multiples of this many ticks.
    var level = 1
    var format = MarketFrameFormat.full

    /// Maximum number of units of a frame.
    static let unitsMax = 15
}
