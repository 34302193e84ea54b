import DataSourceContracts
import Domain
import FoundationEssentials
import ViewStates

/// All data of one user, as `hoga user export` prints it.
///
/// Decimals are strings, times have `+09:00`, unknown values are `null`. Tokens have neither text
/// nor hash.
///
/// ```
/// {"schema":"user-export","version":1,"exportedAt":"2026-11-20T21:03:11.100000+09:00",
///  "user":{"name":"kim","displayName":null,"addedAt":"…","disabled":false},
///  "favorites":["BTC_KRW"],"settings":{"sort":"popularity",…},
///  "holdings":[{"asset":"BTC","quantity":"0.5","averagePrice":null}],"cash":"1000",
///  "alerts":[{"number":1,"rule":"BTC_KRW > 150000000","feed":"live","createdAt":"…",
///  "firedAt":null}],
///  "alertLog":[{"number":1,"alert":1,"rule":"BTC_KRW > 150000000","feed":"live",
///  "market":"BTC_KRW","at":"…","value":"150000000","direction":"up","late":null,
///  "storedAt":"…","seen":true}],
///  "webhook":{"url":"https://example.com/hoga","createdAt":"…","lastSuccessAt":null,
///  "failedAt":null,"failure":null,"pending":0,"dropped":0,"deadLetters":[1]},
///  "revisions":{"profile":0,"favorites":1,"settings":1,"holdings":1,"cash":1,"alerts":2},
///  "tokens":[{"number":1,"scope":"write","madeAt":"…","expiresAt":null,"revokedAt":null,
///  "usedAt":null,"note":null}],
///  "journal":[{"number":1,"at":"…","kind":"favorite.add","subject":"BTC_KRW"}]}
/// ```
struct UserExportDocument: Sendable {
    private let export: UserExportDTO
    private let exportedAt: Timestamp

    /// Makes the document of an export that was read at a time.
    init(_ export: UserExportDTO, at time: Timestamp) {
        self.export = export
        exportedAt = time
    }

    /// The document as indented JSON.
    var json: [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        do {
            return Array(try encoder.encode(self))
        } catch {
            preconditionFailure("strings, numbers and booleans can always be encoded")
        }
    }
}

extension UserExportDocument: Encodable {
    private enum Key: String, CodingKey {
        case schema, version, exportedAt, user, favorites, settings, holdings, cash, alerts
        case alertLog, webhook, revisions, tokens, journal
    }

    func encode(to encoder: any Encoder) throws {
        let (user, personal) = (export.user, export.personal)
        var root = encoder.container(keyedBy: Key.self)
        try root.encode("user-export", forKey: .schema)
        try root.encode(1, forKey: .version)
        try root.encode(TimeText.iso(exportedAt), forKey: .exportedAt)
        try root.encode(
            JSONFields([
                ("name", .text(user.name)), ("displayName", .text(personal.displayName)),
                ("addedAt", .time(user.addedAt)), ("disabled", .flag(user.isDisabled)),
            ]),
            forKey: .user
        )
        try root.encode(personal.favorites, forKey: .favorites)
        try root.encode(personal.settings.map(JSONFields.init), forKey: .settings)
        try root.encode(
            personal.holdings.map { holding in
                JSONFields([
                    ("asset", .text(holding.asset)), ("quantity", .text(holding.quantity)),
                    ("averagePrice", .text(holding.averagePrice)),
                ])
            },
            forKey: .holdings
        )
        try root.encode(personal.cash, forKey: .cash)
        try root.encode(personal.alertRules.map(JSONFields.init), forKey: .alerts)
        try root.encode(
            export.alertLog.map { row in
                JSONFields(row, isSeen: row.number <= personal.alertsSeen)
            },
            forKey: .alertLog
        )
        try root.encode(export.webhook.map(JSONFields.init), forKey: .webhook)
        try root.encode(JSONFields(personal.revisions), forKey: .revisions)
        try root.encode(export.tokens.map(JSONFields.init), forKey: .tokens)
        try root.encode(
            export.journal.map { row in
                JSONFields([
                    ("number", .number(row.number)), ("at", .time(row.at)),
                    ("kind", .text(row.kind)), ("subject", .text(row.subject)),
                ])
            },
            forKey: .journal
        )
    }
}

extension JSONFields {
    init(_ settings: SettingsDTO) {
        var fields: [(String, Value)] = [
            ("sort", .text(settings.sort)), ("sortDirection", .text(settings.sortDirection)),
            ("quote", .text(settings.quote)), ("tab", .text(settings.tab)),
            ("pinFavorites", .flag(settings.pinFavorites)),
            ("changePeriod", .text(settings.changePeriod)),
            ("interval", .text(settings.interval)), ("chartStyle", .text(settings.chartStyle)),
            ("averages", .text(settings.averages)), ("depth", .number(Int64(settings.depth))),
            ("theme", .text(settings.theme)), ("colors", .text(settings.colors)),
            ("lang", .text(settings.lang)),
        ]
        // As in the document `settings`.
        if let layout = settings.marketLayout { fields.append(("marketLayout", .text(layout))) }
        self.init(fields)
    }

    init(_ revisions: UserRecordDTO.Revisions) {
        self.init([
            ("profile", .number(revisions.profile)), ("favorites", .number(revisions.favorites)),
            ("settings", .number(revisions.settings)),
            ("holdings", .number(revisions.holdings)), ("cash", .number(revisions.cash)),
            ("alerts", .number(revisions.alerts)),
        ])
    }

    init(_ rule: AlertRuleDTO) {
        self.init([
            ("number", .number(rule.number)), ("rule", .text(rule.text)),
            ("feed", .text(rule.feed)), ("createdAt", .time(rule.createdAt)),
            ("firedAt", .time(rule.firedAt)),
        ])
    }

    init(_ webhook: WebhookDTO) {
        self.init([
            ("url", .text(webhook.url)), ("createdAt", .time(webhook.createdAt)),
            ("lastSuccessAt", .time(webhook.lastSuccessAt)),
            ("failedAt", .time(webhook.failedAt)), ("failure", .text(webhook.failure)),
            ("pending", .number(webhook.pendingCount)),
            ("dropped", .number(webhook.droppedCount)),
            ("deadLetters", .numbers(webhook.deadLetters.map(\.number))),
        ])
    }

    init(_ row: AlertLogDTO, isSeen: Bool) {
        let alert = row.alert
        self.init([
            ("number", .number(row.number)), ("alert", .number(alert.rule)),
            ("rule", .text(row.text)), ("feed", .text(row.feed)), ("market", .text(alert.market)),
            ("at", .time(alert.at)), ("value", .text(alert.value)),
            ("direction", .text(alert.isRise ? "up" : "down")), ("late", .text(alert.lateness)),
            ("storedAt", .time(row.storedAt)), ("seen", .flag(isSeen)),
        ])
    }

    init(_ token: TokenDTO) {
        self.init([
            ("number", .number(token.number)), ("scope", .text(token.scope)),
            ("madeAt", .time(token.madeAt)), ("expiresAt", .time(token.expiresAt)),
            ("revokedAt", .time(token.revokedAt)), ("usedAt", .time(token.usedAt)),
            ("note", .text(token.note)),
        ])
    }
}
