import JSON
import ViewStates

/// What an operation is called, takes and answers.
struct OperationStrings: Sendable {
    /// The name that generated clients use.
    let name: String
    /// What it does in a sentence.
    let summary: String
    /// Whose business it is.
    let tag: String
    /// The schema of the body; nil without one.
    var body: String?
    /// The schema of the answer; nil for none, which is 204.
    var answer: JSONValue?
    /// What the answer is.
    var answerMeaning = "The document."

    /// The words for a method at a target.
    init(_ target: Route.Target, _ method: Route.Method) {
        switch target {
        case .marketList: self.init("listMarkets", "The list of markets.", "MarketListDocument")
        case .detail(let kind): self = Self.detail(kind)
        case .assets:
            self.init("listAssets", "Deposits and withdrawals of every coin.", "AssetsDocument")
        case .snapshot:
            self.init("getSnapshot", "Several documents in one cut.", "SnapshotDocument")
        case .stream:
            self = Self.stream(
                "streamDocuments",
                "One document, or several in one cut, and then every change."
            )
        case .about:
            self.init("getAbout", "What this program is, and the limits in force.", "AboutDocument")
        case .openAPI: self = Self.itself
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
                "Header, order book, trades and candles of a market in one cut.",
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
            "Server-Sent Events, each as the schema says: `snapshot` with a whole document, then"
            + " `patch` with a `PatchEvent` per change; `bookmark` every 15 s; `reset` with the"
            + " whole document where the one before is not known any more; `bye` before the server"
            + " ends it. The `id` of an event is a revision."
            + OpenAPIExamples.events
        return words
    }

    private static func personal(
        _ resource: PersonalResource,
        _ method: Route.Method
    ) -> OperationStrings {
        let (name, summary): (String, String) =
            switch (resource, method) {
            case (.me, .get): ("getMe", "Who the token belongs to.")
            case (.me, _): ("changeMe", "Changes the name that screens show.")
            case (.markets, _): ("listOwnMarkets", "The list of markets, favourites marked.")
            case (.favorites, .get): ("getFavorites", "The favourites in order.")
            case (.favorites, _): ("replaceFavorites", "Replaces all favourites.")
            case (.favorite, .put): ("addFavorite", "Puts a market behind the favourites.")
            case (.favorite, _): ("removeFavorite", "Takes a market from the favourites.")
            case (.settings, .get): ("getSettings", "How the user wants to see the market.")
            case (.settings, _): ("changeSettings", "Changes some settings.")
            case (.holdings, _): ("getHoldings", "How much of which coin is held.")
            case (.holding, .put):
                ("putHolding", "Says how much is held of a coin that is listed, named or held.")
            case (.holding, _): ("removeHolding", "Says that a coin is not held.")
            case (.cash, .get): ("getCash", "How much cash there is.")
            case (.cash, _): ("putCash", "Says how much cash there is.")
            case (.portfolio, _): ("getPortfolio", "What is held, valued now.")
            case (.stream, _):
                (
                    "streamOwnDocuments",
                    "One document as the user sees it, or several in one cut, and every change."
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
        case .put, .patch: break
        }
        return switch resource {
        case .me: "ProfileChange"
        case .favorites: "FavoritesInput"
        case .settings: "SettingsChange"
        case .holding: "HoldingInput"
        case .cash: "CashInput"
        case .favorite, .markets, .holdings, .portfolio, .stream: nil
        }
    }

    /// The schema of the answer; nil where nothing comes back.
    private static func answer(_ resource: PersonalResource, _ method: Route.Method) -> String? {
        switch resource {
        case .me: "ProfileDocument"
        case .markets: "PersonalMarketListDocument"
        case .favorites: "FavoritesDocument"
        case .settings: "SettingsDocument"
        case .holdings: "HoldingsDocument"
        case .cash: "CashDocument"
        case .portfolio: "PortfolioDocument"
        case .favorite, .holding, .stream: nil
        }
    }
}
