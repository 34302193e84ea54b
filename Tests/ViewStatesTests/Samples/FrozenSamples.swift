import UseCases
import ViewStates
import TestSupport

@testable import Domain

/// Today's documents of every kind, made by the program's own presenters: what is frozen.
enum FrozenSamples {
    static func documents() -> [FrozenDocument] {
        BoardBuilder.allCases.flatMap { market($0) } + personal() + [favorites()] + kept()
            + alerts() + webhooks() + tokens() + problems() + readiness() + [about()]
    }

    private static func frozen(
        _ schema: String,
        _ version: Int,
        _ scene: String,
        _ bytes: [UInt8]
    ) -> FrozenDocument {
        FrozenDocument(
            generation: 0,
            schema: schema,
            version: version,
            scene: scene,
            bytes: bytes
        )
    }

    // MARK: Documents of the market

    private static func market(_ scene: BoardBuilder) -> [FrozenDocument] {
        var board = scene.board
        if scene == .live {
            board.apply(coarseCloses(board.now))
            for origin in [OrderBookSnapshot.Origin.stream, .rest] {
                board.applyDetails(.orderBook(deepBook(board.now, origin)))
            }
        }
        let latest = SnapshotPublisher(board.snapshot())
        let documents = DocumentProducers(
            marketList: MarketListProducer(
                presenter: MarketListPresenter(names: BoardBuilder.names),
                latest: latest,
                epoch: "k3v9x2"
            ),
            detail: MarketDetailPresenter(names: BoardBuilder.names),
            latest: latest,
            epoch: "k3v9x2"
        )
        var list = MarketListQuery()
        list.quote = nil
        list.language = scene == .lost ? .english : .korean
        var named = list
        named.markets = [BoardBuilder.market]
        named.invalidMarketNames = ["nonsense"]
        if scene == .lost { named.quote = .krw }
        named.searchText = scene == .live ? "비트" : "zzz"
        var halfHour = list
        halfHour.period = .minutes30
        var other = MarketDetailQuery(market: "ETH_KRW")
        other.depth = 1
        let detail = detail(scene, now: board.now, list.language)
        var assets = AssetsQuery()
        assets.language = list.language
        assets.searchText = scene == .lost ? "b" : nil
        let questions: [(String, String, DocumentQuery)] = [
            ("market-list", "", .marketList(list)),
            ("market-list", "-named", .marketList(named)),
            ("market-list", "-30M", .marketList(halfHour)),
            ("market-detail", "", .marketDetail(detail)), ("order-book", "", .orderBook(detail)),
            ("order-book", "-other", .orderBook(other)),
            ("trades", "", .trades(detail)), ("candles", "", .candles(detail)),
            ("assets", "", .assets(assets)),
            (
                "snapshot", "",
                .snapshot(
                    SnapshotQuery(marketList: named, marketDetail: detail, assets: assets)
                )
            ),
        ]
        return questions.map { schema, suffix, query in
            frozen(
                schema,
                version(of: query),
                scene.rawValue + suffix,
                documents.bytes(query).bytes
            )
        }
    }

    private static func detail(
        _ scene: BoardBuilder,
        now: Timestamp,
        _ language: Language
    ) -> MarketDetailQuery {
        var detail = MarketDetailQuery(market: BoardBuilder.market)
        detail.interval = scene == .live ? .hour1 : .day1
        // The oldest candles have no averages yet.
        let oldest = CandleInterval.day1.advanced(
            CandleInterval.day1.bucketStart(of: now),
            by: -125
        )
        detail.candles = .newest(count: 6, before: scene == .lost ? oldest : nil)
        detail.language = language
        return detail
    }

    private static func version(of query: DocumentQuery) -> Int {
        switch query {
        case .marketList: MarketListDocument.schemaVersion
        case .marketDetail: MarketDetailDocument.schemaVersion
        case .orderBook: OrderBookDocument.schemaVersion
        case .trades: TradesDocument.schemaVersion
        case .candles: CandlesDocument.schemaVersion
        case .assets: AssetsDocument.schemaVersion
        case .snapshot: SnapshotDocument.schemaVersion
        }
    }

    /// A book of API 2.x: thirty levels a side over REST, fifteen of the stream.
    private static func deepBook(
        _ now: Timestamp,
        _ origin: OrderBookSnapshot.Origin
    ) -> OrderBookSnapshot {
        let steps = Int64(0)..<(origin == .rest ? 30 : 15)
        func levels(from best: Int64, by step: Int64) -> [BookLevel] {
            steps.map { BookLevel(price: FixedDecimal(best + step * $0), quantity: "0.0421") }
        }
        return OrderBookSnapshot(
            market: BoardBuilder.market,
            at: now,
            asks: levels(from: 143_211_000, by: 1_000),
            bids: levels(from: 143_210_000, by: -1_000),
            origin: origin,
            api: .v2
        )
    }

