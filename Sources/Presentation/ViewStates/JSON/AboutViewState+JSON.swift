extension AboutViewState {
    /// About 300 bytes a library.
    public var estimatedJSONSize: Int { 1_024 + licenses.count * 300 }

    /// Writes the page, every key always there; limits in the order of their names.
    public func write(to json: inout JSONWriter) {
        json.object { json in
            json.string("version", version)
            json.string("commit", commit)
            json.key("limits")
            json.object { json in
                for (name, limit) in limits.sorted(by: { $0.key < $1.key }) {
                    json.integer(name, limit)
                }
            }
            json.key("licenses")
            json.array(licenses) { json, license in
                json.object { json in
                    json.string("name", license.name)
                    json.string("version", license.version)
                    json.string("license", license.license)
                    json.string("text", license.text)
                }
            }
            json.key("authors")
            json.array(authors) { $0.string($1) }
            json.string("notice", notice)
        }
    }
}
