/// The document `assets`, version 1: deposits and withdrawals of every coin.
public typealias AssetsDocument = Document<AssetsViewState>

/// 입출금: which coins can be deposited and withdrawn.
public struct AssetsViewState: DocumentState {
    /// `assets`.
    public static let schemaName = "assets"
    /// Version 1.
    public static let schemaVersion = 1

    /// What was asked, in the words of the HTTP parameters.
    public struct Query: Sendable, Equatable, Decodable {
        /// `all`, `normal` (both possible) or `suspended` (at least one is not).
        public var state: String
        /// The search text; nil without a search.
        public var q: String?
        /// `name`, `deposit` or `withdrawal`.
        public var sort: String
        /// `asc` or `desc`.
        public var sortDirection: String

        /// Makes a query.
        public init(state: String, q: String?, sort: String, sortDirection: String) {
            self.state = state
            self.q = q
            self.sort = sort
            self.sortDirection = sortDirection
        }
    }

    /// How many coins each filter has, before the search.
    public struct Counts: Sendable, Equatable, Decodable {
        /// All coins.
        public var all: Int
        /// Coins that can be deposited and withdrawn.
        public var normal: Int
        /// Coins of which at least one is not possible.
        public var suspended: Int

        /// Makes counts.
        public init(all: Int, normal: Int, suspended: Int) {
            self.all = all
            self.normal = normal
            self.suspended = suspended
        }
    }

    /// One coin.
    public struct Row: Sendable, Equatable, Decodable {
        /// `BTC`.
        public var asset: String
        /// The coin's names.
        public var name: MarketRowViewState.Name
        /// Whether it can be deposited; nil if unknown.
        public var deposit: TransferViewState?
        /// Whether it can be withdrawn; nil if unknown.
        public var withdrawal: TransferViewState?
        /// `정상`, `중단`, `-`.
        public var depositText: String
        /// `정상`, `중단`, `-`.
        public var withdrawalText: String
        /// The row as one sentence.
        public var spokenText: String

        /// Makes a row.
        public init(
            asset: String,
            name: MarketRowViewState.Name,
            deposit: TransferViewState?,
            withdrawal: TransferViewState?,
            depositText: String,
            withdrawalText: String,
            spokenText: String
        ) {
            self.asset = asset
            self.name = name
            self.deposit = deposit
            self.withdrawal = withdrawal
            self.depositText = depositText
            self.withdrawalText = withdrawalText
            self.spokenText = spokenText
        }
    }

    /// How fresh and complete the states are.
    public var health: HealthViewState
    /// What was asked, with every default filled in.
    public var query: Query
    /// How many coins each filter has.
    public var counts: Counts
    /// The matching coins in order.
    public var rows: [Row]

    /// Makes a list.
    public init(health: HealthViewState, query: Query, counts: Counts, rows: [Row]) {
        self.health = health
        self.query = query
        self.counts = counts
        self.rows = rows
    }
}

/// Whether deposits or withdrawals of a coin are possible.
public enum TransferViewState: String, Sendable, Equatable, Decodable, CaseIterable {
    /// They are.
    case normal
    /// They are not.
    case suspended
}
