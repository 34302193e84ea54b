import FoundationEssentials

/// A request of a client on a stream connection: one text message.
enum SubscriptionRequest: Sendable, Equatable {
    /// Tickers of these symbols in these periods; replaces an earlier list.
    case ticker(symbols: [String], periods: [TickerPeriod])
    /// Transactions of these symbols; replaces an earlier list.
    case transaction(symbols: [String])
    /// Order book changes of these symbols; replaces an earlier list.
    case depth(symbols: [String])
    /// Order book snapshots of these symbols; replaces an earlier list.
    case snapshot(symbols: [String])

    /// Why a request is refused.
    enum Refusal: Error, Equatable {
        /// The message is not a JSON object of the right shape.
        case invalidSyntax
        /// The type is unknown; types are case-sensitive.
        case wrongType

        /// The answer on the stream.
        ///
        /// The status for a wrong type was never recorded.
        var answer: String {
            switch self {
            case .invalidSyntax: #"{"status":"5100","resmsg":"Invalid Filter Syntax"}"#
            case .wrongType: #"{"status":"5100","resmsg":"Wrong Filter Type"}"#
            }
        }
    }

    static let greeting = #"{"status":"0000","resmsg":"Connected Successfully"}"#
    static let acknowledgement = #"{"status":"0000","resmsg":"Filter Registered Successfully"}"#

    /// Maximum length of a request; all markets with all periods need a tenth of it.
    static let bytesMax = 131_072

    private struct Body: Decodable {
        var type: String
        var symbols: [String]
        var tickTypes: [String]?
    }

    /// Parses a request.
    ///
    /// Unknown symbols are kept: they may be listed later. Unknown periods are dropped. A ticker
    /// request without a known period is refused, because the exchange's behavior is not known.
    init(_ message: some Collection<UInt8>) throws(Refusal) {
        guard let body = try? JSONDecoder().decode(Body.self, from: Data(message)) else {
            throw .invalidSyntax
        }
        switch body.type {
        case "ticker":
            let periods = (body.tickTypes ?? []).compactMap(TickerPeriod.init(rawValue:))
            if periods.isEmpty { throw .invalidSyntax }
            self = .ticker(symbols: body.symbols, periods: periods)
        case "transaction":
            self = .transaction(symbols: body.symbols)
        case "orderbookdepth":
            self = .depth(symbols: body.symbols)
        case "orderbooksnapshot":
            self = .snapshot(symbols: body.symbols)
        default: throw .wrongType
        }
    }
}
