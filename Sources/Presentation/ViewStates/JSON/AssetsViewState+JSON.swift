extension AssetsViewState {
    /// About 250 bytes a row.
    public var estimatedJSONSize: Int { 512 + rows.count * 250 }

    /// Writes the list, every key always there.
    public func write(to json: inout JSONWriter) {
        json.object { json in
            json.key("health")
            health.write(to: &json)
            json.key("query")
            query.write(to: &json)
            json.key("counts")
            counts.write(to: &json)
            json.key("rows")
            json.array(rows) { json, row in row.write(to: &json) }
        }
    }
}

extension AssetsViewState.Query {
    func write(to json: inout JSONWriter) {
        json.object { json in
            json.string("state", state)
            json.string("q", q)
            json.string("sort", sort)
            json.string("sortDirection", sortDirection)
        }
    }
}

extension AssetsViewState.Counts {
    func write(to json: inout JSONWriter) {
        json.object { json in
            json.integer("all", all)
            json.integer("normal", normal)
            json.integer("suspended", suspended)
        }
    }
}

extension AssetsViewState.Row {
    func write(to json: inout JSONWriter) {
        json.object { json in
            json.string("asset", asset)
            json.key("name")
            name.write(to: &json)
            json.string("deposit", deposit?.rawValue)
            json.string("withdrawal", withdrawal?.rawValue)
            json.string("depositText", depositText)
            json.string("withdrawalText", withdrawalText)
            json.string("spokenText", spokenText)
        }
    }
}
