import DataSourceContracts
import DataSourcesRemote
import Domain
import FoundationEssentials
import ViewStates

/// A change of user data as an HTTP request: method, path, condition and body.
struct UserChangeRequest: Sendable, Equatable {
    /// The method.
    let method: HTTPRequest.Method
    /// The path.
    let path: String
    /// The value of `If-Match`; nil for an unconditional change.
    var condition: String?
    /// JSON; empty for none.
    var body = ""

    /// Translates a change.
    ///
    /// - Parameters:
    ///   - change: the change, except a move of a favorite, which replaces the whole order.
    ///   - user: the user's number in revisions.
    /// - Throws: ``RemoteFailure`` `refused` for a change without a request.
    init(_ change: UserChange, user: Int64) throws(RemoteFailure) {
        switch change {
        case .addFavorite(let market):
            self.init(.put, "/v1/me/favorites/" + market.name)
        case .removeFavorite(let market):
            self.init(.delete, "/v1/me/favorites/" + market.name)
        case .moveFavorite:
            throw RemoteFailure(.refused, "a favorite is moved by replacing the whole order")
        case .replaceFavorites(let markets, let revision):
            self.init(.put, "/v1/me/favorites")
            condition = Self.condition(user, revision)
            body = try Self.json(Rows(rows: markets.map(\.name)))
        case .changeSettings(let patch, let revision):
            self.init(.patch, "/v1/me/settings")
            condition = Self.condition(user, revision)
            body = try Self.json(Settings(patch))
        case .putHolding(let holding):
            self.init(.put, "/v1/me/holdings/" + holding.asset.symbol)
            body = try Self.json(
                Amount(
                    quantity: holding.quantity.canonicalText,
                    averagePrice: holding.averagePrice?.canonicalText
                )
            )
        case .removeHolding(let asset): self.init(.delete, "/v1/me/holdings/" + asset.symbol)
        case .putCash(nil): self.init(.delete, "/v1/me/cash")
        case .putCash(let amount?):
            self.init(.put, "/v1/me/cash")
            body = try Self.json(["amount": amount.canonicalText])
        case .putDisplayName(let name):
            self.init(.patch, "/v1/me")
            body = try Self.json(["displayName": name])
        case .addAlert(let rule, _):
            // The server's clock and feed decide when the rule begins and what fires it.
            self.init(.post, "/v1/me/alerts")
            body = try Self.json(["rule": rule.text])
        case .replaceAlert(let number, let rule, _, let revision):
            self.init(.put, "/v1/me/alerts/\(number)")
            condition = Self.condition(user, revision)
            body = try Self.json(["rule": rule.text])
        case .removeAlert(let number, let revision):
            self.init(.delete, "/v1/me/alerts/\(number)")
            condition = Self.condition(user, revision)
        case .markAlertsSeen(let number):
            self.init(.patch, "/v1/me/alerts/log")
            body = try Self.json(["seenThrough": String(number)])
        }
    }

    private init(_ method: HTTPRequest.Method, _ path: String) {
        self.method = method
        self.path = path
    }

    private static func condition(_ user: Int64, _ revision: Int64?) -> String {
        revision.map { "\"u\(user)-\($0)\"" } ?? "*"
    }

    private static func json(_ value: some Encodable) throws(RemoteFailure) -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        do {
            return String(decoding: try encoder.encode(value), as: UTF8.self)
        } catch {
            throw RemoteFailure(.refused, "the change cannot be written as JSON")
        }
    }

    /// A whole order of favorites.
    private struct Rows: Encodable {
        let rows: [String]
    }

    /// A holding; an unknown average price is null, not absent.
    private struct Amount: Encodable {
        let quantity: String
        let averagePrice: String?

        enum CodingKeys: String, CodingKey { case quantity, averagePrice }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(quantity, forKey: .quantity)
            try container.encode(averagePrice, forKey: .averagePrice)
        }
    }

    /// The changed settings, with the values of the document; others are absent.
    private struct Settings: Encodable {
        let sort, sortDirection, quote, tab, changePeriod, interval, chartStyle: String?
        let theme, colors, lang, marketLayout: String?
        let pinFavorites: Bool?
        let averages: [Int]?
        let depth: Int?

        init(_ patch: SettingsPatch) {
            sort = patch.sort?.rawValue
            sortDirection = patch.sortDirection?.rawValue
            quote = patch.quote?.rawValue
            tab = patch.tab?.rawValue
            changePeriod = patch.changePeriod?.rawValue
            interval = patch.interval?.rawValue
            chartStyle = patch.chartStyle?.rawValue
            theme = patch.theme?.rawValue
            colors = patch.colors?.rawValue
            lang = patch.language?.rawValue
            marketLayout = patch.marketLayout?.rawValue
            pinFavorites = patch.pinFavorites
            averages = patch.averages
            depth = patch.depth
        }
    }
}
