import Domain
@testable import HTTPServer
import NetworkAddresses
@testable import PresentationHTTP
import ViewStates

extension FuzzTarget {
    /// Requests below `/v1/me`, a head and a JSON body: each is parsed to a change within the
    /// documented bounds or to a problem.
    func judgeUserRequests(_ input: FuzzInput) throws(FuzzFinding) {
        var input = input
        let resource =
            PersonalResource.allCases[Int(input.byte()) % PersonalResource.allCases.count]
        let method = resource.methods[Int(input.byte()) % resource.methods.count]
        let route = Route.all.first { $0.target == .personal(resource) }
        guard let route, !route.isStream else { return }
        let parts = input.rest.split(
            separator: 0x0a,
            maxSplits: 3,
            omittingEmptySubsequences: false
        )
        guard parts.count == 4, let query = RequestTarget.parameters(parts[1]) else { return }
        var headers = HeaderTable()
        headers.append(name: Array("content-type".utf8)[...], value: Self.mediaType)
        if !parts[2].isEmpty {
            headers.append(name: Array("if-match".utf8)[...], value: parts[2])
        }
        let head = HTTPServerRequest(
            method: method.rawValue,
            path: "/v1/me" + resource.path,
            query: query,
            remoteAddress: .fuzzer,
            headers: headers
        )
        let call = RoutedRequest(
            request: HTTPServerRequest(head, body: Array(parts[3])),
            requestID: "fuzz",
            route: route,
            method: method,
            place: String(decoding: parts[0], as: UTF8.self),
            query: nil,
            client: .fuzzer
        )
        try require(!UserRequest.subject(call).isEmpty, "a request has no subject")
        switch Result(catching: { () throws(Problem) in try UserRequest(call, user: UserID(7)) }) {
        case .success(.change(let change)):
            if let fault = fault(in: change.change) { throw FuzzFinding(fault) }
            let revision = change.revision(in: UserRecord(name: "fuzz"))
            try require(
                revision == nil || change.precondition != .none,
                "a change has no condition"
            )
        case .success(.tokens(.make(let wanted))):
            let end = Self.now.advanced(by: .seconds(86_400))
            let grant = TokenGrant(user: UserID(7), name: "fuzz", scope: .read, expiresAt: end)
            if let problem = wanted.refusal(by: grant, at: Self.now) { return try check(problem) }
            try require(wanted.scope == .read, "a token has more rights than its maker")
            try require(wanted.expiresAt.map { $0 <= end } ?? true, "a token outlives its maker")
        case .success: return
        case .failure(let problem): try check(problem)
        }
    }

    private static let mediaType = Array("application/json".utf8)[...]

    /// The bound that a change breaks; nil if it is within all.
    func fault(in change: UserChange) -> String? {
        switch change {
        case .putHolding(let holding):
            let isQuantity = holding.quantity.sign > 0 && holding.quantity <= UserInput.quantityMax
            let isPrice = holding.averagePrice.map { $0.sign >= 0 && $0 <= UserInput.priceMax }
            return isQuantity && isPrice ?? true ? nil : "a holding out of bounds"
        case .putCash(let amount):
            let isAmount = amount.map { $0.sign >= 0 && $0 <= UserInput.cashMax } ?? true
            return isAmount ? nil : "cash out of bounds"
        case .putDisplayName(let name):
            let count = name?.utf8.count ?? 1
            return (1...UserInput.displayNameBytesMax).contains(count) ? nil : "a display name"
        case .replaceFavorites(let markets, _):
            let isSet = Set(markets).count == markets.count
            return isSet && markets.count <= UserRecord.favoritesMax ? nil : "favorites"
        case .removeAlert(let number, _): return number > 0 ? nil : "the number of an alert"
        case .markAlertsSeen(let number): return number >= 0 ? nil : "the number of an alert"
        case .changeSettings(let patch, _):
            let isDepth = patch.depth.map(UserSettings.depthRange.contains) ?? true
            return isDepth ? nil : "depth"
        case .addFavorite, .removeFavorite, .moveFavorite, .removeHolding, .addAlert,
            .replaceAlert:
            return nil
        }
    }
}
