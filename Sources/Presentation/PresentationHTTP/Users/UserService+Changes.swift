import Domain
import ViewStates
import UseCases

extension UserService {
    /// Applies a change.
    ///
    /// Answers with the changed document where the route has one.
    func make(
        _ change: RequestedChange,
        _ grant: TokenGrant,
        _ permit: ChangePermit?
    ) async throws(StoreFailure) -> RouteResponse {
        try await make(change, grant, permit) { state in
            guard let query = change.answer else {
                return RouteResponse(status: 204, content: .nothing)
            }
            return .document(
                UserDocuments.stored(
                    query,
                    state.record,
                    of: grant.user,
                    scopes: grant.scope.scopes,
                    at: exchangeTime
                )
            )
        }
    }

    /// Applies a change, and answers with the state after it.
    func make(
        _ change: RequestedChange,
        _ grant: TokenGrant,
        _ permit: ChangePermit?,
        answer: (UserState) -> RouteResponse
    ) async throws(StoreFailure) -> RouteResponse {
        let user = grant.user
        if let refusal = try await refusal(of: change.change, by: user) {
            return .problem(refusal)
        }
        let expected = try await expectation(change, of: user)
        // The client may have given up while the checks above waited for the store.
        guard permit?.begin() ?? true else {
            return .problem(.storeAway)
        }
        let before = users.current(user)?.value.record
        let state = try await users.perform(change.change.expecting(expected), of: user)
        // A change without effect writes nothing, so it tells nothing about the store.
        if let before, before != state.record { onChange(nil) }
        return answer(state)
    }

    /// The problem of a change that names an unknown coin, market or alert; nil for any other.
    private func refusal(
        of change: UserChange,
        by user: UserID
    ) async throws(StoreFailure) -> Problem? {
        switch change {
        case .removeHolding(let asset):
            try await isHeld(asset, by: user)
                ? nil : Problem(code: .notFound, detail: "no holding of \(asset.symbol)")
        case .putHolding(let holding):
            try await refusal(of: holding.asset, by: user).map { refusal in
                Problem(code: .notFound, detail: "\(holding.asset.symbol): \(refusal.detail)")
            }
        case .addFavorite(let market):
            try await unknownMarket([market], of: user).map { detail in
                Problem(code: .notFound, detail: detail)
            }
        case .replaceFavorites(let markets, _):
            try await unknownMarket(markets, of: user).map { detail in
                .invalidParameter("rows", detail, allowed: ["listed markets", "your favorites"])
            }
        case .replaceAlert(let number, _, _, _), .removeAlert(let number, _):
            try await hasAlert(number, user)
                ? nil
                : Problem(
                    code: .notFound,
                    detail: "no alert \(number); GET /v1/me/alerts lists your alerts"
                )
        case .removeFavorite, .moveFavorite, .changeSettings, .putCash, .putDisplayName, .addAlert,
            .markAlertsSeen:
            nil
        }
    }

    /// Tells which market cannot be added to the favorites; nil if the exchange or the user's
    /// favorites have all of them.
    private func unknownMarket(
        _ markets: [MarketID],
        of user: UserID
    ) async throws(StoreFailure) -> String? {
        let unlisted = markets.filter { !rows.knows($0) }
        if unlisted.isEmpty { return nil }
        // The store is asked before the answer is no.
        users.invalidate(user)
        let kept = Set(try await users.state(of: user).value.record.favorites.value)
        guard let unknown = unlisted.first(where: { !kept.contains($0) }) else { return nil }
        let nearest = rows.suggestions(for: unknown)
        return "\(unknown.name): unknown market"
            + (nearest.isEmpty ? "" : ". Did you mean " + nearest.joined(separator: ", ") + "?")
    }

    /// The reason why a coin cannot be added; nil if the exchange or the user's holdings have it.
    private func refusal(
        of asset: Asset,
        by user: UserID
    ) async throws(StoreFailure) -> InputError? {
        do throws(InputError) {
            // The path holds a code. A coin's name in its place would be stored as a code.
            try rows.coins.check(asset)
            return nil
        } catch {
            return try await isHeld(asset, by: user) ? nil : error
        }
    }

    /// Whether the user holds a coin.
    ///
    /// The store is asked before the answer is no.
    private func isHeld(_ asset: Asset, by user: UserID) async throws(StoreFailure) -> Bool {
        func isHeld(_ state: UserStatePublisher) -> Bool {
            state.value.record.holdings.value.contains { $0.asset == asset }
        }
        if let state = users.current(user), isHeld(state) { return true }
        users.invalidate(user)
        return isHeld(try await users.state(of: user))
    }

    /// The revision that the change expects; nil without a condition.
    ///
    /// - Throws: ``StoreFailure`` `conflict` if `If-Match` names no revision of this user.
    private func expectation(
        _ change: RequestedChange,
        of user: UserID
    ) async throws(StoreFailure) -> Int64? {
        switch change.precondition {
        case .none, .anything: return nil
        case .revisions(let revisions):
            guard let first = revisions.first else {
                throw StoreFailure.conflict(in: "the record")
            }
            guard revisions.count > 1 else { return first }
            let record = try await users.state(of: user).value.record
            let present = change.revision(in: record)
            return present.flatMap { revisions.contains($0) ? $0 : nil } ?? first
        }
    }
}

extension UserChange {
    /// The same change with an expected revision.
    fileprivate func expecting(_ revision: Int64?) -> UserChange {
        switch self {
        case .replaceFavorites(let markets, _):
            .replaceFavorites(markets, expecting: revision)
        case .changeSettings(let patch, _): .changeSettings(patch, expecting: revision)
        case .replaceAlert(let number, let rule, let now, _):
            .replaceAlert(number, by: rule, at: now, expecting: revision)
        case .removeAlert(let number, _): .removeAlert(number, expecting: revision)
        case .addFavorite, .removeFavorite, .moveFavorite, .putHolding, .removeHolding, .putCash,
            .putDisplayName, .addAlert, .markAlertsSeen:
            self
        }
    }
}
