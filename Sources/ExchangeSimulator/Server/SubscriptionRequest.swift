import FoundationEssentials

/// What a client asks a stream connection for: one text message.
enum SubscriptionRequest: Sendable, Equatable {
    /// A list of symbols, all of them anew, with the periods asked for.
    case ticker(symbols: [String], periods: [TickerPeriod])
    /// A list of symbols, all of them anew.
    case transaction(symbols: [String])
    /// A list of symbols, all of them anew: the changes of their order books.
    case depth(symbols: [String])
    /// A list of symbols, all of them anew: their order books whole.
    case snapshot(symbols: [String])

    /// Why a request is refused.
    enum Refusal: Error, Equatable {
        /// It is no JSON object of the right shape.
        case invalidSyntax
        /// Its type is not one of those that are sent here; types are case-sensitive.
        case wrongType

        /// The answer on the wire; the status of a wrong type was never recorded.
        var answer: String {
            switch self {
            case .invalidSyntax: #"{"status":"5100","resmsg":"Invalid Filter Syntax"}"#
            case .wrongType: #"{"status":"5100","resmsg":"Wrong Filter Type"}"#
            }
        }
    }

    static let greeting = #"{"status":"0000","resmsg":"Connected Successfully"}"#
    static let acknowledgement = #"{"status":"0000","resmsg":"Filter Registered Successfully"}"#

    /// The longest request that is read: all markets with all periods need a tenth of it.
    static let bytesMax = 131_072

    private struct Body: Decodable {
        var type: String
        var symbols: [String]
        var tickTypes: [String]?
    }

    /// Reads a request.
    ///
    /// Unknown symbols are kept: they may be listed later. Unknown periods are left out; a ticker
    /// request without a known one is refused, because what the exchange does is not known.
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
