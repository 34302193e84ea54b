public import Domain
import JSON

/// The body of `/readyz`: readiness, and the state of feed and store.
public struct ReadinessDocument: DocumentObject {
    /// The feed of all markets.
    public struct Feed: DocumentObject {
        /// `live`, `simulated` or `replay`.
        public var kind: FeedLabel
        /// `connecting`, `subscribed`, `live`, `stale`, `reconnecting` or `ended`.
        public var connection: String
        /// The generation of the exchange's API with the prices: `1` or `2`; nil in documents of
        /// earlier releases.
        public var api: String?
        /// The generations of the API to choose from; empty if only one is read.
        ///
        /// Nil in documents of earlier releases.
        public var apis: [API]?
        /// Whether the listings of both currencies are loaded.
        public var complete: Bool
        /// When the newest data were received.
        public var lastDataAt: Timestamp?
        /// Stream frames received since the start.
        public var framesReceived: Int
        /// Entries that could not be decoded since the start.
        public var entriesSkipped: Int
        /// Lost connections since the start.
        public var reconnects: Int

        /// One generation of the exchange's API.
        public struct API: DocumentObject {
            /// `1` or `2`.
            public var api: String
            /// Whether it is read.
            public var used: Bool
            /// When it was left; nil while it is read.
            public var leftAt: Timestamp?
            /// Why it was left: `http_status`, `unreachable`, `silent`, …; nil while it is read.
            public var failure: String?

            init(_ use: ExchangeAPIUse) {
                api = use.api.rawValue
                used = use.leave == nil
                leftAt = use.leave?.at
                failure = use.leave?.failure.code.rawValue
            }

            /// The members.
            public static func listFields(_ fields: inout some FieldList<Self>) {
                fields.object("One generation of the exchange's API.")
                fields.add("api", \.api)
                fields.add("used", \.used)
                fields.add("leftAt", \.leftAt)
                fields.add("failure", \.failure)
            }
        }

        /// The members.
        public static func listFields(_ fields: inout some FieldList<Self>) {
            fields.object("The feed of all markets.")
            fields.add("kind", \.kind)
            fields.add("connection", \.connection)
            fields.add("api", \.api)
            fields.add("apis", \.apis)
            fields.add("complete", \.complete)
            fields.add("lastDataAt", \.lastDataAt)
            fields.add("framesReceived", \.framesReceived)
            fields.add("entriesSkipped", \.entriesSkipped)
            fields.add("reconnects", \.reconnects)
        }
    }

    /// The feed of single markets: books, trade history and candles.
    public struct Details: DocumentObject {
        /// Markets with at least one reader.
        public var markets: Int
        /// Subscribed books.
        public var subscribed: Int
        /// The number of the next connection attempt; 0 while none is scheduled.
        public var attempt: Int
        /// Stream frames received since the start.
        public var framesReceived: Int
        /// Lost connections since the start.
        public var reconnects: Int
        /// Snapshots compared with a local book since the start.
        public var comparisons: Int
        /// Comparisons that found the local book different and replaced it.
        public var heals: Int

        /// The members.
        public static func listFields(_ fields: inout some FieldList<Self>) {
            fields.object("The feed of single markets.")
            fields.add("markets", \.markets)
            fields.add("subscribed", \.subscribed)
            fields.add("attempt", \.attempt)
            fields.add("framesReceived", \.framesReceived)
            fields.add("reconnects", \.reconnects)
            fields.add("comparisons", \.comparisons)
            fields.add("heals", \.heals)
        }
    }

