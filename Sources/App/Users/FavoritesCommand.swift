import Domain
import FoundationEssentials

/// `hoga favorites`: the favourites, their order, and files of them.
struct FavoritesCommand: Sendable {
    /// How often an import is tried while others change the favourites too.
    private static let attemptsMax = 3

    let access: StoreAccess

    /// `list`: places and markets, a line each.
    func list() async throws(ProgramError) {
        let markets = try await access.record().favorites.value
        if markets.isEmpty {
            Console.note("There are no favourites; `hoga favorites add` adds one.")
        }
        for (place, market) in zip(1..., markets) { try Self.line(place, market) }
    }

    /// `add`: puts a market behind the others.
    func add(_ text: String) async throws(ProgramError) {
        let market = try Self.market(text)
        let markets = try await access.perform(.addFavorite(market)).favorites.value
        if let index = markets.firstIndex(of: market) { try Self.line(index + 1, market) }
    }

    /// `remove`: takes a market from the favourites.
    func remove(_ text: String) async throws(ProgramError) {
        let market = try Self.market(text)
        let isAvailable = try await access.record().favorites.value.contains(market)
        guard isAvailable else {
            Console.note("\(market.name) is no favourite.")
            return
        }
        try await access.perform(.removeFavorite(market))
    }

    /// `move`: puts a favourite at a place, from 1.
    func move(_ text: String, to place: String) async throws(ProgramError) {
        let market = try Self.market(text)
        guard let number = Int(place), number > 0 else {
            throw ProgramError(.usage, "POSITION: must be a whole number from 1 up")
        }
        let markets = try await access.perform(.moveFavorite(market, to: number - 1))
            .favorites.value
        guard let index = markets.firstIndex(of: market) else {
            throw ProgramError(.usage, "\(market.name) is no favourite: add it first")
        }
        try Self.line(index + 1, market)
    }

    /// `import`: adds the markets of a file in its order, or puts them in place of all.
    func importFile(_ path: String, isReplacing: Bool) async throws(ProgramError) {
        let markets: [MarketID]
        do throws(FavoritesFile.Refusal) {
            markets = try FavoritesFile.markets(try Self.content(of: path))
        } catch {
            throw ProgramError(.usage, "\(path): nothing was changed\n\(error)")
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
                try Console.line("\(wanted.count) favourites, \(added.count) of them new")
                return
            } catch {
                guard error.exitCode == .unavailable, attempt < Self.attemptsMax else {
                    throw error
                }
                attempt += 1
            }
        }
    }

    /// `export`: all favourites as a file that `import` reads.
    func export(to path: String?) async throws(ProgramError) {
        let text = FavoritesFile.text(try await access.record().favorites.value)
        // What is kept of a person is nobody else's to read.
        try ExportOutput(path: path, isPrivate: true).write(Array(text.utf8), rows: 1)
    }

    private static func line(_ place: Int, _ market: MarketID) throws(ProgramError) {
        try Console.line("\(place) \(market.name)")
    }

    private static func market(_ text: String) throws(ProgramError) -> MarketID {
        guard let market = MarketID(anySpelling: text) else {
            throw ProgramError(.usage, "MARKET: must be a market like BTC_KRW")
        }
        return market
    }

    /// The content of a file that is no larger than may be.
    private static func content(
        of path: String
    ) throws(FavoritesFile.Refusal) -> [UInt8] {
        // What a link leads to counts, not the link.
        let path = URL(filePath: path).resolvingSymlinksInPath().path
        let attributes = try? FileManager.default.attributesOfItem(atPath: path)
        // A device or pipe could go on for ever.
        guard attributes?[.type] as? FileAttributeType == .typeRegular,
            let size = attributes?[.size] as? any BinaryInteger
        else { throw FavoritesFile.Refusal(description: "it is no file that can be read") }
        guard Int(clamping: size) <= FavoritesFile.bytesMax else {
            throw FavoritesFile.Refusal(
                description: "it has more than \(FavoritesFile.bytesMax) bytes"
            )
        }
        guard let content = FileManager.default.contents(atPath: path) else {
            throw FavoritesFile.Refusal(description: "it cannot be read")
        }
        return Array(content)
    }
}
