import Domain
import HTTPServer
import ViewStates

/// A request on a route of users.
enum UserRequest: Sendable {
    /// Reads a document.
    case look(UserDocumentQuery)
    /// Makes a change.
    case change(RequestedChange)
    /// Lists, makes or revokes tokens.
    case tokens(TokenRequest)
    /// Makes or replaces an alert rule, or reads the log.
    case alerts(AlertRequest)
    /// Reads, sets or removes the webhook.
    case webhook(WebhookRequest)

    /// Parses the parameters, the condition and the body of a request.
    ///
    /// - Throws: ``Problem``: `invalid_parameter`, `not_found`, `unsupported_media_type`,
    ///   `precondition_required`.
    init(_ call: RoutedRequest, user: UserID) throws(Problem) {
        guard case .personal(let resource) = call.route.target else {
            preconditionFailure("Not a route of users.")
        }
        let names = call.route.parameterNames(of: call.method)
        let parameters = try RequestParameters(call.request, known: names)
        if let request = try TokenRequest(call, resource) {
            self = .tokens(request)
        } else if let request = try AlertRequest(call, resource, parameters, user: user) {
            self = .alerts(request)
        } else if let request = try WebhookRequest(call, resource) {
            self = .webhook(request)
        } else if call.method == .get, let query = try Self.query(resource, parameters) {
            self = .look(query)
        } else {
            self = .change(try RequestedChange(call, resource, user))
        }
    }

    /// The part of a request that a broken rule is about.
    static func subject(_ call: RoutedRequest) -> String {
        guard case .personal(let resource) = call.route.target else { return "body" }
        switch resource {
        case .favorite: return "market"
        case .holding: return "asset"
        case .favorites: return "rows"
        case .me: return "displayName"
        case .cash: return "amount"
        case .alerts, .alert: return "rule"
        case .alertLog: return "seenThrough"
        case .webhook: return "url"
        case .settings, .markets, .holdings, .portfolio, .tokens, .token, .stream: return "body"
        }
    }

    /// Parses the query of a document of the user's record or of the market; nil for others.
    ///
    /// - Precondition: the resource's route has GET and is no stream.
    /// - Throws: ``Problem`` `invalid_parameter`.
    static func query(
        _ resource: PersonalResource,
        _ parameters: RequestParameters
    ) throws(Problem) -> UserDocumentQuery? {
        switch resource {
        case .me: .me
        case .markets:
            .marketList(try MarketListQuery(parameters, tabs: MarketListQuery.Tab.allCases))
        case .favorites: .favorites
        case .settings: .settings
        case .holdings: .holdings
        case .cash: .cash
        case .portfolio: .portfolio(try parameters.choice("lang") ?? .korean)
        case .alerts: .alerts(try parameters.choice("lang") ?? .korean)
        case .tokens, .alertLog, .webhook: nil
        case .favorite, .holding, .alert, .token, .stream:
            preconditionFailure("The route has no document.")
        }
    }
}

/// A change in a request.
struct RequestedChange: Sendable {
    /// The condition of a request.
    enum Precondition: Sendable, Equatable {
        /// No condition.
        case none
        /// `If-Match: *` always matches.
        case anything
        /// One of these revisions has to be the current one. Tags of other users are left out.
        case revisions([Int64])
    }

    /// The change.
    let change: UserChange
    /// The condition.
    let precondition: Precondition
    /// The document to answer with; nil for 204.
    let answer: UserDocumentQuery?

    /// Parses a PUT, PATCH or DELETE request about the user's record.
    init(
        _ call: RoutedRequest,
        _ resource: PersonalResource,
        _ user: UserID
    ) throws(Problem) {
        try Self.refuseConditions(call, resource)
        switch (resource, call.method) {
        case (.favorite, .put):
            self.init(.addFavorite(try Self.market(call)), answer: nil)
        case (.favorite, .delete):
            self.init(.removeFavorite(try Self.market(call)), answer: nil)
        case (.holding, .put):
            let asset = try Self.asset(call)
            self.init(.putHolding(try UserRequestBody(call).holding(of: asset)), answer: nil)
        case (.holding, .delete):
            self.init(.removeHolding(try Self.asset(call)), answer: nil)
        case (.cash, .put): self.init(.putCash(try UserRequestBody(call).cash()), answer: .cash)
        case (.cash, .delete): self.init(.putCash(nil), answer: nil)
        case (.me, .patch):
            self.init(.putDisplayName(try UserRequestBody(call).displayName()), answer: .me)
        case (.favorites, .put):
            let condition = try Self.condition(call, user)
            self.init(
                .replaceFavorites(try UserRequestBody(call).favorites(), expecting: nil),
                condition,
                answer: .favorites
            )
        case (.settings, .patch):
            let condition = try Self.condition(call, user)
            self.init(
                .changeSettings(try UserRequestBody(call).settings(), expecting: nil),
                condition,
                answer: .settings
            )
        case (.alert, .delete):
            let number = try call.alertNumber()
            let condition = try Self.condition(call, user)
            self.init(.removeAlert(number, expecting: nil), condition)
        case (.alertLog, .patch):
            self.init(.markAlertsSeen(through: try UserRequestBody(call).seenThrough()))
        case (.markets, _), (.holdings, _), (.portfolio, _), (.stream, _), (.me, _), (.cash, _),
            (.favorite, _), (.favorites, _), (.settings, _), (.holding, _), (.tokens, _),
            (.token, _), (.alerts, _), (.alert, _), (.alertLog, _), (.webhook, _):
            preconditionFailure("The route has no such method.")
        }
    }