    /// The store.
    public struct Store: DocumentObject {
        /// `none`, `opening`, `ready`, `volatile` or `failing`.
        public var state: String
        /// The failure: `busy`, `full`, `read_only`, …; nil without one.
        public var failure: String?
        /// The failure and its remedy in words; nil without one, and in documents of earlier
        /// releases.
        public var failureDetail: String?
        /// Why change notifications of other instances do not arrive: `unavailable`,
        /// `unauthorized`, …; nil if they do, or if no connection for them is configured.
        public var newsFailure: String?
        /// Whether changes are refused because the instance reads from a standby; nil unless
        /// instances share the store, and in documents of earlier releases.
        public var readOnly: Bool?
        /// Candle pages waiting to be written.
        public var waitingPages: Int
        /// Candle pages dropped since the start.
        public var droppedPages: Int
        /// Stored rows that could not be decoded since the start.
        public var skippedRows: Int
        /// The candle writer; nil unless instances share the store and this one may write.
        public var candles: Candles?
        /// The server from which candles are read; nil unless standbys are configured.
        public var history: History?

        /// The server from which candles are read, a standby or the primary.
        public struct History: DocumentObject {
            /// Whether a standby is read; otherwise the primary is.
            public var standby: Bool
            /// The greatest possible age of the standby's data in seconds; nil if unknown.
            public var ageSeconds: Int?
            /// Why the standby is not read: `unavailable`, `unauthorized`, …; nil while it is.
            public var failure: String?
            /// The failure and its remedy in words; nil without one.
            public var failureDetail: String?

            /// Presents the state of reading from standbys.
            public init(isFromStandby: Bool, age: Duration?, failure: StoreFailure?) {
                standby = isFromStandby
                ageSeconds = age.map { Int($0.components.seconds) }
                self.failure = failure?.code.rawValue
                failureDetail = failure?.detail
            }

            /// The members.
            public static func listFields(_ fields: inout some FieldList<Self>) {
                fields.object("Where candles are read, if standbys are configured.")
                fields.add("standby", \.standby)
                fields.add("ageSeconds", \.ageSeconds)
                fields.add("failure", \.failure)
                fields.add("failureDetail", \.failureDetail)
            }
        }

        /// How candles of all markets are written to a shared store.
        public struct Candles: DocumentObject {
            /// Whether this instance is the leader, which writes the candles.
            public var leader: Bool
            /// Whether any instance is known to lead; false if none does or that is unknown.
            public var led: Bool
            /// The leader's term; nil on other instances.
            public var epoch: Int?
            /// The age of the newest written minute in seconds; nil on other instances.
            public var lagSeconds: Int?
            /// Candles in memory that this instance has not written.
            public var bufferedRows: Int
            /// Candles dropped since the start while no leader was known.
            public var droppedRows: Int
            /// REST pages left to backfill.
            public var healingLeft: Int

            /// Presents the state of the candle writer.
            public init(
                epoch: Int64?,
                isLed: Bool,
                lag: Duration?,
                bufferedRows: Int,
                droppedRows: Int,
                healingLeft: Int
            ) {
                leader = epoch != nil
                led = isLed
                self.epoch = epoch.map(Int.init)
                lagSeconds = lag.map { Int($0.components.seconds) }
                self.bufferedRows = bufferedRows
                self.droppedRows = droppedRows
                self.healingLeft = healingLeft
            }

            /// The members.
            public static func listFields(_ fields: inout some FieldList<Self>) {
                fields.object("The candle writer of a shared store.")
                fields.add("leader", \.leader)
                fields.add("led", \.led)
                fields.add("epoch", \.epoch)
                fields.add("lagSeconds", \.lagSeconds)
                fields.add("bufferedRows", \.bufferedRows)
                fields.add("droppedRows", \.droppedRows)
                fields.add("healingLeft", \.healingLeft)
            }
        }

        /// No store.
        public static let none = Store(status: nil)

