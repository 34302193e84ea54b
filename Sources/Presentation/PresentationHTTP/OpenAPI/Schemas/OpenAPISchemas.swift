import Domain
import JSON
import ViewStates

/// The schemas of OpenAPI by name.
///
/// Documents describe themselves (`DocumentObject.listFields`); only scalar values, request bodies,
/// problems and events are written by hand.
enum OpenAPISchemas {
    /// All schemas in the order of the description.
    static var all: [JSONValue.Member] {
        values + blocks + documents + streams + problem + inputs
    }

    /// Scalar values of all documents.
    private static var values: [JSONValue.Member] {
        [
            .init(
                "Decimal",
                .text(pattern: #"^(?!-0$)-?(0|[1-9][0-9]*)(\.[0-9]{0,17}[1-9])?$"#)
                    .described(
                        "An exact decimal as a string in canonical form: a digit before the point,"
                            + " no exponent, no trailing zeros, at most 18 fraction digits."
                    )
            ),
            .init(
                "Time",
                .text(
                    pattern: "^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}"
                        + #"\.[0-9]{6}\+09:00$"#
                )
                .with("format", "date-time")
                .described("ISO 8601 with microseconds and the offset of Seoul.")
            ),
            .init(
                "Date",
                .text(pattern: "^[0-9]{4}-[0-9]{2}-[0-9]{2}$")
                    .with("format", "date").described("A day in Seoul.")
            ),
            .init(
                "Market",
                .text(pattern: "^[A-Z0-9_]{1,20}_(KRW|BTC)$")
                    .described("A market by its canonical name, `BTC_KRW`.")
            ),
            .init(
                "Asset",
                .text(pattern: "^[A-Z0-9_]{1,20}$").described("A coin by its code, `BTC`.")
            ),
            .init(
                "Direction",
                .values(of: DirectionViewState.self).described("The direction of a change.")
            ),
            .init(
                "Transfer",
                .values(of: TransferViewState.self)
                    .described("Whether deposits or withdrawals of a coin are possible.")
            ),
            MarketRowViewState.Name.component(),
            .init(
                "Revision",
                .text.with("minLength", 1)
                    .described(
                        "Opaque. Changes exactly when the content changes. Ordered only among equal"
                            + " prefixes before the last hyphen."
                    )
            ),
        ]
    }

    /// Objects inside the documents, and their states.
    private static var blocks: [JSONValue.Member] {
        [
            SourceViewState.component(), ErrorViewState.component(), HealthViewState.component(),
            RepairViewState.component(),
            MarksViewState.Alert.component(), MarksViewState.component(),
            MarketRowViewState.component(), MarketRowViewState.component(.user), favorite,
            MarketListQueryViewState.component(), MarketListViewState.component(),
            MarketListViewState.component(.user),
            DetailHeaderViewState.Today.component(), DetailHeaderViewState.Rolling.component(),
            SparklineViewState.component(), DetailHeaderViewState.component(),
            MarketDetailViewState.component(),
            OrderBookViewState.Level.component(), OrderBookViewState.Best.Quote.component(),
            OrderBookViewState.component(),
            GapViewState.component(), TradesViewState.Row.component(),
            TradesViewState.component(),
            CandleAverages.component, ChartViewState.Candle.component(), ChartViewState.component(),
            ChartViewState.Range.component(),
            AssetsViewState.Row.component(), AssetsViewState.component(),
            PortfolioViewState.Row.component(), PortfolioViewState.component(),
            SettingsViewState.component(), FavoritesViewState.component(),
            HoldingsViewState.component(), CashViewState.component(), ProfileViewState.component(),
            AlertRuleViewState.component(), LoggedAlertViewState.component(),
            AlertsViewState.component(), AlertLogViewState.component(),
            WebhookFailureViewState.component(), WebhookDeadLetterViewState.component(),
            WebhookViewState.component(), NewWebhookViewState.component(),
            TokenViewState.component(), TokensViewState.component(),
            NewTokenViewState.component(),
            AboutViewState.License.component(), AboutViewState.component(),
        ]
    }

    private static var favorite: JSONValue.Member {
        .init(
            "Favorite",
            .record(
                "The place of a market among the user's favorites, from 1.",
                [.init("position", .integer(from: 1))]
            )
        )
    }

    /// Whole documents: states in their envelopes.
    private static var documents: [JSONValue.Member] {
        [
            .init("MarketListDocument", MarketListDocument.schema(.shared)),
            .init("PersonalMarketListDocument", MarketListDocument.schema(.user)),
            .init("MarketDetailDocument", MarketDetailDocument.schema(.shared)),
            MarketBlockViewState<OrderBookViewState>.component(),
            .init("OrderBookDocument", OrderBookDocument.schema(.shared)),
            MarketBlockViewState<TradesViewState>.component(),
            .init("TradesDocument", TradesDocument.schema(.shared)),
            MarketBlockViewState<ChartViewState>.component(),
            .init("CandlesDocument", CandlesDocument.schema(.shared)),
            .init("AssetsDocument", AssetsDocument.schema(.shared)),
            SnapshotViewState.component(),
            .init("SnapshotDocument", SnapshotDocument.schema(.shared)),
            SnapshotViewState.component(.user),
            .init("PersonalSnapshotDocument", SnapshotDocument.schema(.user)),
            .init("AboutDocument", AboutDocument.schema(.shared)),
            .init("PortfolioDocument", PortfolioDocument.schema(.shared)),
            .init("SettingsDocument", StoredDocument<SettingsViewState>.schema(.shared)),
            .init("FavoritesDocument", StoredDocument<FavoritesViewState>.schema(.shared)),
            .init("HoldingsDocument", StoredDocument<HoldingsViewState>.schema(.shared)),
            .init("CashDocument", StoredDocument<CashViewState>.schema(.shared)),
            .init("ProfileDocument", StoredDocument<ProfileViewState>.schema(.shared)),
            .init("AlertsDocument", StoredDocument<AlertsViewState>.schema(.shared)),
            .init("LiveAlertsDocument", Document<AlertsViewState>.schema(.shared)),
            .init("AlertDocument", StoredDocument<AlertRuleViewState>.schema(.shared)),
            .init("AlertLogDocument", StoredDocument<AlertLogViewState>.schema(.shared)),
            .init("WebhookDocument", StoredDocument<WebhookViewState>.schema(.shared)),
            .init("NewWebhookDocument", StoredDocument<NewWebhookViewState>.schema(.shared)),
            .init("TokensDocument", StoredDocument<TokensViewState>.schema(.shared)),
            .init("NewTokenDocument", StoredDocument<NewTokenViewState>.schema(.shared)),
        ]
    }
}

extension JSONValue {
    /// The body of a request: no members besides these.
    static func input(
        _ description: String,
        required: [String],
        _ members: [Member]
    ) -> JSONValue {
        [
            "type": "object", "description": .string(description),
            "required": .array(required.map { .string($0) }), "properties": .object(members),
            "additionalProperties": false,
        ]
    }
}
