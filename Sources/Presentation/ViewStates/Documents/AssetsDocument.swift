import Domain
public import JSON

/// The document `assets`, version 1: deposits and withdrawals of every coin.
public typealias AssetsDocument = Document<AssetsViewState>

/// 입출금: which coins can be deposited and withdrawn.
public struct AssetsViewState: StreamedState {
    /// `assets`.
    public static let schemaName = "assets"

    /// The query, in the words of the HTTP parameters.
    public struct Query: DocumentObject {
        /// `all`, `normal` (both possible) or `suspended` (at least one is not).
        public var state: String
        /// The search text; nil without a search.
        public var q: String?
        /// `name`, `deposit` or `withdrawal`.
        public var sort: String
        /// `asc` or `desc`.
        public var sortDirection: String

        /// The members.
        public static func listFields(_ fields: inout some FieldList<Self>) {
            fields.object("The query, every default filled in.")
            fields.add("state", \.state, .values(of: AssetFilter.self))
            fields.add("q", \.q)
            fields.add("sort", \.sort, .values(of: AssetSortKey.self))
            fields.add("sortDirection", \.sortDirection, .values(of: SortDirection.self))
        }
    }

    /// How many coins each filter matches, before the search.
    public struct Counts: DocumentObject {
        /// All coins.
        public var all: Int
        /// Coins with deposits and withdrawals.
        public var normal: Int
        /// Coins whose deposits or withdrawals are suspended.
        public var suspended: Int

        /// The members.
        public static func listFields(_ fields: inout some FieldList<Self>) {
            fields.object("How many coins each filter matches, before the search.")
            fields.add("all", \.all)
            fields.add("normal", \.normal)
            fields.add("suspended", \.suspended)
        }
    }

    /// One coin.
    public struct Row: KeyedRow {
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
        /// The row as a sentence for screen readers.
        public var spokenText: String

        /// The coin.
        public var rowID: String { asset }

        /// The members.
        public static func listFields(_ fields: inout some FieldList<Self>) {
            fields.object("AssetRow", "Whether one coin can be deposited and withdrawn.")
            fields.add("asset", \.asset, .asset)
            fields.add("name", \.name)
            fields.add("deposit", \.deposit)
            fields.add("withdrawal", \.withdrawal)
            fields.add("depositText", \.depositText)
            fields.add("withdrawalText", \.withdrawalText)
            fields.add("spokenText", \.spokenText)
        }
    }

    /// How fresh and complete the states are.
    public var health: HealthViewState
    /// The query, every default filled in.
    public var query: Query
    /// How many coins each filter matches.
    public var counts: Counts
    /// The matching coins in order.
    public var rows: [Row]

    /// About 250 bytes a row.
    public var estimatedJSONSize: Int { 512 + rows.count * 250 }

    /// The members.
    public static func listFields(_ fields: inout some FieldList<Self>) {
        fields.object("AssetsState", "Deposits and withdrawals of every coin.")
        fields.add("health", \.health)
        fields.add("query", \.query)
        fields.add("counts", \.counts)
        fields.rows("rows", \.rows, insert: .last)
    }
}

/// Whether deposits or withdrawals of a coin are possible.
public enum TransferViewState: String, DocumentValue, CaseIterable {
    /// Possible.
    case normal
    /// Suspended.
    case suspended

    /// The component `Transfer`.
    public static func schema(_ scope: SchemaScope) -> JSONValue { .schema("Transfer") }
}
