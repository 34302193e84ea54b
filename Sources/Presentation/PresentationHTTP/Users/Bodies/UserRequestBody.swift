import Domain
import HTTPServer
import ViewStates

/// The body of a request that changes something: one JSON object whose members are all known, each
/// of its own type.
struct UserRequestBody: Sendable {
    private let members: [BodyValue.Member]

    /// Reads a body.
    ///
    /// - Throws: ``Problem``: `unsupported_media_type`, and `invalid_parameter` for what is no
    ///   JSON object.
    init(_ call: RoutedRequest) throws(Problem) {
        try self.init(call.request.header("content-type"), call.request.body)
    }

    /// Reads a body that came with a `Content-Type`.
    init(_ contentType: String?, _ bytes: [UInt8]) throws(Problem) {
        guard Self.isJSON(contentType) else {
            throw Problem(
                code: .unsupportedMediaType,
                detail: "a body of Content-Type application/json is taken"
            )
        }
        do throws(BodyError) {
            guard case .object(let members) = try BodyValue(bytes) else {
                throw BodyError(reason: .syntax, byte: 0)
            }
            self.members = members
        } catch {
            throw Self.problem(error)
        }
    }

    // MARK: What the addresses take

    /// `{"displayName": text or null}`.
    func displayName() throws(Problem) -> String? {
        try check(known: ["displayName"], needed: ["displayName"])
        let allowed = [
            "a text of at most \(UserInput.displayNameMax) characters", "null",
        ]
        switch self["displayName"] {
        case .text(let text):
            return try Self.read("displayName", allowed) { () throws(InputError) in
                try UserInput.displayName(text)
            }
        case .null: return nil
        case .boolean, .number, .list, .object, nil:
            throw Self.wrongKind("displayName", self["displayName"], allowed)
        }
    }

    /// `{"amount": decimal}`.
    func cash() throws(Problem) -> FixedDecimal {
        try check(known: ["amount"], needed: ["amount"])
        return try decimal("amount", isNullable: false) { text throws(InputError) in
            try UserInput.cash(text)
        } ?? .zero
    }

    /// `{"quantity": decimal, "averagePrice": decimal or null}`.
    func holding(of asset: Asset) throws(Problem) -> Holding {
        try check(known: ["quantity", "averagePrice"], needed: ["quantity", "averagePrice"])
        let quantity = try decimal("quantity", isNullable: false) { text throws(InputError) in
            try UserInput.quantity(text)
        }
        let price = try decimal("averagePrice", isNullable: true) { text throws(InputError) in
            try UserInput.averagePrice(text)
        }
        return Holding(asset: asset, quantity: quantity ?? .zero, averagePrice: price)
    }

    /// `{"rows": [market]}`, where a market is its name, or a row as the document has it.
    func favorites() throws(Problem) -> [MarketID] {
        try check(known: ["rows"], needed: ["rows"])
        let allowed = ["a list of markets, such as BTC_KRW, each once"]
        guard case .list(let rows) = self["rows"] else {
            throw Self.wrongKind("rows", self["rows"], allowed)
        }
        guard rows.count <= UserRecord.favoritesMax else {
            throw .invalidParameter(
                "rows",
                "\(rows.count) are more than are kept",
                allowed: ["at most \(UserRecord.favoritesMax) markets"]
            )
        }
        var markets: [MarketID] = []
        var seen: Set<MarketID> = []
        for (index, row) in rows.enumerated() {
            guard let market = try Self.market(row, at: index + 1) else {
                throw .invalidParameter(
                    "rows",
                    "row \(index + 1) names no market",
                    allowed: allowed
                )
            }
            guard seen.insert(market).inserted else {
                throw .invalidParameter(
                    "rows",
                    "\(market.name) stands there twice",
                    allowed: allowed
                )
            }
            markets.append(market)
        }
        return markets
    }

    /// Some of the members of the document `settings`.
    func settings() throws(Problem) -> SettingsPatch {
        try check(known: Self.settingNames, needed: [])
        var patch = SettingsPatch()
        patch.sort = try choice("sort")
        patch.sortDirection = try choice("sortDirection")
        patch.quote = try choice("quote")
        patch.tab = try choice("tab")
        patch.pinFavorites = try flag("pinFavorites")
        patch.changePeriod = try choice("changePeriod")
        patch.interval = try choice("interval")
        patch.chartStyle = try choice("chartStyle")
        patch.averages = try averages()
        patch.depth = try depth()
        patch.theme = try choice("theme")
        patch.colors = try choice("colors")
        patch.language = try choice("lang")
        return patch
    }

    private static let settingNames = [
        "sort", "sortDirection", "quote", "tab", "pinFavorites", "changePeriod", "interval",
        "chartStyle", "averages", "depth", "theme", "colors", "lang",
    ]

    private static func market(_ row: BodyValue, at position: Int) throws(Problem) -> MarketID? {
        switch row {
        case .text(let name): return MarketID(anySpelling: name)
        case .object(let members):
            let row = UserRequestBody(members: members)
            try row.check(known: ["market", "position"], needed: ["market"])
            if let place = row["position"], place.wholeNumber != position {
                throw .invalidParameter(
                    "position",
                    "is not the place of row \(position)",
                    allowed: ["the place in the list, counted from 1"]
                )
            }
            guard case .text(let name) = row["market"] else { return nil }
            return MarketID(anySpelling: name)
        case .null, .boolean, .number, .list: return nil
        }
    }
}

