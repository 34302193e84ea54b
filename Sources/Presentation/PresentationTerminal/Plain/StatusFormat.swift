public import ViewStates
public import Domain

/// The form of a status line: text with fields in braces, such as `{symbol} {price} {rate}`.
///
/// `{{` and `}}` are braces.
public struct StatusFormat: Sendable, Equatable {
    /// A value of a market.
    public enum Field: String, Sendable, CaseIterable {
        /// `BTC_KRW`.
        case market
        /// `BTC`.
        case symbol
        /// `KRW` or `BTC`.
        case quote
        /// The coin's name in the language of the interface.
        case name
        /// The price as the list shows it.
        case price
        /// The change over the period in percent, with its sign.
        case rate
        /// The change over the period in the quote currency, with its sign.
        case amount
        /// `▲`, `▼`, or nothing for an unchanged price.
        case arrow
        /// 24-hour trade value.
        case value
        /// The period of the change.
        case period
        /// The age of data that are not fresh; nothing for fresh ones.
        case state
    }

    /// Why a text is no format.
    public enum Mistake: Error, Sendable, Equatable {
        /// A brace without its partner.
        case brace
        /// A field that does not exist.
        case unknownField(String)
    }

    private enum Part: Sendable, Equatable {
        case text(String)
        case field(Field)
    }

    /// The format of a line without one.
    public static let standardText = "{symbol} {price} {rate}"

    private let parts: [Part]

    /// Parses a format.
    ///
    /// - Throws: ``Mistake``.
    public init(_ format: String) throws(Mistake) {
        var parts: [Part] = []
        var text = ""
        var rest = format[...]
        while let character = rest.popFirst() {
            guard character == "{" || character == "}" else {
                text.append(character)
                continue
            }
            if rest.first == character {
                text.append(rest.removeFirst())
                continue
            }
            guard character == "{", let end = rest.firstIndex(of: "}") else { throw .brace }
            let name = String(rest[..<end])
            guard let field = Field(rawValue: name) else { throw .unknownField(name) }
            parts += [.text(text), .field(field)]
            text = ""
            rest = rest[rest.index(after: end)...]
        }
        self.parts = parts + [.text(text)]
    }

    /// The lines of markets, in their order.
    ///
    /// A line of data that are not fresh begins with `○`, unless the format has `{state}`. Missing
    /// values are `-`. Control characters are replaced.
    ///
    /// - Parameters:
    ///   - markets: the markets, listed or not.
    ///   - document: a list with their rows.
    ///   - language: the language of names and states.
    /// - Returns: one line a market.
    public func lines(
        of markets: [MarketID],
        in document: MarketListDocument,
        language: Language
    ) -> [String] {
        let state = Self.state(of: document, language)
        let rows = Dictionary(
            document.state.rows.map { ($0.market, $0) },
            uniquingKeysWith: { first, _ in first }
        )
        return markets.map { market in
            let row = rows[market.name]
            let line = parts.map { part in
                switch part {
                case .text(let text): text
                case .field(let field): value(field, market, row, state, document, language)
                }
            }.joined()
            let isMarked = !state.isEmpty && !parts.contains(.field(.state))
            return TextWidth.drawn((isMarked ? "○ " : "") + line)
        }
    }

    /// Whether a list has fresh prices of all markets.
    public static func isFresh(_ markets: [MarketID], in document: MarketListDocument) -> Bool {
        let priced = Set(document.state.rows.filter { $0.price != nil }.map(\.market))
        return state(of: document, .english).isEmpty
            && markets.allSatisfy { priced.contains($0.name) }
    }

    private func value(
        _ field: Field,
        _ market: MarketID,
        _ row: MarketRowViewState?,
        _ state: String,
        _ document: MarketListDocument,
        _ language: Language
    ) -> String {
        switch field {
        case .market: market.name
        case .symbol: market.symbol
        case .quote: market.quote.rawValue
        case .name:
            (language == .korean ? row?.name.ko : row?.name.en) ?? market.symbol
        case .price: row?.priceText ?? "-"
        case .rate: row?.changeRateText ?? "-"
        case .amount: row?.changeAmountText ?? "-"
        case .arrow: (row?.priceDirection).sign ?? ""
        case .value: row?.tradeValueText ?? "-"
        case .period:
            ChangePeriod(rawValue: document.state.query.changePeriod)
                .map { MarketListStrings.period($0)[language] } ?? ""
        case .state: state
        }
    }

    /// The age or the state of data that are not fresh; empty for fresh ones.
    private static func state(of document: MarketListDocument, _ language: Language) -> String {
        let health = document.state.health
        if let phase = PlainTextList.phase(of: health, at: document.asOf, language) { return phase }
        if health.origin == .store { return MarketListStrings.offline }
        return health.error == nil ? "" : MarketListStrings.disconnected[language]
    }
}
