import Domain
import JSON
import ViewStates

extension OpenAPISchemas {
    /// The bodies of requests; unknown keys are refused.
    static var inputs: [JSONValue.Member] {
        [
            .init(
                "ProfileChange",
                .input(
                    "The change.",
                    required: ["displayName"],
                    [.init("displayName", displayName)]
                )
            ),
            .init(
                "FavoritesInput",
                .input(
                    "All favorites in order, each market once.",
                    required: ["rows"],
                    [
                        .init(
                            "rows",
                            .list(favorite).with("maxItems", .integer(UserRecord.favoritesMax))
                        )
                    ]
                )
            ),
            .init(
                "SettingsChange",
                [
                    "type": "object", "description": "The settings to change.",
                    "properties": .object(settings),
                    "additionalProperties": false,
                ]
            ),
            .init(
                "HoldingInput",
                .input(
                    "Quantity and average price in won; null if the price is unknown. Their product"
                        + " must be a valid amount.",
                    required: ["quantity", "averagePrice"],
                    [
                        .init(
                            "quantity",
                            .text(pattern: "^(?!0*(\\.0*)?$)" + amount(digits: 12))
                        ),
                        .init(
                            "averagePrice",
                            JSONValue.text(pattern: "^" + amount(digits: 12)).orNull
                        ),
                    ]
                )
            ),
            .init(
                "CashInput",
                .input(
                    "Cash in won.",
                    required: ["amount"],
                    [.init("amount", .text(pattern: "^" + amount(digits: 15)))]
                )
            ),
            .init("TokenInput", token),
        ] + alertInputs
    }

    private static var alertInputs: [JSONValue.Member] {
        [
            .init(
                "AlertInput",
                .input("An alert rule.", required: ["rule"], [.init("rule", alertRule)])
            ),
            .init(
                "AlertLogChange",
                .input(
                    "The newest alert that the user has seen; a mark never goes back.",
                    required: ["seenThrough"],
                    [.init("seenThrough", .text(pattern: "^(0|[1-9][0-9]{0,17})$"))]
                )
            ),
            .init(
                "WebhookInput",
                .input("Where alerts are sent.", required: ["url"], [.init("url", webhookURL)])
            ),
        ]
    }

    /// The pattern of decimals from zero to a power of ten, up to the end of the text.
    ///
    /// The limits are those of ``UserInput``.
    static func amount(digits: Int) -> String {
        let fraction = FixedDecimal.fractionDigits
        return "0*([0-9]{1,\(digits)}(\\.[0-9]{1,\(fraction)})?"
            + "|10{\(digits)}(\\.0{1,\(fraction)})?)$"
    }

    private static var alertRule: JSONValue {
        JSONValue.text.with("maxLength", .integer(AlertRequest.ruleLengthMax))
            .with(
                "examples",
                ["BTC > 150000000", "favorites 24H > 5% again 1h until 2026-12-31", "all listed"]
            )
            .described(
                "Scope, condition and options: `BTC > 150000000 again 10m`. A coin alone is its won"
                    + " market; docs/alerts.md has the grammar."
            )
    }

    private static var webhookURL: JSONValue {
        JSONValue.text(pattern: "^https://").with("maxLength", .integer(Webhook.urlBytesMax))
            .with("format", "uri").with("examples", ["https://example.com/alerts"])
            .described(
                "An `https` URL of a public host, unless the operator allows others. At most"
                    + " \(Webhook.urlBytesMax) bytes."
            )
    }

    private static var token: JSONValue {
        .input(
            "A token to make; it has no more rights than the token in use.",
            required: ["scopes"],
            [
                .init(
                    "scopes",
                    .list(.values(of: TokenScope.self)).with("minItems", 1)
                        .with("uniqueItems", true).described("`write` includes `read`.")
                ),
                .init(
                    "expiresAt",
                    JSONValue.text.with("format", "date-time").orNull
                        .described(
                            "Not after the end of the token in use, and at most ten years ahead."
                                + " Null or absent: as the token in use."
                        )
                ),
                .init(
                    "note",
                    JSONValue.text.with("maxLength", .integer(UserInput.noteMax)).orNull
                        .described("What the user calls it.")
                ),
            ]
        )
    }

    /// The members of the document; those that it leaves out for their default take null for it.
    private static var settings: [JSONValue.Member] {
        SettingsViewState.members().map { member in
            member.name == "marketLayout" ? .init(member.name, member.value.orNull) : member
        }
    }

    private static var displayName: JSONValue {
        JSONValue.text.with("maxLength", .integer(UserInput.displayNameMax))
            .orNull
            .described(
                "Null or blank removes the name. Surrounding spaces are removed; invisible"
                    + " characters are refused."
            )
    }

    /// A market by name, or a row of the document.
    private static var favorite: JSONValue {
        let market = OpenAPIParameters.marketSpelling
        return [
            "oneOf": [
                market,
                .input(
                    "A row of the document; `position` is its place in the list, from 1.",
                    required: ["market"],
                    [.init("market", market), .init("position", .integer(from: 1))]
                ),
            ]
        ]
    }
}
