/// An argument that follows a command's words.
struct CommandOperand: Sendable, Equatable {
    /// The name in help texts.
    let name: String
    /// The description in help texts, one line.
    let summary: String
    /// The accepted values.
    let form: ValueForm
    /// An example for error messages; nil for none.
    let example: String?
    /// Whether it may be left out; only operands that follow may be optional too.
    let isOptional: Bool
    /// Whether several may be given; only the last operand.
    let isRepeated: Bool

    init(
        _ name: String,
        _ summary: String,
        _ form: ValueForm? = nil,
        example: String? = nil,
        isOptional: Bool = false,
        isRepeated: Bool = false
    ) {
        self.name = name
        self.summary = summary
        self.form = form ?? .text(name)
        self.example = example
        self.isOptional = isOptional
        self.isRepeated = isRepeated
    }

    /// A market.
    static let market = CommandOperand(
        "MARKET",
        "a market: " + MarketArgument.examples,
        example: "BTC_KRW"
    )
    /// A coin.
    static let asset = CommandOperand("ASSET", "a coin, e.g. BTC", example: "BTC")
    /// A user.
    static let user = CommandOperand("NAME", "the user's name; `local` in a SQLite store")

    /// The help spelling: `NAME`, or `[NAME]` if it is optional.
    var spelling: String { isOptional ? "[\(name)]" : name }
}
