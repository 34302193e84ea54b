extension UserWriteDTO {
    /// What the journal calls it: see ``JournalDTO/kind``.
    public var kind: String {
        switch self {
        case .addFavorite: "favorite.add"
        case .removeFavorite: "favorite.remove"
        case .moveFavorite: "favorite.move"
        case .replaceFavorites: "favorite.replace"
        case .putSettings: "settings.put"
        case .putHolding: "holding.put"
        case .removeHolding: "holding.remove"
        case .putCash: "cash.put"
        case .putDisplayName: "profile.put"
        }
    }

    /// The market or the coin that it is about; nil where the kind says it all.
    public var subject: String? {
        switch self {
        case .addFavorite(let market, _), .removeFavorite(let market), .moveFavorite(let market, _):
            market
        case .putHolding(let holding, _): holding.asset
        case .removeHolding(let asset): asset
        case .replaceFavorites, .putSettings, .putCash, .putDisplayName: nil
        }
    }
}
