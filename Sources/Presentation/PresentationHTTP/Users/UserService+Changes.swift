import Domain
import UseCases
import ViewStates

extension UserService {
    /// Makes a change, and answers with what is kept afterwards where that is an address.
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
                Problem(code: .notFound, detail: "nothing is held of \(asset.symbol)")
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
        // What was waited for until here took too long if nobody waits for the rest.
        guard permit?.begin() ?? true else {
            return .problem(.storeAway)
        }
        let record = try await users.perform(change.change.expecting(expected), of: user).record
        guard let query = change.answer else {
            return RouteResponse(status: 204, content: .nothing)
        }
        return .document(
            UserDocuments.stored(query, record, of: user, scopes: grant.scope.scopes)
        )
    }

    /// Why a coin cannot be added; nil if it is known, or held already.
    private func refusal(
        of asset: Asset,
        by user: UserID
    ) async throws(StoreFailure) -> InputError? {
        do throws(InputError) {
            // An address names a code: a name in its place would be kept as one.
            try rows.coins.check(asset)
            return nil
        } catch {
            return try await isHeld(asset, by: user) ? nil : error
        }
    }

    /// Whether something is held of a coin; before it is denied, the store is asked.
    private func isHeld(_ asset: Asset, by user: UserID) async throws(StoreFailure) -> Bool {
        func isHeld(_ seat: UserStateEntry<UserDocuments>) -> Bool {
            seat.latest.value.record.holdings.value.contains { $0.asset == asset }
        }
        if let seat = users.current(user), isHeld(seat) { return true }
        users.doubt(user)
        return isHeld(try await users.seat(of: user))
    }

    /// The revision that the store is to compare with the present one.
    ///
    /// - Throws: ``StoreFailure`` `conflict` if none of those named can be it.
    private func expectation(
        _ change: RequestedChange,
        of user: UserID
    ) async throws(StoreFailure) -> Int64? {
        switch change.precondition {
        case .none, .anything: return nil
        case .revisions(let revisions):
            guard let first = revisions.first else {
                throw StoreFailure.conflict(in: "what is kept")
            }
            guard revisions.count > 1 else { return first }
            let record = try await users.seat(of: user).latest.value.record
            let present = change.revision(in: record)
            return present.flatMap { revisions.contains($0) ? $0 : nil } ?? first
        }
    }
}

extension UserChange {
    /// The same change, to be made if a revision is the present one.
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