    /// Makes a change; without an answer the response is 204 or the caller's.
    init(
        _ change: UserChange,
        _ precondition: Precondition = .none,
        answer: UserDocumentQuery? = nil
    ) {
        self.change = change
        self.precondition = precondition
        self.answer = answer
    }

    /// The revision that the change replaces; nil for a change without a condition.
    func revision(in record: UserRecord) -> Int64? {
        switch change {
        case .replaceFavorites: record.favorites.revision
        case .changeSettings: record.settings.revision
        case .replaceAlert, .removeAlert: record.alerts.revision
        case .addFavorite, .removeFavorite, .moveFavorite, .putHolding, .removeHolding, .putCash,
            .putDisplayName, .addAlert, .markAlertsSeen:
            nil
        }
    }

    private static func market(_ call: RoutedRequest) throws(Problem) -> MarketID {
        guard let market = MarketID(anySpelling: call.place ?? "") else {
            throw Problem(code: .notFound, detail: "the path names no market, e.g. BTC_KRW")
        }
        return market
    }

    private static func asset(_ call: RoutedRequest) throws(Problem) -> Asset {
        do throws(InputError) {
            return try UserInput.asset(call.place ?? "")
        } catch {
            throw Problem(code: .notFound, detail: "the path names no coin, e.g. BTC")
        }
    }

    /// Rejects conditions that the route does not check: the change would ignore them.
    static func refuseConditions(
        _ call: RoutedRequest,
        _ resource: PersonalResource
    ) throws(Problem) {
        let taken: Set<String> =
            switch resource {
            case .favorites, .settings, .alert: ["If-Match"]
            case .me, .markets, .favorite, .holdings, .holding, .cash, .portfolio, .alerts,
                .alertLog, .webhook, .tokens, .token, .stream:
                []
            }
        for name in ["If-Match", "If-None-Match"]
        where !taken.contains(name) && call.request.header(name.lowercased()) != nil {
            throw .invalidParameter(
                name,
                "is not supported on this route",
                allowed: [
                    "without it",
                    "If-Match at /v1/me/favorites, /v1/me/settings and /v1/me/alerts/{id}",
                ]
            )
        }
    }

    /// Parses `If-Match`, which a change of a whole document requires.
    static func condition(
        _ call: RoutedRequest,
        _ user: UserID
    ) throws(Problem) -> Precondition {
        guard let text = call.request.header("if-match") else {
            throw Problem(
                code: .preconditionRequired,
                detail: "If-Match is missing. Send the ETag of the document, or * to overwrite any"
            )
        }
        let tags = text.split(separator: ",").map(Self.trimmed)
        if tags == ["*"] { return .anything }
        let prefix = "\"u\(user.number)-"
        // Comparison is strong: a weak tag never matches (RFC 9110, 13.1.1).
        return .revisions(
            tags.compactMap { tag in
                guard tag.hasPrefix(prefix), tag.hasSuffix("\"") else { return nil }
                var digits = tag.dropFirst(prefix.count).dropLast()
                // The tag of alerts also has the number of expired rules.
                if call.route.target == .personal(.alert) { digits = digits.prefix { $0 != "." } }
                guard let revision = Int64(digits), "\(revision)" == digits else { return nil }
                return revision
            }
        )
    }

    private static func trimmed(_ text: Substring) -> Substring {
        var text = text.drop { $0 == " " || $0 == "\t" }
        while text.last == " " || text.last == "\t" { text.removeLast() }
        return text
    }
}
