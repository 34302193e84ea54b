import Domain

extension Command {
    static let favoritesList = onStore(
        "favorites list",
        "List your favorites in their order",
        requires: .ownRecord
    ) { access, _ throws(ProgramError) in
        try await FavoritesCommand(access: access).list()
    }

    static let favoritesAdd = onStore(
        "favorites add",
        "Add a market to your favorites",
        operands: [.market],
        requires: .ownRecord
    ) { access, invocation throws(ProgramError) in
        try await FavoritesCommand(access: access).add(invocation.required(0))
    }

    static let favoritesRemove = onStore(
        "favorites remove",
        "Remove a market from your favorites",
        operands: [.market],
        requires: .ownRecord
    ) { access, invocation throws(ProgramError) in
        try await FavoritesCommand(access: access).remove(invocation.required(0))
    }

    static let favoritesMove = onStore(
        "favorites move",
        "Move a favorite to another position",
        operands: [.market, CommandOperand("POSITION", "the new position, from 1", example: "1")],
        requires: .ownRecord
    ) { access, invocation throws(ProgramError) in
        try await FavoritesCommand(access: access)
            .move(invocation.required(0), to: invocation.required(1))
    }

    static let favoritesImport = onStore(
        "favorites import",
        "Add the favorites of a file, all or none",
        operands: [
            CommandOperand(
                "FILE",
                "a CSV file: the header market,position, then one line per market",
                .path("FILE")
            )
        ],
        options: [.replace, .quiet],
        requires: .ownRecord,
        progress: "saving the favorites"
    ) { access, invocation throws(ProgramError) in
        try await FavoritesCommand(access: access)
            .importFile(invocation.required(0), isReplacing: invocation.has(.replace))
    }

    static let favoritesExport = onStore(
        "favorites export",
        "Write your favorites to a file for import",
        operands: [
            CommandOperand(
                "FILE",
                "a new file; default: standard output",
                .path("FILE"),
                isOptional: true
            )
        ],
        requires: .ownRecord
    ) { access, invocation throws(ProgramError) in
        try await FavoritesCommand(access: access).export(to: invocation.operand(0))
    }
}

/// `hoga favorites`: the favorites, their order, and files of favorites.
struct FavoritesCommand: Sendable {
    /// The maximum attempts of an import while other processes change the favorites.
    private static let attemptsMax = 3

    let access: StoreAccess

    /// `list`: positions and markets, one line each.
    func list() async throws(ProgramError) {
        let markets = try await access.record().favorites.value
        if markets.isEmpty {
            Console.note("no favorites; add one with 'hoga favorites add MARKET'")
        }
        for (place, market) in zip(1..., markets) { try Self.line(place, market) }
    }

    /// `add`: adds a market at the end, unless it is known not to exist.
    func add(_ text: String) async throws(ProgramError) {
        let market = try Self.market(text)
        let warning = try Self.check(market, among: await access.markets())
        let markets = try await access.perform(.addFavorite(market)).favorites.value
        if let warning { Console.note("hoga: \(warning)") }
        if let index = markets.firstIndex(of: market) { try Self.line(index + 1, market) }
    }

    /// `remove`: removes a market.
    func remove(_ text: String) async throws(ProgramError) {
        let market = try Self.market(text)
        let isAvailable = try await access.record().favorites.value.contains(market)
        guard isAvailable else {
            Console.note("\(market.name) is not a favorite")
            return
        }
        try await access.perform(.removeFavorite(market))
    }

    /// `move`: moves a favorite to a position, from 1.
    func move(_ text: String, to place: String) async throws(ProgramError) {
        let market = try Self.market(text)
        guard let number = Int(place), number > 0 else {
            throw ProgramError(.usage, "POSITION must be a whole number, 1 or more")
        }
        let markets = try await access.perform(.moveFavorite(market, to: number - 1))
            .favorites.value
        guard let index = markets.firstIndex(of: market) else {
            throw ProgramError(.usage, "\(market.name) is not a favorite; add it first")
        }
        try Self.line(index + 1, market)
    }

    /// `import`: adds the markets of a file in its order, or replaces all favorites by them.
    func importFile(_ path: String, isReplacing: Bool) async throws(ProgramError) {
        let markets: [MarketID]
        do throws(ImportFile.Refusal) {
            markets = try FavoritesFile.markets(
                try ImportFile.content(of: path, bytesMax: FavoritesFile.bytesMax)
            )
        } catch {
            throw ProgramError(.usage, "cannot import \(path); nothing was changed\n\(error)")
        }
        var attempt = 1
        while true {
            let before = try await access.record().favorites
            let known = Set(before.value)
            let added = markets.filter { !known.contains($0) }
            let wanted = isReplacing ? markets : before.value + added
            do throws(ProgramError) {
                try await access.perform(
                    .replaceFavorites(wanted, expecting: before.revision)
                )
                try Console.line("\(wanted.count) favorites, \(added.count) new")
                return
            } catch {
                guard error.exitCode == .unavailable, attempt < Self.attemptsMax else {
                    throw error
                }
                attempt += 1
            }
        }
    }

    /// `export`: writes all favorites to a file that `import` reads.
    func export(to path: String?) async throws(ProgramError) {
        let text = FavoritesFile.text(try await access.record().favorites.value)
        // Only the owner may read a file with personal data.
        try ExportOutput(path: path, isPrivate: true).write(Array(text.utf8), rows: 1)
    }

    /// Refuses an unknown market.
    ///
    /// - Parameters:
    ///   - market: the market to add.
    ///   - known: the markets that were seen listed; empty if none was.
    /// - Returns: a warning if nothing is known; nil for a known market.
    /// - Throws: ``ProgramError`` `usage` with suggestions.
    static func check(
        _ market: MarketID,
        among known: Set<MarketID>
    ) throws(ProgramError) -> String? {
        if known.isEmpty {
            return "cannot tell whether \(market.name) exists, because no market list is stored "
                + "yet; 'hoga watch' stores one"
        }
        if known.contains(market) { return nil }
        let near = SpellingSuggestions.of(market.name, among: known.map(\.name))
        throw ProgramError(
            .usage,
            "unknown market \(market.name)"
                + (near.isEmpty
                    ? "; run 'hoga watch' once to load newly listed markets"
                    : ". Did you mean " + near.joined(separator: ", ") + "?")
        )
    }

    private static func line(_ place: Int, _ market: MarketID) throws(ProgramError) {
        try Console.line("\(place) \(market.name)")
    }

    private static func market(_ text: String) throws(ProgramError) -> MarketID {
        try MarketArgument.market(text, of: "MARKET")
    }
}
