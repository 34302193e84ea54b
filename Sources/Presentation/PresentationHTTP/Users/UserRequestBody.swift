import Domain
import HTTPServer
import JSON
import ViewStates

/// The body of a change: one JSON object with known members of the right types.
struct UserRequestBody: Sendable {
    /// How deep lists and objects may be nested; the server bounds the length.
    static let depthMax = 8

    private let members: [JSONValue.Member]

    /// Parses a body.
    ///
    /// - Throws: ``Problem``: `unsupported_media_type`, or `invalid_parameter` for anything but a
    ///   JSON object.
    init(_ call: RoutedRequest) throws(Problem) {
        try self.init(
            call.request.header("content-type"),
            call.request.body,
            types: Self.mediaTypes(call.method)
        )
    }

    /// Parses a body with a `Content-Type`, which must be one of some media types.
    init(
        _ contentType: String?,
        _ bytes: [UInt8],
        types: [String] = mediaTypes(.put)
    ) throws(Problem) {
        guard Self.isJSON(contentType, types) else {
            throw Problem(
                code: .unsupportedMediaType,
                detail: "the Content-Type must be " + types.joined(separator: " or ")
            )
        }
        do throws(JSONError) {
            let body = try JSONValue(parsing: bytes, depthMax: Self.depthMax)
            guard case .object(let members) = body else { throw JSONError(.syntax, at: 0) }
            self.members = members
        } catch {
            throw Self.problem(error)
        }
    }

    /// The media types that a method takes; a PATCH is a merge patch (RFC 7396) of the document.
    static func mediaTypes(_ method: Route.Method) -> [String] {
        switch method {
        case .get, .delete: []
        case .post, .put: ["application/json"]
        case .patch: ["application/json", "application/merge-patch+json"]
        }
    }

    // MARK: Bodies of the routes

    /// `{"displayName": text or null}`.
    func displayName() throws(Problem) -> String? {
        try check(known: ["displayName"], needed: ["displayName"])
        return try text("displayName", max: UserInput.displayNameMax) { words throws(InputError) in
            try UserInput.displayName(words)
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

    /// `{"rows": [market]}`.
    ///
    /// A market is its name or a row of the document.
    func favorites() throws(Problem) -> [MarketID] {
        try check(known: ["rows"], needed: ["rows"])
        let allowed = ["a list of markets, such as BTC_KRW, each once"]
        guard case .array(let rows) = self["rows"] else {
            throw Self.wrongKind("rows", self["rows"], allowed)
        }
        guard rows.count <= UserRecord.favoritesMax else {
            throw .invalidParameter(
                "rows",
                "has \(rows.count) rows",
                allowed: ["at most \(UserRecord.favoritesMax) markets"]
            )
        }
        var markets: [MarketID] = []
        var seen: Set<MarketID> = []
        for (index, row) in rows.enumerated() {
            guard let market = try Self.market(row, at: index + 1) else {
                throw .invalidParameter(
                    "rows",
                    "row \(index + 1) is not a market",
                    allowed: allowed
                )
            }
            guard seen.insert(market).inserted else {
                throw .invalidParameter(
                    "rows",
                    "\(market.name) is listed twice",
                    allowed: allowed
                )
            }
            markets.append(market)
        }
        return markets
    }

    /// A subset of the members of the document `settings`.
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
        // The document leaves out the default; a merge patch that removes the member restores it.
        patch.marketLayout = self["marketLayout"] == .null ? .all : try choice("marketLayout")
        return patch
    }

    /// `{"scopes": list, "expiresAt": time or null, "note": text or null}`; the last two may be
    /// missing.
    func token() throws(Problem) -> TokenRequest.Wanted {
        try check(known: ["scopes", "expiresAt", "note"], needed: ["scopes"])
        return TokenRequest.Wanted(
            scope: try scope(),
            expiresAt: try time("expiresAt"),
            note: try text("note", max: UserInput.noteMax) { words throws(InputError) in
                try UserInput.note(words)
            }
        )
    }

    private static let settingNames = [
        "sort", "sortDirection", "quote", "tab", "pinFavorites", "changePeriod", "interval",
        "chartStyle", "averages", "depth", "theme", "colors", "lang", "marketLayout",
    ]

    private static func market(_ row: JSONValue, at position: Int) throws(Problem) -> MarketID? {
        switch row {
        case .string(let name): return MarketID(anySpelling: name)
        case .object(let members):
            let row = UserRequestBody(members: members)
            try row.check(known: ["market", "position"], needed: ["market"])
            if let place = row["position"], place.wholeNumber != position {
                throw .invalidParameter(
                    "position",
                    "is not the index of row \(position)",
                    allowed: ["the index in the list, from 1"]
                )
            }
            guard case .string(let name) = row["market"] else { return nil }
            return MarketID(anySpelling: name)
        case .null, .boolean, .number, .array, .encoded: return nil
        }
    }
}

// MARK: Members

extension UserRequestBody {
    private init(members: [JSONValue.Member]) { self.members = members }

    subscript(name: String) -> JSONValue? { members.first { $0.name == name }?.value }

    /// Rejects unknown members and missing ones.
    func check(known: [String], needed: [String]) throws(Problem) {
        for member in members where !known.contains(member.name) {
            throw .invalidParameter(member.name, "unknown member", allowed: known)
        }
        for name in needed where self[name] == nil {
            throw .invalidParameter(name, "is missing", allowed: ["the member in the body"])
        }
    }

