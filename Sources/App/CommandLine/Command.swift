/// What hoga can be told to do.
enum Command: String, Sendable, CaseIterable {
    case watch
    case serve
    case health
    case doctor
    case snapshot
    case exchangeSimulate = "exchange simulate"
    case exchangeReplay = "exchange replay"
    case exchangeRecord = "exchange record"
    case configShow = "config show"
    case keys
    case favoritesList = "favorites list"
    case favoritesAdd = "favorites add"
    case favoritesRemove = "favorites remove"
    case favoritesMove = "favorites move"
    case favoritesImport = "favorites import"
    case favoritesExport = "favorites export"
    case holdingsList = "holdings list"
    case holdingsPut = "holdings put"
    case holdingsRemove = "holdings remove"
    case cash
    case storePath = "store path"
    case storeBackup = "store backup"
    case storeCheck = "store check"
    case migrateUp = "migrate up"
    case migrateStatus = "migrate status"
    case migrateVerify = "migrate verify"
    case userList = "user list"
    case userAdd = "user add"
    case userDisable = "user disable"
    case userEnable = "user enable"
    case userRemove = "user remove"
    case userExport = "user export"
    case userTokenNew = "user token new"
    case userTokenList = "user token list"
    case userTokenRevoke = "user token revoke"

    /// The words on the command line.
    var words: [String] { rawValue.split(separator: " ").map(String.init) }

    /// What it does, in a line.
    var summary: String {
        switch self {
        case .watch: "the list of markets, live in the terminal; on a pipe once as plain text"
        case .serve: "the same view states as JSON over HTTP"
        case .health: "whether a running service answers: exit code 0, else 69"
        case .doctor: "looks at what hoga needs, and says what to do about what is wrong"
        case .snapshot: "one document as JSON, without a server"
        case .exchangeSimulate: "a server that looks like the exchange, with seeded markets"
        case .exchangeReplay: "a server that plays a recording of the exchange"
        case .exchangeRecord: "writes down what the exchange sends, to be replayed later"
        case .configShow: "every setting, its value and where that came from"
        case .keys: "every key of the terminal, and the name that gives it another in config.json"
        case .favoritesList: "the favourites in their order"
        case .favoritesAdd: "puts a market behind the other favourites"
        case .favoritesRemove: "takes a market from the favourites"
        case .favoritesMove: "puts a favourite at another place"
        case .favoritesImport: "adds the favourites of a file, all or none"
        case .favoritesExport: "the favourites as a file that can be imported"
        case .holdingsList: "coins, their quantities and average prices"
        case .holdingsPut: "sets what is held of a coin"
        case .holdingsRemove: "takes a coin from the holdings"
        case .cash: "the cash in won; with an amount, sets it"
        case .storePath: "where the store is"
        case .storeBackup: "copies the store into a new file, while others may use it"
        case .storeCheck: "looks through the whole store, and tells what candles lack"
        case .migrateUp: "brings the store's schema up to date, which a file gets at every start"
        case .migrateStatus: "every migration of the store, and how it stands"
        case .migrateVerify: "whether this program can live with the store"
        case .userList: "everybody who keeps something in the database"
        case .userAdd: "adds somebody, who is let in with a token"
        case .userDisable: "lets somebody's tokens open nothing; what is kept stays"
        case .userEnable: "lets them open again what they did"
        case .userRemove: "removes somebody with everything that is kept, for good"
        case .userExport: "everything that is kept of somebody, as JSON"
        case .userTokenNew: "makes a token, and shows it this once"
        case .userTokenList: "somebody's tokens: numbers, scopes, times, never the tokens"
        case .userTokenRevoke: "lets a token open nothing any more, everywhere within a second"
        }
    }

    /// What stands behind the command's words, in order.
    var operands: [CommandOperand] {
        switch self {
        case .snapshot:
            [
                CommandOperand(
                    "DOCUMENT",
                    SnapshotCommand.documents.joined(separator: ", ")
                )
            ]
        case .exchangeReplay: [CommandOperand("PATH", "a recording: a .jsonl file, or a folder")]
        case .exchangeRecord: [CommandOperand("PATH", "a new file, name.jsonl")]
        case .favoritesAdd, .favoritesRemove: [.market]
        case .favoritesMove: [.market, CommandOperand("POSITION", "its place, from 1")]
        case .favoritesImport:
            [CommandOperand("FILE", "a header market,position and a line for each market")]
        case .favoritesExport:
            [CommandOperand("FILE", "a new file; without one it is printed", isOptional: true)]
        case .holdingsPut:
            [
                .asset, CommandOperand("QUANTITY", "how much, above 0"),
                CommandOperand("AVERAGE", "the average price paid, in won", isOptional: true),
            ]
        case .holdingsRemove: [.asset]
        case .cash: [CommandOperand("AMOUNT", "won, 0 or more", isOptional: true)]
        case .storeBackup: [CommandOperand("FILE", "a new file")]
        case .userAdd, .userDisable, .userEnable, .userRemove, .userExport, .userTokenNew,
            .userTokenList:
            [.user]
        case .userTokenRevoke: [CommandOperand("NUMBER", "of the token, as its list tells")]
        case .watch, .serve, .health, .doctor, .exchangeSimulate, .configShow, .keys,
            .favoritesList,
            .holdingsList,
            .storePath, .storeCheck, .migrateUp, .migrateStatus, .migrateVerify, .userList:
            []
        }
    }

