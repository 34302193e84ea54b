import Domain
import ViewStates

/// A route of the public listener: path template, target, methods and parameters.
///
/// Routing, `Allow` and the labels of metrics follow from the tables ``all``, which OpenAPI
/// describes, and ``page``.
struct Route: Sendable, Hashable {
    /// The resource of a route.
    enum Target: Sendable, Hashable {
        /// `market-list`.
        case marketList
        /// A document about one market.
        case detail(DetailDocumentKind)
        /// `assets`.
        case assets
        /// `snapshot`.
        case snapshot
        /// The event stream of one of those.
        case stream
        /// `about`.
        case about
        /// The OpenAPI description.
        case openAPI
        /// A user's resource.
        case personal(PersonalResource)
        /// The page in a browser.
        case page(PageTarget)
    }

    /// A resource of the page.
    enum PageTarget: Sendable, Hashable {
        /// The page itself.
        case index
        /// A file that it loads.
        case file
    }

    /// The clients that may use a route.
    enum Access: Sendable, Hashable {
        /// Anyone, always.
        case anyone
        /// Anyone, unless the service requires a token.
        case data
        /// Users with a token.
        case user
    }

    /// A method; every route with GET has HEAD.
    enum Method: String, Sendable, Hashable, CaseIterable {
        case get = "GET"
        case post = "POST"
        case put = "PUT"
        case patch = "PATCH"
        case delete = "DELETE"

        /// The scope that a token needs.
        var scope: TokenScope {
            switch self {
            case .get: .read
            case .post, .put, .patch, .delete: .write
            }
        }
    }

    /// The path; a part in braces, such as `{market}`, matches one segment.
    let template: String
    let target: Target
    let methods: [Method]
    /// The query parameters in the order of the documentation.
    let parameterNames: [String]

    /// The clients that may use the route.
    var access: Access {
        switch target {
        case .openAPI, .page: .anyone
        case .marketList, .detail, .assets, .snapshot, .stream, .about: .data
        case .personal: .user
        }
    }

    /// The query parameters of a method: changes that answer with a document take its language.
    func parameterNames(of method: Method) -> [String] {
        switch method {
        case .get: parameterNames
        case .post, .put: parameterNames.filter { $0 == "lang" }
        case .patch, .delete: []
        }
    }

    /// Whether the response is an event stream.
    var isStream: Bool { target == .stream || target == .personal(.stream) }

    /// The value of `Allow`.
    var allow: String { allowed.joined(separator: ", ") }

    /// The names of the allowed methods.
    var allowed: [String] {
        methods.flatMap { $0 == .get ? ["GET", "HEAD"] : [$0.rawValue] }
    }
}

extension Route {
    /// All routes in the order of the HTTP contract.
    static let all: [Route] =
        [read("/v1/markets", .marketList, MarketListQuery.pageParameterNames)]
        + DetailDocumentKind.allCases.map { kind in
            read(
                "/v1/markets/{market}" + (kind.pathPart.map { "/" + $0 } ?? ""),
                .detail(kind),
                kind.parameterNames
            )
        }
        + [
            read("/v1/assets", .assets, AssetsQuery.parameterNames),
            read("/v1/snapshot", .snapshot, SnapshotQuery.parameterNames),
            read("/v1/stream", .stream, streamParameterNames),
            read("/v1/about", .about, ["lang"]),
        ]
        + PersonalResource.allCases.map { resource in
            Route(
                template: "/v1/me" + resource.path,
                target: .personal(resource),
                methods: resource.methods,
                parameterNames: resource.parameterNames
            )
        }
        + [read("/openapi.json", .openAPI, [])]

    /// The addresses of the page, each of which shows one of its views, and of its files.
    static let page: [Route] =
        ["/", "/m/{market}", "/deposits", "/portfolio", "/alerts"].map { template in
            read(template, .page(.index), [])
        }
        + [read("/web/{build}/{file}", .page(.file), [])]