    /// A close some minutes before the last half hour: its base is less exact.
    private static func coarseCloses(_ now: Timestamp) -> MarketEvent {
        let until = CandleInterval.minute1.bucketStart(of: now).advanced(by: .seconds(-2_100))
        let row = ClosePage.Row(openTime: until.advanced(by: .seconds(-60)), close: "4500000")
        return .closes(
            ClosePage(
                market: "ETH_KRW",
                interval: .minute1,
                rows: [row],
                until: until,
                isWhole: false
            )
        )
    }

    // MARK: Documents of one user

    private static func record() -> UserRecord {
        var record = UserRecord(name: "mina")
        record.profile.value.displayName = "미나"
        record.favorites.value = ["XRP_KRW", "BTC_KRW", "GONE_KRW"]
        record.cash.value = "1500000.5"
        record.holdings.value = [
            Holding(asset: asset("BTC"), quantity: "0.05", averagePrice: "120000000"),
            Holding(asset: asset("ETH"), quantity: "2", averagePrice: nil),
            Holding(asset: asset("GONE"), quantity: "7", averagePrice: "3"),
            Holding(asset: asset("NEW"), quantity: "1", averagePrice: "1000"),
        ]
        record.settings.value.theme = .highContrast
        record.alerts.value = .sample(of: UserID(4))
        return record
    }

    private static func asset(_ symbol: String) -> Asset {
        guard let asset = Asset(symbol: symbol) else { preconditionFailure("\(symbol) is a coin") }
        return asset
    }

    private static func producers(
        _ record: UserRecord,
        _ status: StoreStatus
    ) -> UserDocumentProducers {
        var board = BoardBuilder.live.board
        return UserDocumentProducers(
            personal: UserStatePublisher(
                UserState(
                    user: UserID(4),
                    record: record,
                    status: status,
                    sequence: 1
                )
            ),
            lists: MarketListPresenter(names: BoardBuilder.names),
            latest: SnapshotPublisher(board.snapshot()),
            scopes: record.profile.value.displayName == nil ? [.read] : [.read, .write],
            epoch: "k3v9x2"
        )
    }

    private static let away = StoreFailure(.unavailable, "away")

    private static func personal() -> [FrozenDocument] {
        let cases: [(String, UserRecord, StoreStatus)] = [
            ("read", record(), .ready), ("new", UserRecord(name: "local"), .ready),
            ("unread", UserRecord(name: "local"), .waiting(away)),
        ]
        let questions: [(String, UserDocumentQuery)] = [
            ("portfolio", .portfolio(.korean)), ("settings", .settings),
            ("favorites", .favorites), ("holdings", .holdings), ("cash", .cash), ("me", .me),
            ("alerts", .alerts(.korean)),
        ]
        return cases.flatMap { scene, record, status in
            let producers = producers(record, status)
            return questions.map { schema, query in
                frozen(schema, 1, scene, producers.bytes(query).bytes)
            }
        }
    }

    /// The list of a user's own, where every row has one key more.
    private static func favorites() -> FrozenDocument {
        var query = MarketListQuery()
        query.quote = nil
        let bytes = producers(record(), .ready).bytes(.marketList(query)).bytes
        return frozen("market-list", 1, "personal", bytes)
    }

    /// Favorites in their own order, where the query has no sort.
    private static func kept() -> [FrozenDocument] {
        var query = MarketListQuery()
        query.tab = .favorites
        query.quote = nil
        query.sort = nil
        return [("personal-favorites", record()), ("personal-none", UserRecord(name: "local"))]
            .map { scene, record in
                let bytes = producers(record, .ready).bytes(.marketList(query)).bytes
                return frozen("market-list", 1, scene, bytes)
            }
    }

    /// One rule, and a page of the log.
    private static func alerts() -> [FrozenDocument] {
        let alerts = UserAlerts.sample(of: UserID(4))
        let rules = zip(["plain", "noted"], alerts.rules).map { scene, rule in
            let state = AlertRuleViewState(rule, at: .noon(), .korean)
            return frozen(
                "alert",
                1,
                scene,
                StoredDocument(user: 4, counter: 12, state: state).json
            )
        }
        let log = AlertLogViewState(alerts.log, of: alerts, .english)
        return rules
            + [frozen("alert-log", 1, "read", StoredDocument(user: 4, digest: 7, state: log).json)]
    }