    /// The settings that have a flag here.
    var settings: [Setting] {
        let source: [Setting] = [
            .exchange, .restURL, .wsURL, .caFile, .proxy, .replaySpeed, .simulatorSeed,
            .simulatorMarketsKRW, .simulatorMarketsBTC, .simulatorRate, .simulatorBookRate,
        ]
        switch self {
        case .watch: return source + [.store, .databasePool, .period, .language, .mouse]
        case .serve:
            return source + [.store, .databasePool] + Setting.serving
        case .health: return [.adminListen]
        case .doctor: return source + [.store, .databasePool]
        case .snapshot: return source + [.store, .databasePool]
        case .exchangeSimulate:
            return [
                .listen, .simulatorSeed, .simulatorMarketsKRW, .simulatorMarketsBTC,
                .simulatorRate, .simulatorBookRate,
            ]
        case .exchangeReplay: return [.listen, .replaySpeed]
        case .exchangeRecord: return source
        case .configShow: return Setting.allCases.filter { !$0.isSecret }
        case .keys: return [.language]
        case .favoritesList, .favoritesAdd, .favoritesRemove, .favoritesMove, .favoritesImport,
            .favoritesExport, .holdingsList, .holdingsPut, .holdingsRemove, .cash, .storePath,
            .storeBackup, .storeCheck, .migrateUp, .migrateStatus, .migrateVerify, .userList,
            .userAdd, .userDisable, .userEnable, .userRemove, .userExport, .userTokenNew,
            .userTokenList, .userTokenRevoke:
            return [.store]
        }
    }

    /// The settings that have no flag here, because everybody sees those: variables, and files that
    /// variables name.
    var secrets: [Setting] {
        switch self {
        case .watch, .snapshot, .doctor: [.databaseURL, .databaseSessionURL, .token]
        case .serve: [.databaseURL, .databaseSessionURL]
        case .favoritesList, .favoritesAdd, .favoritesRemove, .favoritesMove, .favoritesImport,
            .favoritesExport, .holdingsList, .holdingsPut, .holdingsRemove, .cash:
            [.databaseURL, .token]
        case .storePath, .storeBackup, .storeCheck, .migrateUp, .migrateStatus, .migrateVerify,
            .userList, .userAdd, .userDisable, .userEnable, .userRemove, .userExport,
            .userTokenNew, .userTokenList, .userTokenRevoke:
            [.databaseURL]
        case .configShow: Setting.allCases.filter(\.isSecret)
        case .health, .exchangeSimulate, .exchangeReplay, .exchangeRecord, .keys: []
        }
    }

    /// Flags of this command alone, which are no settings.
    var options: [CommandOption] {
        switch self {
        case .watch: [.orSimulated]
        case .snapshot:
            [
                .market, .documents, .tab, .quote, .sort, .direction, .period, .search, .markets,
                .offset, .limit, .depth, .group, .interval, .count, .since, .before, .at,
                .language, .state,
            ]
        case .health: [.ready]
        case .doctor: [.json]
        case .exchangeRecord: [.details, .duration, .fileBytes, .files]
        case .favoritesImport: [.replace]
        case .userRemove: [.yes]
        case .userTokenNew: [.scope, .expires]
        case .serve, .exchangeSimulate, .exchangeReplay, .configShow, .keys, .favoritesList,
            .favoritesAdd, .favoritesRemove, .favoritesMove, .favoritesExport, .holdingsList,
            .holdingsPut, .holdingsRemove, .cash, .storePath, .storeBackup, .storeCheck,
            .migrateUp, .migrateStatus, .migrateVerify, .userList, .userAdd, .userDisable,
            .userEnable, .userExport, .userTokenList, .userTokenRevoke:
            []
        }
    }
}

/// Something that stands behind a command's words.
struct CommandOperand: Sendable, Equatable {
    /// What stands for it in help texts.
    let name: String
    /// What it is, in a line.
    let summary: String
    /// Whether it may be left out; those behind it may be too.
    let isOptional: Bool

    init(_ name: String, _ summary: String, isOptional: Bool = false) {
        self.name = name
        self.summary = summary
        self.isOptional = isOptional
    }

    /// A market.
    static let market = CommandOperand("MARKET", "a market like BTC_KRW")
    /// A coin.
    static let asset = CommandOperand("ASSET", "a coin like BTC")
    /// A user.
    static let user = CommandOperand("NAME", "the name of a user; `local` in a store of one's own")

    /// `NAME`, or `[NAME]` if it may be left out.
    var spelling: String { isOptional ? "[\(name)]" : name }
}
