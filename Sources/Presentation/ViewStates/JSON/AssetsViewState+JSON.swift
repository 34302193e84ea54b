extension AssetsViewState {
    /// About 250 bytes a row.
    public var jsonBytesEstimate: Int { 512 + rows.count * 250 }

    /// Writes the list, every key always there.
    public func write(to json: inout JSONBytes) {
        json.object { json in
            json.key("health")
            health.write(to: &json)
            json.key("query")
            json.object { json in
                json.string("state", query.state)
                json.string("q", query.q)
                json.string("sort", query.sort)
                json.string("sortDirection", query.sortDirection)
            }
            json.key("counts")
            json.object { json in
                json.integer("all", counts.all)
                json.integer("normal", counts.normal)
                json.integer("suspended", counts.suspended)
            }
            json.key("rows")
            json.array(rows) { json, row in row.write(to: &json) }
        }
    }
}

extension AssetsViewState.Row {
    fileprivate func write(to json: inout JSONBytes) {
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
