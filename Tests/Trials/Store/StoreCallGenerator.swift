import DataSourceContracts
import TestSupport

/// Chooses calls that mostly concern data that are there.
struct StoreCallGenerator {
    private static let markets = ["BTC_KRW", "ETH_KRW", "XRP_KRW", "SOL_KRW", "DOGE_KRW"]
    private static let minute: Int64 = 60_000_000
    private static let dead: Int64 = 5

    private var random: SeededGenerator
    /// The hashes of tokens that were made.
    private var hashes: [[UInt8]] = []

    /// How long new and replaced tokens are valid, microseconds.
    ///
    /// In a deployment longer than a trial, because its server has a clock of its own.
    private let tokenLifetime: (new: Int64, replaced: Int64)
    /// The pages of the longest texts.
    private let longTextPages: ClosedRange<Int>

    /// Calls in the order of a seed.
    init(seed: UInt64, isShared: Bool) {
        random = SeededGenerator(seed: seed ^ 0x6361_6c6c)
        let day: Int64 = 86_400_000_000
        tokenLifetime = isShared ? (day, day) : (90_000_000, 1_000_000)
        longTextPages = isShared ? 1...4 : 500...1_499
    }

    /// The next call.
    ///
    /// - Parameters:
    ///   - store: the store as it probably is.
    ///   - lease: the lease that was taken last.
    ///   - time: the time.
    /// - Returns: a call.
    /// - Throws: ``StoreError``: as the store.
    mutating func next(
        on store: InMemoryStore,
        lease: LeaseDTO?,
        at time: Int64
    ) async throws(StoreError) -> StoreCall {
        let user = StoreCall.user
        switch number(below: 20) {
        case 0..<8:
            return .change(change(of: try await store.record(of: user.number), at: time))
        case 8..<12: return alertCall(try await store.record(of: user.number), lease, at: time)
        case 12..<15: return marketCall(lease, at: time)
        case 15..<17:
            return tokenCall(try await store.tokens(of: user.name), at: time)
        case 17..<19:
            let waiting = try await store.webhookDeliveries(
                of: nil,
                feed: StoreCall.feed,
                at: time
            )
            return webhookCall(waiting, at: time)
        default: return .checkWriting
        }
    }

    // MARK: Values

    private mutating func number(below limit: Int) -> Int {
        Int.random(in: 0..<limit, using: &random)
    }

    private mutating func market() -> String {
        Self.markets[number(below: Self.markets.count)]
    }

    private mutating func amount() -> String { "\(number(below: 9) + 1).\(number(below: 9) + 1)" }

    /// Text of a length that mostly fits a page.
    private mutating func text() -> String {
        String(repeating: ["호가", "note", "a"][number(below: 3)], count: number(below: 40) + 1)
    }

    /// Text of several pages; in an embedded store of so many that SQLite writes its log back into
    /// the file.
    private mutating func longText() -> String {
        let pages = number(below: longTextPages.count) + longTextPages.lowerBound
        return String(repeating: "a", count: 4_096 * pages)
    }

    // MARK: Users

    private mutating func change(of record: UserRecordDTO, at time: Int64) -> TestChange {
        switch number(below: 14) {
        case 0, 1: return .addFavorite(market(), limit: 4)
        case 2: return .removeFavorite(market())
        case 3: return .moveFavorite(market(), to: number(below: 6) - 1)
        case 4:
            let markets = Self.markets.shuffled(using: &random).prefix(number(below: 5))
            let present = record.revisions.favorites
            let expected = [nil, present, present - 1][number(below: 3)]
            return .replaceFavorites(Array(markets), expecting: expected)
        case 5: return .putSettings(settings(), expecting: nil)
        case 6, 7:
            let price = number(below: 2) == 0 ? nil : amount()
            let holding = UserRecordDTO.Holding(
                asset: String(market().dropLast(4)),
                quantity: amount(),
                averagePrice: price
            )
            return .putHolding(holding, limit: 3)
        case 8: return .removeHolding(String(market().dropLast(4)))
        case 9: return .putCash(number(below: 3) == 0 ? nil : amount())
        case 10: return .putDisplayName(text())
        case 11: return .seeAlerts(record.alertLog.first?.number ?? 0)
        case 12 where !record.alertRules.isEmpty:
            let place = number(below: record.alertRules.count)
            return .removeAlertRule(record.alertRules[place].number)
        default:
            return .putAlertRule(
                AlertRuleDTO(
                    number: Int64(number(below: 4) + 1),
                    text: "\(market()) > \(amount())",
                    feed: StoreCall.feed,
                    books: [nil, "favorites", market()][number(below: 3)],
                    createdAt: time
                )
            )
        }
    }

    private mutating func settings() -> SettingsDTO {
        SettingsDTO(
            sort: "name",
            sortDirection: number(below: 2) == 0 ? "asc" : "desc",
            quote: "KRW",
            tab: "markets",
            pinFavorites: number(below: 2) == 0,
            changePeriod: "24H",
            interval: "10m",
            chartStyle: "candles",
            averages: "5,10,20",
            depth: number(below: 20) + 1,
            theme: "auto",
            colors: "korean",
            lang: "ko"
        )
    }

    // MARK: Alerts

