import JSON
import ViewStates

/// Name, summary, request body and response of an operation.
struct OperationStrings: Sendable {
    /// The name that generated clients use.
    let name: String
    /// The effect of the operation, in one sentence.
    let summary: String
    /// The tag: `market` or `user`.
    let tag: String
    /// The schema of the request body; nil without one.
    var body: String?
    /// The schema of the response; nil for 204.
    var answer: JSONValue?
    /// The description of the response.
    var answerMeaning = "The document."

    /// Describes a method of a route.
    init(_ target: Route.Target, _ method: Route.Method) {
        switch target {
        case .marketList: self.init("listMarkets", "The list of markets.", "MarketListDocument")
        case .detail(let kind): self = Self.detail(kind)
        case .assets:
            self.init("listAssets", "Deposits and withdrawals of every coin.", "AssetsDocument")
        case .snapshot:
            self.init("getSnapshot", "Several documents from one snapshot.", "SnapshotDocument")
        case .stream:
            self = Self.stream(
                "streamDocuments",
                "Streams one document, or several from one snapshot, and every change."
            )
        case .about:
            self.init("getAbout", "Version, limits and licenses.", "AboutDocument")
        case .openAPI: self = Self.itself
        case .page: preconditionFailure("the page is no operation of the API")
        case .personal(let resource): self = Self.personal(resource, method)
        }
    }

    private init(
        _ name: String,
        _ summary: String,
        _ answer: String?,
        tag: String = "market",
        body: String? = nil
    ) {
        self.name = name
        self.summary = summary
        self.tag = tag
        self.body = body
        self.answer = answer.map { .schema($0) }
    }

    private static func detail(_ kind: DetailDocumentKind) -> OperationStrings {
        switch kind {
        case .marketDetail:
            OperationStrings(
                "getMarketDetail",
                "Header, order book, trades and candles of a market from one snapshot.",
                "MarketDetailDocument"
            )
        case .orderBook:
            OperationStrings("getOrderBook", "The order book of a market.", "OrderBookDocument")
        case .trades: OperationStrings("getTrades", "The newest trades.", "TradesDocument")
        case .candles: OperationStrings("getCandles", "Candles of a market.", "CandlesDocument")
        }
    }

    private static var itself: OperationStrings {
        var words = OperationStrings("getOpenAPI", "This description.", nil)
        words.answer = [
            "type": "object", "required": ["openapi", "info", "paths", "components"],
            "properties": ["openapi": .text(pattern: #"^3\.1\.[0-9]+$"#)],
        ]
        return words
    }

    private static func stream(
        _ name: String,
        _ summary: String,
        tag: String = "market"
    ) -> OperationStrings {
        var words = OperationStrings(name, summary, nil, tag: tag)
        words.answer = .schema(tag == "user" ? "PersonalEvent" : "Event")
        words.answerMeaning =
            "Server-Sent Events: `snapshot` with the whole document, then a `patch` per change;"
            + " `bookmark` every 15 s; `reset` with the whole document if patches cannot continue;"
            + " `bye` before the server closes the stream, except that of a client that takes no"
            + " bytes. The `id` of an event is a revision."
            + OpenAPIExamples.events
        return words
    }

    private static func personal(
        _ resource: PersonalResource,
        _ method: Route.Method
    ) -> OperationStrings {
        let (name, summary): (String, String) =
            switch (resource, method) {
            case (.me, .get): ("getMe", "The user of the token.")
            case (.me, _): ("changeMe", "Change the display name.")
            case (.markets, _): ("listOwnMarkets", "The list of markets with favorite marks.")
            case (.favorites, .get): ("getFavorites", "Favorites in order.")
            case (.favorites, _): ("replaceFavorites", "Replace all favorites.")
            case (.favorite, .put): ("addFavorite", "Add a market to the favorites.")
            case (.favorite, _): ("removeFavorite", "Remove a market from the favorites.")
            case (.settings, .get): ("getSettings", "Display settings.")
            case (.settings, _): ("changeSettings", "Change settings.")
            case (.holdings, _): ("getHoldings", "Holdings.")
            case (.holding, .put):
                ("putHolding", "Set the quantity and average price of a coin.")
            case (.holding, _): ("removeHolding", "Remove a coin from the holdings.")
            case (.cash, .get): ("getCash", "Cash.")
            case (.cash, .delete): ("removeCash", "Remove the cash amount.")
            case (.cash, _): ("putCash", "Set the cash amount.")
            case (.alerts, .get): ("getAlerts", "Alert rules, and the newest alerts.")
            case (.alerts, _): ("addAlert", "Make an alert rule.")
            case (.alert, .put): ("replaceAlert", "Replace an alert rule, which starts anew.")
            case (.alert, _): ("removeAlert", "Remove an alert rule; the log keeps its alerts.")
            case (.alertLog, .get): ("getAlertLog", "The alerts that fired, newest first.")
            case (.alertLog, _): ("markAlertsSeen", "Mark alerts as seen, up to one of them.")
            case (.webhook, .get): ("getWebhook", "The webhook for alerts, without its secret.")
            case (.webhook, .delete): ("removeWebhook", "Remove the webhook for alerts.")
            case (.webhook, _):
                ("putWebhook", "Set the webhook for alerts, each time with a new secret.")
            case (.tokens, .get): ("listTokens", "The user's valid tokens.")
            case (.tokens, _): ("createToken", "Make a token of the user.")
            case (.token, _): ("revokeToken", "Revoke a token of the user.")
            case (.portfolio, _): ("getPortfolio", "Holdings at current prices.")
            case (.stream, _):
                (
                    "streamOwnDocuments",
                    "Streams one of the user's documents, or several from one snapshot, and every "
                        + "change."
                )
            }
        if resource == .stream { return stream(name, summary, tag: "user") }
        return OperationStrings(
            name,
            summary,
            answer(resource, method),
            tag: "user",
            body: body(resource, method)
        )
    }

    private static func body(_ resource: PersonalResource, _ method: Route.Method) -> String? {
        switch method {
        case .get, .delete: return nil
        case .post, .put, .patch: break
        }
        return switch resource {
        case .me: "ProfileChange"
        case .favorites: "FavoritesInput"
        case .settings: "SettingsChange"
        case .holding: "HoldingInput"
        case .cash: "CashInput"
        case .alerts, .alert: "AlertInput"
        case .alertLog: "AlertLogChange"
        case .webhook: "WebhookInput"
        case .tokens: "TokenInput"
        case .favorite, .markets, .holdings, .portfolio, .token, .stream: nil
        }
    }

    /// The schema of the response; nil for 204.
    private static func answer(_ resource: PersonalResource, _ method: Route.Method) -> String? {
        if method == .delete { return nil }
        return switch resource {
        case .me: "ProfileDocument"
        case .markets: "PersonalMarketListDocument"
        case .favorites: "FavoritesDocument"
        case .settings: "SettingsDocument"
        case .holdings: "HoldingsDocument"
        case .cash: "CashDocument"
        case .portfolio: "PortfolioDocument"
        case .alerts: method == .post ? "AlertDocument" : "AlertsDocument"
        case .alert: "AlertDocument"
        case .alertLog: method == .patch ? nil : "AlertLogDocument"
        case .webhook: method == .put ? "NewWebhookDocument" : "WebhookDocument"
        case .tokens: method == .post ? "NewTokenDocument" : "TokensDocument"
        case .favorite, .holding, .token, .stream: nil
        }
    }
}
