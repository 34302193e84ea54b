import Domain
import ViewStates

/// An address of the public listener: its template, what is there, and which methods it takes.
///
/// The whole table is data: requests are routed by it, refusals name its methods, OpenAPI and the
/// metrics' labels are made from it.
struct Route: Sendable, Hashable {
    /// What is at an address.
    enum Target: Sendable, Hashable {
        /// `market-list`.
        case marketList
        /// A document about one market.
        case detail(DetailDocumentKind)
        /// `assets`.
        case assets
        /// `snapshot`.
        case snapshot
        /// The events of one of those.
        case stream
        /// `about`.
        case about
        /// The description of the whole service.
        case openAPI
        /// Something that is kept for a user, or shown as that user sees it.
        case personal(PersonalResource)
    }

    /// Who is let in.
    enum Access: Sendable, Hashable {
        /// Everybody, always.
        case everybody
        /// Everybody, unless the service requires a token.
        case data
        /// Whoever has a token.
        case user
    }

    /// A method that an address takes.
    ///
    /// HEAD is taken wherever GET is.
    enum Method: String, Sendable, Hashable, CaseIterable {
        case get = "GET"
        case put = "PUT"
        case patch = "PATCH"
        case delete = "DELETE"

        /// What a token must open for it.
        var scope: TokenScope {
            switch self {
            case .get: .read
            case .put, .patch, .delete: .write
            }
        }
    }

    /// The address; `{market}` or `{asset}` stands for one part of a path.
    let template: String
    /// What is there.
    let target: Target
    /// What is taken, in the order in which it is told.
    let methods: [Method]
    /// The names of the query's parameters, in the order in which they are told.
    let parameterNames: [String]

    /// Who is let in.
    var access: Access {
        switch target {
        case .openAPI: .everybody
        case .marketList, .detail, .assets, .snapshot, .stream, .about: .data
        case .personal: .user
        }
    }

    /// Whether its answer is events, which go on.
    var isStream: Bool { target == .stream || target == .personal(.stream) }

    /// The value of `Allow`.
    var allow: String { allowed.joined(separator: ", ") }

    /// The names of the methods that are taken.
    var allowed: [String] {
        methods.flatMap { $0 == .get ? ["GET", "HEAD"] : [$0.rawValue] }
    }
}

/// What a user has.
enum PersonalResource: String, Sendable, Hashable, CaseIterable {
    case me
    case markets
    case favorites
    /// One market among the favourites.
    case favorite
    case settings
    case holdings
    /// What is held of one coin.
    case holding
    case cash
    case portfolio
    case stream

    /// The last parts of its address.
    var path: String {
        switch self {
        case .me: ""
        case .favorite: "/favorites/{market}"
        case .holding: "/holdings/{asset}"
        case .markets, .favorites, .settings, .holdings, .cash, .portfolio, .stream:
            "/" + rawValue
        }
    }

    /// What may be done with it.
    var methods: [Route.Method] {
        switch self {
        case .markets, .holdings, .portfolio, .stream: [.get]
        case .me, .settings: [.get, .patch]
        case .favorites, .cash: [.get, .put]
        case .favorite, .holding: [.put, .delete]
        }
    }

    /// The parameters of its query.
    var parameterNames: [String] {
        switch self {
        case .markets: MarketListQuery.parameterNames
        case .portfolio: ["lang"]
        case .stream: Route.userStreamParameterNames
        case .me, .favorites, .favorite, .settings, .holdings, .holding, .cash: []
        }
    }
}
