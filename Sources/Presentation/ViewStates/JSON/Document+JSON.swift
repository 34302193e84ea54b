extension Document {
    /// The document as JSON: one line, every key always there.
    public var json: [UInt8] {
        var json = JSONWriter(capacity: 512 + state.estimatedJSONSize)
        json.object { json in
            json.string("schema", schema)
            json.integer("version", version)
            json.string("revision", revision)
            json.time("asOf", asOf)
            json.key("source")
            source.write(to: &json)
            json.key("state")
            state.write(to: &json)
        }
        return json.bytes
    }
}
