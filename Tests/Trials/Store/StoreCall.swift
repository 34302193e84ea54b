import DataSourceContracts
import TestSupport

/// A call that changes a store.
enum StoreCall: Sendable {
    case change(TestChange)
    case takeLease
    case renewLease(LeaseDTO)
    case releaseLease(LeaseDTO)
    case storeAlerts([NewAlertDTO], LeaseDTO)
    case saveValues([String], LeaseDTO)
    case saveCandles(StoredCandlesDTO, LeaseDTO?)
    case removeCandles(interval: String, before: Int64, LeaseDTO?)
    case savePrices([StoredPriceDTO], LeaseDTO?)
    case saveNames(StoredNamesDTO, LeaseDTO?)
    case saveWarnings(StoredWarningsDTO, LeaseDTO?)
    case addToken(NewTokenDTO)
    case rotateToken(Int64, NewTokenDTO, overlap: Int64)
    case revokeToken(Int64)
    case grant([UInt8])
    case addOwnToken(NewTokenDTO, by: [UInt8])
    case revokeOwnToken(Int64, by: [UInt8])
    case setWebhook(NewWebhookDTO)
    case removeWebhook
    case recordAttempts([WebhookAttemptDTO])
    case checkWriting

    /// The feed of all data.
    static let feed = "live"
    /// The one user.
    static let user: (number: Int64, name: String) = (1, "local")
    /// Longer than a trial.
    private static let leaseDuration = Duration.seconds(36_000)
    private static let tokensMax = 1_000

    /// The name of the call.
    var name: Substring { String(describing: self).prefix { $0 != "(" } }

    /// Whether it changes the lease, which is not part of the contents.
    var changesLease: Bool {
        switch self {
        case .takeLease, .renewLease, .releaseLease: true
        case _: false
        }
    }

    /// Whether a store that gives this answer has certainly written the lease.
    func hasWrittenLease(_ answer: StoreAnswer) -> Bool {
        switch self {
        case .takeLease: true
        case .renewLease: answer == .flag(true)
        case _: false
        }
    }

    /// Whether a store that answers may have changed nothing: the use of a token is recorded when
    /// that is possible.
    var isBestEffort: Bool {
        if case .grant = self { true } else { false }
    }

    /// Makes the call.
    ///
    /// - Throws: ``StoreError``: as the store.
    func run(on store: TrialStore, at time: Int64) async throws(StoreError) -> StoreAnswer {
        let number = Self.user.number
        switch self {
        case .change(let change):
            return .record(try await store.records.write(change, user: number, at: time))
        case .storeAlerts(let alerts, let lease):
            return .count(try await store.alerts.storeAlerts(alerts, at: time, under: lease))
        case .saveValues(let lines, let lease):
            try await store.alerts.saveAlertValues(lines, under: lease)
        case .setWebhook(let webhook): try await store.webhooks.setWebhook(webhook, of: number)
        case .removeWebhook:
            return .flag(try await store.webhooks.removeWebhook(of: number, at: time))
        case .recordAttempts(let attempts):
            try await store.webhooks.recordWebhookAttempts(attempts, feed: Self.feed)
        case .checkWriting: try await store.records.checkWriting(of: number)
        case .takeLease, .renewLease, .releaseLease: return try await runLease(on: store.alerts)
        case .saveCandles, .removeCandles, .savePrices, .saveNames, .saveWarnings:
            return try await runMarket(on: store)
        case .addToken, .rotateToken, .revokeToken, .grant, .addOwnToken, .revokeOwnToken:
            return try await runTokens(on: store, at: time)
        }
        return .done
    }

    private func runLease(on store: any AlertStoreSource) async throws(StoreError) -> StoreAnswer {
        switch self {
        case .renewLease(let lease):
            return .flag(try await store.renewLease(lease, for: Self.leaseDuration))
        case .releaseLease(let lease):
            try await store.releaseLease(lease)
            return .done
        case _:
            return .lease(
                try await store.takeLease(
                    holder: "trial",
                    feed: Self.feed,
                    for: Self.leaseDuration
                )
            )
        }
    }

    private func runMarket(on store: TrialStore) async throws(StoreError) -> StoreAnswer {
        switch self {
        case .saveCandles(let candles, let lease):
            try await store.marketWriter(lease).saveCandles(candles)
        case .removeCandles(let interval, let time, let lease):
            return .count(
                try await store.marketWriter(lease)
                    .removeCandles(intervals: [interval], openingBefore: time)
            )
        case .savePrices(let prices, let lease):
            try await store.marketWriter(lease).savePrices(prices, feed: Self.feed)
        case .saveNames(let names, let lease):
            try await store.marketWriter(lease).saveNames(names, feed: Self.feed)
        case .saveWarnings(let marks, let lease):
            try await store.marketWriter(lease).saveWarnings(marks, feed: Self.feed)
        case _: break
        }
        return .done
    }

    private func runTokens(
        on store: TrialStore,
        at time: Int64
    ) async throws(StoreError) -> StoreAnswer {
        let answer = { StoreAnswer.token(store.isShared ? $0.withoutServerTimes : $0) }
        let limits = TokenLimitsDTO(valid: Self.tokensMax, perDay: Self.tokensMax)
        switch self {
        case .addToken(let token):
            return answer(
                try await store.accounts.addToken(token, of: Self.user.name, limit: Self.tokensMax)
            )
        case .rotateToken(let number, let token, let overlap):
            return answer(
                try await store.accounts.rotateToken(
                    number: number,
                    until: time + overlap,
                    at: time,
                    limit: Self.tokensMax
                ) { _ in token }
            )
        case .revokeToken(let number):
            try await store.accounts.revokeToken(number: number, at: time)
        case .grant(let hash):
            return .grant(try await store.tokens.grant(sha256: hash, at: time))
        case .addOwnToken(let token, let hash):
            return answer(try await store.tokens.addOwnToken(token, by: hash, limits: limits))
        case .revokeOwnToken(let number, let hash):
            return .flag(try await store.tokens.revokeOwnToken(number: number, by: hash, at: time))
        case _: break
        }
        return .done
    }
}

/// The value that a call returns.
enum StoreAnswer: Hashable, Sendable {
    case done
    case record(UserRecordDTO)
    case count(Int)
    case flag(Bool)
    case lease(LeaseDTO?)
    case token(TokenDTO)
    case grant(TokenGrantDTO?)
}

extension TokenDTO {
    /// The token without the times that a deployment's server sets by its own clock.
    var withoutServerTimes: TokenDTO {
        var token = self
        token.madeAt = 0
        token.revokedAt = revokedAt.map { _ in 0 }
        token.usedAt = nil
        return token
    }
}