    /// The parameters of a stream: those of all documents, except for paging.
    static let streamParameterNames = streamParameterNames(SnapshotQuery.parameterNames)

    /// The parameters of a user's stream.
    static let userStreamParameterNames = streamParameterNames(
        UserSnapshotQuery.parameterNames
    )

    private static func streamParameterNames(_ names: [String]) -> [String] {
        var names = names.filter { !StreamQuery.isPaging($0) }
        let documents =
            [MarketListQuery.parameterNames, AssetsQuery.parameterNames]
            + DetailDocumentKind.allCases.map(\.parameterNames)
        for name in documents.joined()
        where !names.contains(name) && !StreamQuery.isPaging(name) {
            names.append(name)
        }
        return names
    }

    /// The route of a path, and the value of its last placeholder; nil for an unknown path.
    ///
    /// - Parameter path: percent-decoded except for `%2F`.
    /// - Returns: the route, and the text of its placeholder if it has one.
    static func find(_ path: String) -> (route: Route, place: String?)? {
        if let route = fixed[path] { return (route, nil) }
        // By bytes: as a character a slash includes the accents behind it.
        let parts = path.utf8.split(
            separator: UInt8(ascii: "/"),
            omittingEmptySubsequences: false
        ).map { Substring($0) }
        for open in open where open.parts.count == parts.count {
            var place: Substring?
            let isMatch = zip(open.parts, parts).allSatisfy { expected, part in
                guard expected.first == "{" else { return expected == part }
                place = part
                return !part.isEmpty
            }
            if isMatch { return (open.route, place.map(String.init)) }
        }
        return nil
    }

    private static func read(_ template: String, _ target: Target, _ names: [String]) -> Route {
        Route(template: template, target: target, methods: [.get], parameterNames: names)
    }

    /// The routes without a placeholder by path.
    private static let fixed = Dictionary(
        uniqueKeysWithValues: (all + page).filter { !$0.template.contains("{") }
            .map { ($0.template, $0) }
    )
    /// The routes with a placeholder, split into segments.
    private static let open = (all + page).filter { $0.template.contains("{") }.map { route in
        (
            route: route,
            parts: route.template.split(separator: "/", omittingEmptySubsequences: false)
        )
    }
}

/// A resource below `/v1/me`.
enum PersonalResource: String, Sendable, Hashable, CaseIterable {
    case me
    case markets
    case favorites
    /// One market among the favorites.
    case favorite
    case settings
    case holdings
    /// The holding of one asset.
    case holding
    case cash
    case portfolio
    case alerts
    /// One alert rule.
    case alert
    case alertLog
    /// The user's webhook.
    case webhook
    case tokens
    /// One token of the user.
    case token
    case stream

    /// The path below `/v1/me`.
    var path: String {
        switch self {
        case .me: ""
        case .favorite: "/favorites/{market}"
        case .holding: "/holdings/{asset}"
        case .alert: "/alerts/{id}"
        case .alertLog: "/alerts/log"
        case .token: "/tokens/{number}"
        case .markets, .favorites, .settings, .holdings, .cash, .portfolio, .alerts, .webhook,
            .tokens, .stream:
            "/" + rawValue
        }
    }

    var methods: [Route.Method] {
        switch self {
        case .markets, .holdings, .portfolio, .stream: [.get]
        case .me, .settings, .alertLog: [.get, .patch]
        case .favorites: [.get, .put]
        case .cash, .webhook: [.get, .put, .delete]
        case .favorite, .holding, .alert: [.put, .delete]
        case .tokens, .alerts: [.get, .post]
        case .token: [.delete]
        }
    }

    var parameterNames: [String] {
        switch self {
        case .markets: MarketListQuery.pageParameterNames
        case .portfolio, .alerts, .alert: ["lang"]
        case .alertLog: ["before", "limit", "lang"]
        case .stream: Route.userStreamParameterNames
        case .me, .favorites, .favorite, .settings, .holdings, .holding, .cash, .webhook, .tokens,
            .token:
            []
        }
    }
}