        /// Presents a store.
        ///
        /// - Parameters:
        ///   - status: the state of the user data; nil without a store.
        ///   - waitingPages: candle pages waiting to be written.
        ///   - droppedPages: candle pages dropped.
        ///   - skippedRows: rows that could not be decoded.
        ///   - archiveFailure: the last failure to store market data.
        ///   - newsFailure: the failure of the connection for change notifications.
        ///   - readOnly: whether a shared store refuses all changes.
        ///   - candles: the candle writer, if instances share the store.
        ///   - history: where candles are read, if standbys are configured.
        public init(
            status: StoreStatus?,
            waitingPages: Int = 0,
            droppedPages: Int = 0,
            skippedRows: Int = 0,
            archiveFailure: StoreFailure? = nil,
            newsFailure: StoreFailure? = nil,
            readOnly: Bool? = nil,
            candles: Candles? = nil,
            history: History? = nil
        ) {
            let isArchiveFailing = archiveFailure != nil
            state =
                switch status {
                case nil: "none"
                case .opening, .waiting: "opening"
                case .ready: isArchiveFailing ? "failing" : "ready"
                case .volatile: "volatile"
                case .failing: "failing"
                }
            let shown = status?.failure ?? archiveFailure
            failure = shown?.code.rawValue
            failureDetail = shown?.detail
            self.newsFailure = newsFailure?.code.rawValue
            self.readOnly = readOnly
            self.waitingPages = waitingPages
            self.droppedPages = droppedPages
            self.skippedRows = skippedRows
            self.candles = candles
            self.history = history
        }

        /// Whether all data are stored.
        public var isReady: Bool { state == "ready" }

        /// The members.
        public static func listFields(_ fields: inout some FieldList<Self>) {
            fields.object("The store.")
            fields.add("state", \.state)
            fields.add("failure", \.failure)
            fields.add("failureDetail", \.failureDetail)
            fields.add("newsFailure", \.newsFailure)
            fields.add("readOnly", \.readOnly)
            fields.add("waitingPages", \.waitingPages)
            fields.add("droppedPages", \.droppedPages)
            fields.add("skippedRows", \.skippedRows)
            fields.optional("candles", \.candles)
            fields.optional("history", \.history)
        }
    }

    /// Whether the instance is ready for requests.
    public var ready: Bool
    /// The feed of all markets.
    public var feed: Feed
    /// The feed of single markets.
    public var details: Details
    /// The store.
    public var store: Store

    /// Presents readiness.
    ///
    /// - Parameters:
    ///   - ready: whether the instance is ready for requests.
    ///   - status: the feed of all markets.
    ///   - details: the feed of single markets.
    ///   - marketCount: how many markets have readers.
    ///   - store: the store.
    public init(
        ready: Bool,
        feed status: FeedStatus,
        details: DetailStatus,
        marketCount: Int,
        store: Store = .none
    ) {
        self.ready = ready
        let connection: String =
            switch status.connection {
            case .connecting: "connecting"
            case .subscribed: "subscribed"
            case .live: "live"
            case .stale: "stale"
            case .reconnecting: "reconnecting"
            case .ended: "ended"
            }
        feed = Feed(
            kind: FeedLabel(status.kind),
            connection: connection,
            api: status.api.rawValue,
            apis: status.apis.map(Feed.API.init),
            complete: status.isComplete,
            lastDataAt: status.lastDataAt,
            framesReceived: status.framesReceived,
            entriesSkipped: status.entriesSkipped,
            reconnects: status.reconnects
        )
        self.details = Details(
            markets: marketCount,
            subscribed: details.subscribed.count,
            attempt: details.attempt,
            framesReceived: details.framesReceived,
            reconnects: details.reconnects,
            comparisons: details.comparisons,
            heals: details.corrections
        )
        self.store = store
    }

    /// The document as JSON.
    public var json: [UInt8] {
        var json = JSONWriter(capacity: 512)
        write(to: &json)
        return json.bytes
    }

    /// The members.
    public static func listFields(_ fields: inout some FieldList<Self>) {
        fields.object("Readiness, and the state of feed and store.")
        fields.add("ready", \.ready)
        fields.add("feed", \.feed)
        fields.add("details", \.details)
        fields.add("store", \.store)
    }
}