    private mutating func alertCall(
        _ record: UserRecordDTO,
        _ lease: LeaseDTO?,
        at time: Int64
    ) -> StoreCall {
        guard let lease else { return .takeLease }
        switch number(below: 8) {
        case 0: return .renewLease(lease)
        case 1: return number(below: 3) == 0 ? .releaseLease(lease) : .takeLease
        case 2, 3:
            let lines = (0..<number(below: 250)).map { "\($0) \(time) 1.5" }
            return .saveValues(lines, lease)
        default:
            let alerts = record.alertRules.map { rule in
                NewAlertDTO(
                    user: StoreCall.user.number,
                    alert: AlertDTO(
                        rule: rule.number,
                        market: number(below: 4) == 0 ? nil : market(),
                        at: time + rule.number,
                        value: amount(),
                        isRise: number(below: 2) == 0,
                        lateness: nil
                    ),
                    createdAt: rule.createdAt,
                    state: "state \(time)"
                )
            }
            return .storeAlerts(alerts, lease)
        }
    }

    // MARK: Market data

    private mutating func marketCall(_ lease: LeaseDTO?, at time: Int64) -> StoreCall {
        switch number(below: 8) {
        case 0:
            let prices = Self.markets.map { market in
                StoredPriceDTO(
                    market: market,
                    price: amount(),
                    at: time - Int64(number(below: 3_000_000)),
                    tradeValue24h: nil
                )
            }
            return .savePrices(prices, lease)
        case 1:
            var rows = Self.markets.sorted().prefix(number(below: 5)).map { market in
                StoredNamesDTO.Row(symbol: String(market.dropLast(4)), korean: text(), english: "")
            }
            if number(below: 4) == 0, !rows.isEmpty { rows[0].english = longText() }
            return .saveNames(StoredNamesDTO(rows: rows, readAt: time), lease)
        case 2:
            let alerts = (0..<number(below: 4)).map { _ in
                StoredWarningsDTO.Alert(market: market(), type: text(), step: nil, endsAt: time)
            }
            let warned = Array(Self.markets.sorted().prefix(number(below: 5)))
            return .saveWarnings(
                StoredWarningsDTO(warned: warned, alerts: alerts, readAt: time),
                lease
            )
        case 3:
            let series = StoreContents.series[number(below: StoreContents.series.count)]
            return .removeCandles(
                interval: series.interval,
                before: Int64(number(below: 60)) * Self.minute,
                lease
            )
        default: return .saveCandles(candles(at: time), lease)
        }
    }

    private mutating func candles(at time: Int64) -> StoredCandlesDTO {
        let series = StoreContents.series[number(below: StoreContents.series.count)]
        let length = series.interval == "1m" ? Self.minute : 10 * Self.minute
        let first = Int64(number(below: 60))
        let count = Int64(number(below: 40))
        let rows = (first..<(first + count)).filter { $0 % 7 != 3 }.map { place in
            let price = amount()
            return StoredCandlesDTO.Row(
                openTime: place * length,
                open: price,
                high: price,
                low: price,
                close: price,
                volume: amount(),
                fetchedAt: time
            )
        }
        let span = StoredCandlesDTO.Span(from: first * length, to: (first + count) * length)
        return StoredCandlesDTO(series: series, rows: rows, spans: [span])
    }

    // MARK: Tokens and webhooks

    private mutating func tokenCall(_ tokens: [TokenDTO], at time: Int64) -> StoreCall {
        let known = Int64(number(below: tokens.count + 2))
        switch number(below: 7) {
        case 0:
            let overlap = known % 2 == 0 ? tokenLifetime.replaced : 0
            return .rotateToken(known, token(at: time), overlap: overlap)
        case 1: return .revokeToken(known)
        case 2 where !hashes.isEmpty,
            3 where !hashes.isEmpty:
            return .grant(hashes[number(below: hashes.count)])
        case 4 where !hashes.isEmpty:
            return .addOwnToken(token(at: time), by: hashes[number(below: hashes.count)])
        case 5 where !hashes.isEmpty:
            return .revokeOwnToken(known, by: hashes[number(below: hashes.count)])
        default: return .addToken(token(at: time))
        }
    }

    private mutating func token(at time: Int64) -> NewTokenDTO {
        let hash = (0..<32).map { _ in UInt8.random(in: 0...255, using: &random) }
        hashes.append(hash)
        return NewTokenDTO(
            sha256: hash,
            scope: number(below: 4) == 0 ? "read" : "write",
            madeAt: time,
            expiresAt: number(below: 2) == 0 ? nil : time + tokenLifetime.new,
            note: number(below: 2) == 0 ? nil : text()
        )
    }

    private mutating func webhookCall(
        _ waiting: [WebhookDeliveryDTO],
        at time: Int64
    ) -> StoreCall {
        let kind = number(below: 8)
        if kind == 0 { return .removeWebhook }
        guard kind > 2, !waiting.isEmpty else {
            return .setWebhook(
                NewWebhookDTO(
                    url: "https://example.com/\(number(below: 9))",
                    sealedSecret: Array(text().utf8.prefix(400)),
                    createdAt: time
                )
            )
        }
        let attempts = waiting.map { delivery in
            let failure = WebhookAttemptDTO.Failure(
                reason: "timeout",
                attempts: delivery.attempts + 1,
                inRow: (delivery.failures ?? 0) + 1,
                retryAt: delivery.attempts > Self.dead ? nil : time + Self.minute,
                backoffUntil: time + Self.minute,
                givesUpBefore: time - 2 * Self.minute
            )
            return WebhookAttemptDTO(
                user: delivery.user,
                number: delivery.alert.number,
                createdAt: delivery.createdAt,
                at: time,
                failure: number(below: 2) == 0 ? nil : failure
            )
        }
        return .recordAttempts(attempts)
    }
}
