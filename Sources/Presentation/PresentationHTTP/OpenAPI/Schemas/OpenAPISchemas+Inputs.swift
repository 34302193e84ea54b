import Domain
import JSON
import ViewStates

extension OpenAPISchemas {
    /// The bodies of requests; a key that is not known is refused.
    static var inputs: [JSONValue.Member] {
        [
            .init(
                "ProfileChange",
                .input(
                    "What is to change.",
                    required: ["displayName"],
                    [.init("displayName", displayName)]
                )
            ),
            .init(
                "FavoritesInput",
                .input(
                    "All favourites in their order, each market once.",
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
                    "type": "object", "description": "The settings that are to change.",
                    "properties": .object(SettingsViewState.members()),
                    "additionalProperties": false,
                ]
            ),
            .init(
                "HoldingInput",
                .input(
                    "How much of the coin is held, and what was paid for one on average, in won;"
                        + " null: that is not known. Their product must be an amount, too.",
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
                    "How much cash there is, in won.",
                    required: ["amount"],
                    [.init("amount", .text(pattern: "^" + amount(digits: 15)))]
                )
            ),
        ]
    }

    /// Plain decimals from zero up to a one with so many zeros, and the end of the text.
    ///
    /// The bounds are those of ``UserInput``, which are all powers of ten.
    static func amount(digits: Int) -> String {
        let fraction = FixedDecimal.fractionDigits
        return "0*([0-9]{1,\(digits)}(\\.[0-9]{1,\(fraction)})?"
            + "|10{\(digits)}(\\.0{1,\(fraction)})?)$"
    }

    private static var displayName: JSONValue {
        JSONValue.text.with("maxLength", .integer(UserInput.displayNameMax))
            .orNull
            .described(
                "Null or blank: no name. Spaces around it are left out; what cannot be seen on a"
                    + " line is refused."
            )
    }

    /// A market by its name, or a row as the document has it.
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