// MARK: Members

extension UserRequestBody {
    private init(members: [BodyValue.Member]) { self.members = members }

    private subscript(name: String) -> BodyValue? { members.first { $0.name == name }?.value }

    /// Refuses members that are not known, and the lack of one that is needed.
    private func check(known: [String], needed: [String]) throws(Problem) {
        for member in members where !known.contains(member.name) {
            throw .invalidParameter(member.name, "there is no such member here", allowed: known)
        }
        for name in needed where self[name] == nil {
            throw .invalidParameter(name, "is missing from the body", allowed: ["to be there"])
        }
    }

    /// A decimal as documents have them: a text of digits, with a point or without.
    private func decimal(
        _ name: String,
        isNullable: Bool,
        _ read: (String) throws(InputError) -> FixedDecimal?
    ) throws(Problem) -> FixedDecimal? {
        let allowed =
            ["a decimal as a text, such as \"0.25\""] + (isNullable ? ["null"] : [])
        if isNullable, self[name] == .null { return nil }
        guard case .text(let text) = self[name] else {
            throw Self.wrongKind(name, self[name], allowed)
        }
        // People may write commas and spaces; programs may not.
        guard !text.isEmpty, text.utf8.allSatisfy({ "0123456789.".utf8.contains($0) }) else {
            throw .invalidParameter(name, "no plain decimal number", allowed: allowed)
        }
        return try Self.read(name, allowed) { () throws(InputError) in try read(text) }
    }

    private func choice<Value: RawRepresentable<String> & CaseIterable>(
        _ name: String
    ) throws(Problem) -> Value? {
        guard let value = self[name] else { return nil }
        let allowed = Value.allCases.map(\.rawValue)
        guard case .text(let text) = value else { throw Self.wrongKind(name, value, allowed) }
        guard let choice = Value(rawValue: text) else {
            throw .invalidParameter(
                name,
                "\"\(Problem.short(text))\" is not one of its values",
                allowed: allowed
            )
        }
        return choice
    }

    private func flag(_ name: String) throws(Problem) -> Bool? {
        guard let value = self[name] else { return nil }
        guard case .boolean(let flag) = value else {
            throw Self.wrongKind(name, value, ["true", "false"])
        }
        return flag
    }

    private func depth() throws(Problem) -> Int? {
        guard let value = self["depth"] else { return nil }
        let range = UserSettings.depthRange
        let allowed = ["\(range.lowerBound)..\(range.upperBound)"]
        guard case .number = value else { throw Self.wrongKind("depth", value, allowed) }
        guard let depth = value.wholeNumber, range.contains(depth) else {
            throw .invalidParameter("depth", "no whole number in its range", allowed: allowed)
        }
        return depth
    }

    /// Windows in any order; what is kept is ascending.
    private func averages() throws(Problem) -> [Int]? {
        guard let value = self["averages"] else { return nil }
        let windows = CandleSeries.averageWindows
        let allowed = ["a list of some of " + windows.map { "\($0)" }.joined(separator: ", ")]
        guard case .list(let values) = value else {
            throw Self.wrongKind("averages", value, allowed)
        }
        var chosen: Set<Int> = []
        for value in values {
            guard let window = value.wholeNumber, windows.contains(window)
            else {
                throw .invalidParameter("averages", "holds what is no window", allowed: allowed)
            }
            chosen.insert(window)
        }
        return windows.filter(chosen.contains)
    }

    private static func read<Value>(
        _ name: String,
        _ allowed: [String],
        _ body: () throws(InputError) -> Value
    ) throws(Problem) -> Value {
        do throws(InputError) {
            return try body()
        } catch {
            throw .invalidParameter(name, error.detail, allowed: allowed)
        }
    }

    private static func wrongKind(
        _ name: String,
        _ value: BodyValue?,
        _ allowed: [String]
    ) -> Problem {
        .invalidParameter(name, "\(value?.kind ?? "nothing") is not taken here", allowed: allowed)
    }

    private static func problem(_ error: BodyError) -> Problem {
        let allowed = ["a JSON object"]
        return switch error.reason {
        case .syntax:
            .invalidParameter("body", "no JSON object, from byte \(error.byte)", allowed: allowed)
        case .characters:
            .invalidParameter(
                "body",
                "a text at byte \(error.byte) is no Unicode",
                allowed: allowed
            )
        case .repeated(let name):
            .invalidParameter(name, "stands in the body more than once", allowed: ["once"])
        case .tooDeep:
            .invalidParameter("body", "is nested too deep", allowed: allowed)
        }
    }

    /// Whether a `Content-Type` is that of JSON, in UTF-8 if it says so (RFC 8259, 8.1).
    private static func isJSON(_ contentType: String?) -> Bool {
        guard let contentType else { return false }
        let parts = contentType.split(separator: ";", omittingEmptySubsequences: false)
            .map { part in part.filter { $0 != " " && $0 != "\t" }.lowercased() }
        guard parts.first == "application/json" else { return false }
        return parts.dropFirst().allSatisfy { part in
            part.isEmpty || !part.hasPrefix("charset=")
                || ["charset=utf-8", "charset=\"utf-8\""].contains(part)
        }
    }
}