    /// A webhook that was just set, and one with failures.
    private static func webhooks() -> [FrozenDocument] {
        let present = BoardBuilder.live.board.now
        let new = Webhook(url: "https://example.com/alerts", createdAt: present)
        var used = new
        used.lastSuccessAt = present.advanced(by: .seconds(60))
        let failure = WebhookFailure(at: present.advanced(by: .seconds(66)), reason: "status 503")
        used.lastFailure = failure
        used.pendingCount = 3
        used.droppedCount = 2
        used.deadLetters = [
            WebhookDeadLetter(number: 12, attempts: 31, failure: failure),
            WebhookDeadLetter(number: 7, attempts: 1, failure: failure),
        ]
        let secret = "whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYX"
        return [("new", new), ("used", used)].flatMap { scene, webhook in
            let state = WebhookViewState(webhook)
            let made = NewWebhookViewState(webhook, secret: secret)
            return [
                frozen(
                    "webhook",
                    1,
                    scene,
                    StoredDocument(user: 4, digest: 7, state: state).json
                ),
                frozen(
                    "new-webhook",
                    1,
                    scene,
                    StoredDocument(user: 4, digest: 0xfedc_ba98_7654_3210, state: made).json
                ),
            ]
        }
    }

    /// A list of tokens, and a new one.
    private static func tokens() -> [FrozenDocument] {
        let present = BoardBuilder.live.board.now
        let used = UserToken(
            number: 3,
            scope: .write,
            createdAt: present,
            expiresAt: present.advanced(by: .seconds(86_400)),
            lastUsedAt: present,
            note: "거실 화면",
            isCurrent: true
        )
        let plain = UserToken(
            number: 5,
            scope: .read,
            createdAt: present,
            expiresAt: nil,
            lastUsedAt: nil,
            note: nil,
            isCurrent: false
        )
        let list = StoredDocument(user: 4, digest: 7, state: TokensViewState([used, plain]))
        let text = AccessToken(randomBytes: Array(0..<32))
        return [frozen("tokens", 1, "read", list.json)]
            + [("noted", used), ("plain", plain)].map { scene, token in
                let state = NewTokenViewState(token, text: text)
                return frozen(
                    "token",
                    1,
                    scene,
                    StoredDocument(user: 4, digest: 0xfedc_ba98_7654_3210, state: state).json
                )
            }
    }

    // MARK: Documents of the program

    private static func problems() -> [FrozenDocument] {
        [("parameter", "interval", ["1m", "3m"]), ("internal", nil, nil)]
            .map { (scene: String, parameter: String?, allowed: [String]?) in
                let code = parameter == nil ? "internal" : "invalid_parameter"
                let problem = ProblemDocument(
                    type: "/problems/" + code,
                    title: "A title",
                    status: parameter == nil ? 500 : 400,
                    detail: "what happened",
                    code: code,
                    parameter: parameter,
                    allowed: allowed,
                    retryable: parameter == nil,
                    requestID: "01JD6Z3V7K"
                )
                return frozen("problem", 1, scene, problem.json)
            }
    }

    private static func readiness() -> [FrozenDocument] {
        var live = BoardBuilder.live.board
        let snapshot = live.snapshot()
        let following = ReadinessDocument(
            ready: true,
            feed: snapshot.board.feed,
            details: snapshot.board.detailStatus,
            marketCount: 1,
            store: .init(
                status: .failing(StoreFailure(.readOnly, "a file")),
                readOnly: false,
                candles: .init(
                    epoch: 31,
                    isLed: true,
                    lag: .seconds(32),
                    bufferedRows: 33,
                    droppedRows: 34,
                    healingLeft: 35
                ),
                history: .init(
                    isFromStandby: false,
                    age: .seconds(36),
                    failure: StoreFailure(.unavailable, "a standby")
                )
            )
        )
        let starting = ReadinessDocument(
            ready: false,
            feed: FeedStatus(kind: .live),
            details: DetailStatus(),
            marketCount: 0,
            store: .init(
                status: .ready,
                candles: .init(
                    epoch: nil,
                    isLed: false,
                    lag: nil,
                    bufferedRows: 0,
                    droppedRows: 0,
                    healingLeft: 0
                )
            )
        )
        return [
            frozen("readiness", 1, "following", following.json),
            frozen("readiness", 1, "starting", starting.json),
        ]
    }

    private static func about() -> FrozenDocument {
        let document = AboutDocument(
            revision: "k3v9x2-1",
            asOf: SampleBoard.start,
            source: SourceViewState(.live, .v1),
            state: AboutPresenter(
                version: "0.5.0",
                commit: "495d2b1f0c3a",
                installation: "image",
                limits: ["rows": 1_000, "depth": 30],
                libraryVersions: [.sqlite: "3.40.1"]
            ).present(.korean)
        )
        return frozen("about", 1, "korean", document.json)
    }
}
