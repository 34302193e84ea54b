import Domain

extension StoredDocument {
    /// The document as JSON: one line, every key always there.
    public var json: [UInt8] {
        var json = JSONWriter(capacity: 128 + state.estimatedJSONSize)
        json.object { json in
            json.string("schema", schema)
            json.integer("version", version)
            json.string("revision", revision)
            json.key("state")
            state.write(to: &json)
        }
        return json.bytes
    }
}

extension SettingsViewState {
    /// A few hundred bytes.
    public var estimatedJSONSize: Int { 512 }

    /// Writes the settings, every key always there.
    public func write(to json: inout JSONWriter) {
        json.object { json in
            json.string("sort", sort)
            json.string("sortDirection", sortDirection)
            json.string("quote", quote)
            json.string("tab", tab)
            json.boolean("pinFavorites", pinFavorites)
            json.string("changePeriod", changePeriod)
            json.string("interval", interval)
            json.string("chartStyle", chartStyle)
            json.key("averages")
            json.array(averages) { $0.integer($1) }
            json.integer("depth", depth)
            json.string("theme", theme)
            json.string("colors", colors)
            json.string("lang", lang)
        }
    }
}

extension FavoritesViewState {
    /// About 45 bytes a row.
    public var estimatedJSONSize: Int { 32 + (rows?.count ?? 0) * 45 }

    /// Writes the favourites in order.
    public func write(to json: inout JSONWriter) {
        json.object { json in
            json.key("rows")
            json.optional(rows) { json, rows in
                json.array(rows) { json, row in
                    json.object { json in
                        json.string("market", row.market)
                        json.integer("position", row.position)
                    }
                }
            }
        }
    }
}

extension HoldingsViewState {
    /// About 80 bytes a row.
    public var estimatedJSONSize: Int { 32 + (rows?.count ?? 0) * 80 }

    /// Writes the holdings, every key always there.
    public func write(to json: inout JSONWriter) {
        json.object { json in
            json.key("rows")
            json.optional(rows) { json, rows in
                json.array(rows) { json, row in
                    json.object { json in
                        json.string("asset", row.asset)
                        json.decimal("quantity", row.quantity)
                        json.decimal("averagePrice", row.averagePrice)
                    }
                }
            }
        }
    }
}

extension CashViewState {
    /// A few dozen bytes.
    public var estimatedJSONSize: Int { 64 }

    /// Writes the amount, null if it is not known.
    public func write(to json: inout JSONWriter) {
        json.object { $0.decimal("amount", amount) }
    }
}

extension ProfileViewState {
    /// A name of the greatest length is some 400 bytes.
    public var estimatedJSONSize: Int { 512 }

    /// Writes the user, every key always there.
    public func write(to json: inout JSONWriter) {
        json.object { json in
            json.string("name", name)
            json.string("displayName", displayName)
            json.key("scopes")
            json.array(scopes) { $0.string($1.rawValue) }
        }
    }
}