    /// Text for people; nil for null and a missing member.
    private func text(
        _ name: String,
        max: Int,
        _ read: (String) throws(InputError) -> String?
    ) throws(Problem) -> String? {
        let allowed = ["a string of at most \(max) characters", "null"]
        switch self[name] {
        case .string(let text):
            return try Self.read(name, allowed) { () throws(InputError) in try read(text) }
        case .null, nil: return nil
        case .boolean, .number, .array, .object, .encoded:
            throw Self.wrongKind(name, self[name], allowed)
        }
    }

    /// A time with an offset; nil for null and a missing member.
    private func time(_ name: String) throws(Problem) -> Timestamp? {
        let allowed = ["a time with an offset, e.g. 2026-11-20T21:00:00+09:00", "null"]
        switch self[name] {
        case .string(let text):
            guard let time = TimeText.timestamp(iso8601: text) else {
                throw .invalidParameter(name, "is not a time with an offset", allowed: allowed)
            }
            return time
        case .null, nil: return nil
        case .boolean, .number, .array, .object, .encoded:
            throw Self.wrongKind(name, self[name], allowed)
        }
    }

    /// The scopes of a token, each once; `write` includes `read`.
    private func scope() throws(Problem) -> TokenScope {
        let allowed = [#"["read"]"#, #"["read","write"]"#]
        guard case .array(let values) = self["scopes"] else {
            throw Self.wrongKind("scopes", self["scopes"], allowed)
        }
        var scopes: Set<TokenScope> = []
        for value in values {
            guard case .string(let text) = value, let scope = TokenScope(rawValue: text) else {
                throw .invalidParameter("scopes", "contains an unknown scope", allowed: allowed)
            }
            guard scopes.insert(scope).inserted else {
                throw .invalidParameter(
                    "scopes",
                    "\(scope.rawValue) is listed twice",
                    allowed: allowed
                )
            }
        }
        guard !scopes.isEmpty else {
            throw .invalidParameter("scopes", "is empty", allowed: allowed)
        }
        return scopes.contains(.write) ? .write : .read
    }

    /// A decimal as in documents: a string of digits with an optional point.
    private func decimal(
        _ name: String,
        isNullable: Bool,
        _ read: (String) throws(InputError) -> FixedDecimal?
    ) throws(Problem) -> FixedDecimal? {
        let allowed =
            ["a decimal string, e.g. \"0.25\""] + (isNullable ? ["null"] : [])
        if isNullable, self[name] == .null { return nil }
        guard case .string(let text) = self[name] else {
            throw Self.wrongKind(name, self[name], allowed)
        }
        // Commas and spaces are for people, not for programs.
        guard !text.isEmpty, text.utf8.allSatisfy({ "0123456789.".utf8.contains($0) }) else {
            throw .invalidParameter(name, "not a decimal number", allowed: allowed)
        }
        return try Self.read(name, allowed) { () throws(InputError) in try read(text) }
    }

    private func choice<Value: RawRepresentable<String> & CaseIterable>(
        _ name: String
    ) throws(Problem) -> Value? {
        guard let value = self[name] else { return nil }
        let allowed = Value.allCases.map(\.rawValue)
        guard case .string(let text) = value else { throw Self.wrongKind(name, value, allowed) }
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
            throw .invalidParameter("depth", "out of range", allowed: allowed)
        }
        return depth
    }

    /// Windows in any order; stored ascending.
    private func averages() throws(Problem) -> [Int]? {
        guard let value = self["averages"] else { return nil }
        let windows = CandleSeries.averageWindows
        let allowed = ["a list of some of " + windows.map { "\($0)" }.joined(separator: ", ")]
        guard case .array(let values) = value else {
            throw Self.wrongKind("averages", value, allowed)
        }
        var chosen: Set<Int> = []
        for value in values {
            guard let window = value.wholeNumber, windows.contains(window)
            else {
                throw .invalidParameter("averages", "contains an unknown window", allowed: allowed)
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

    static func wrongKind(
        _ name: String,
        _ value: JSONValue?,
        _ allowed: [String]
    ) -> Problem {
        .invalidParameter(name, "must not be \(value.map(kind) ?? "nothing")", allowed: allowed)
    }

    /// The kind of a value, for error messages.
    private static func kind(_ value: JSONValue) -> String {
        switch value {
        case .null: "null"
        case .boolean: "true or false"
        case .number: "a number"
        case .string: "a text"
        case .array: "a list"
        case .object, .encoded: "an object"
        }
    }

    private static func problem(_ error: JSONError) -> Problem {
        let allowed = ["a JSON object"]
        return switch error.reason {
        case .syntax:
            .invalidParameter(
                "body",
                "not a JSON object, at byte \(error.offset)",
                allowed: allowed
            )
        case .encoding:
            .invalidParameter(
                "body",
                "a string at byte \(error.offset) is not valid Unicode",
                allowed: allowed
            )
        case .duplicateName(let name):
            .invalidParameter(name, "is repeated in the body", allowed: ["once"])
        case .tooDeep:
            .invalidParameter("body", "is nested too deeply", allowed: allowed)
        }
    }

    /// Whether a `Content-Type` is one of some types of JSON in UTF-8 (RFC 8259, 8.1).
    private static func isJSON(_ contentType: String?, _ types: [String]) -> Bool {
        guard let contentType else { return false }
        let parts = contentType.split(separator: ";", omittingEmptySubsequences: false)
            .map { part in part.filter { $0 != " " && $0 != "\t" }.lowercased() }
        guard let type = parts.first, types.contains(type) else { return false }
        return parts.dropFirst().allSatisfy { part in
            part.isEmpty || !part.hasPrefix("charset=")
                || ["charset=utf-8", "charset=\"utf-8\""].contains(part)
        }
    }
}
