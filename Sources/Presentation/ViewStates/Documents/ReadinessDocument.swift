public import Domain

/// What `/readyz` answers: whether requests should come here, and how feed and store stand.
public struct ReadinessDocument: Sendable, Equatable, Decodable {
    /// How the feed stands.
    public struct Feed: Sendable, Equatable, Decodable {
        /// `live`, `simulated` or `replay`.
        public var kind: FeedLabel
        /// `connecting`, `subscribed`, `live`, `stale`, `reconnecting` or `ended`.
        public var connection: String
        /// Whether all listings are there.
        public var complete: Bool
        /// When the newest data were received.
        public var lastDataAt: Timestamp?
        /// Stream frames received since the start.
        public var framesReceived: Int
        /// Entries that could not be read since the start.
        public var entriesSkipped: Int
        /// How often the connection was lost since the start.
        public var reconnects: Int
    }

    /// How the feed of single markets stands: books, past trades and candles.
    public struct Details: Sendable, Equatable, Decodable {
        /// How many markets somebody looks at.
        public var markets: Int
        /// How many books are subscribed.
        public var subscribed: Int
        /// The number of the next attempt to connect; 0 while none is due.
        public var attempt: Int
        /// Stream frames received since the start.
        public var framesReceived: Int
        /// How often the connection was lost since the start.
        public var reconnects: Int
        /// How many snapshots were compared with a local book since the start.
        public var comparisons: Int
        /// How many of them found the local book different and mended it.
        public var heals: Int
    }

    /// How the store stands.
    public struct Store: Sendable, Equatable, Decodable {
        /// `none`, `opening`, `ready`, `volatile` or `failing`.
        public var state: String
        /// Why it fails: `busy`, `full`, `read_only`, …; nil if it does not.
        public var failure: String?
        /// Why changes by other instances are not heard at once: `unavailable`, `unauthorized`, …;
        /// nil if they are, and where nothing was said to hear them on.
        public var newsFailure: String?
        /// How many readings of candles wait to be written.
        public var waitingPages: Int
        /// How many readings of candles were given up since the start.
        public var droppedPages: Int
        /// How many stored rows could not be read since the start.
        public var skippedRows: Int
        /// How the writing of all markets' candles stands; nil unless instances share the store.
        public var candles: Candles?

        /// How the candles of all markets are written into a store that instances share.
        public struct Candles: Sendable, Equatable, Decodable {
            /// Whether this instance writes them.
            public var leader: Bool
            /// Whether any instance is known to write them; false tells that nobody does, or that
            /// nobody can tell.
            public var led: Bool
            /// The number of its term; nil while another writes.
            public var epoch: Int64?
            /// How far the newest written minute lies behind; nil while another writes.
            public var lagSeconds: Int?
            /// How many candles are held that this instance has not written.
            public var bufferedRows: Int
            /// How many were given up since the start while nobody was known to write them.
            public var droppedRows: Int
            /// How many readings are left until what nobody heard is healed.
            public var healingLeft: Int

            /// Presents how it stands.
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
                self.epoch = epoch
                lagSeconds = lag.map { Int($0.components.seconds) }
                self.bufferedRows = bufferedRows
                self.droppedRows = droppedRows
                self.healingLeft = healingLeft
            }
        }

        /// There is none.
        public static let none = Store(status: nil)

        /// Presents a store.
        ///
        /// - Parameters:
        ///   - status: how what is personal is kept; nil without a store.
        ///   - waitingPages: readings of candles that wait.
        ///   - droppedPages: readings of candles that were given up.
        ///   - skippedRows: rows that could not be read.
        ///   - archiveFailure: why market data could not be kept last.
        ///   - newsFailure: why the session for news does not work.
        ///   - candles: how all markets' candles are written, if instances share the store.
        public init(
            status: StoreStatus?,
            waitingPages: Int = 0,
            droppedPages: Int = 0,
            skippedRows: Int = 0,
            archiveFailure: StoreFailure? = nil,
            newsFailure: StoreFailure? = nil,
            candles: Candles? = nil
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
            failure = (status?.failure ?? archiveFailure)?.code.rawValue
            self.newsFailure = newsFailure?.code.rawValue
            self.waitingPages = waitingPages
            self.droppedPages = droppedPages
            self.skippedRows = skippedRows
            self.candles = candles
        }

        /// Whether everything is kept.
        public var isReady: Bool { state == "ready" }
    }

    /// Whether requests should come here.
    public var ready: Bool
    /// The feed.
    public var feed: Feed
    /// The feed of single markets.
    public var details: Details
    /// The store.
    public var store: Store

    /// Presents readiness.
    ///
    /// - Parameters:
    ///   - ready: whether requests should come here.
    ///   - status: the feed of all markets.
    ///   - details: the feed of single markets.
    ///   - marketCount: how many markets somebody looks at.
    ///   - store: how the store stands.
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
            kind: SourceViewState(status.kind).feed,
            connection: connection,
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
        json.object { json in
            json.boolean("ready", ready)
            json.key("feed")
            json.object { json in
                json.string("kind", feed.kind.rawValue)
                json.string("connection", feed.connection)
                json.boolean("complete", feed.complete)
                json.time("lastDataAt", feed.lastDataAt)
                json.integer("framesReceived", feed.framesReceived)
                json.integer("entriesSkipped", feed.entriesSkipped)
                json.integer("reconnects", feed.reconnects)
            }
            json.key("details")
            json.object { json in
                json.integer("markets", details.markets)
                json.integer("subscribed", details.subscribed)
                json.integer("attempt", details.attempt)
                json.integer("framesReceived", details.framesReceived)
                json.integer("reconnects", details.reconnects)
                json.integer("comparisons", details.comparisons)
                json.integer("heals", details.heals)
            }
            json.key("store")
            json.object { json in
                json.string("state", store.state)
                json.string("failure", store.failure)
                json.string("newsFailure", store.newsFailure)
                json.integer("waitingPages", store.waitingPages)
                json.integer("droppedPages", store.droppedPages)
                json.integer("skippedRows", store.skippedRows)
                guard let candles = store.candles else { return }
                json.key("candles")
                json.object { json in
                    json.boolean("leader", candles.leader)
                    json.boolean("led", candles.led)
                    json.integer("epoch", candles.epoch.map(Int.init))
                    json.integer("lagSeconds", candles.lagSeconds)
                    json.integer("bufferedRows", candles.bufferedRows)
                    json.integer("droppedRows", candles.droppedRows)
                    json.integer("healingLeft", candles.healingLeft)
                }
            }
        }
        return json.bytes
    }
}
