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
        let user = grant.user
        if case .removeHolding(let asset) = change.change,
            try await !isHeld(asset, by: user)
        {
            return .problem(
                Problem(code: .notFound, detail: "no holding of \(asset.symbol)")
            )
        }
        if case .putHolding(let holding) = change.change,
            let refusal = try await refusal(of: holding.asset, by: user)
        {
            return .problem(
                Problem(code: .notFound, detail: "\(holding.asset.symbol): \(refusal.detail)")
            )
        }
        let expected = try await expectation(change, of: user)
        // The client may have given up while the checks above waited for the store.
        guard permit?.begin() ?? true else {
            return .problem(.storeAway)
        }
        let state = try await users.perform(change.change.expecting(expected), of: user)
        guard let query = change.answer else {
            return RouteResponse(status: 204, content: .nothing)
        }
        return .document(
            UserDocuments.stored(query, state.record, of: user, scopes: grant.scope.scopes)
        )
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
        case .addFavorite, .removeFavorite, .moveFavorite, .putHolding, .removeHolding, .putCash,
            .putDisplayName:
            self
        }
    }
}
