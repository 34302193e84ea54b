extension ProblemDocument {
    /// The problem as JSON; `parameter` and `allowed` only where they belong.
    public var json: [UInt8] {
        var json = JSONWriter(capacity: 512)
        json.object { json in
            json.string("type", type)
            json.string("title", title)
            json.integer("status", status)
            json.string("detail", detail)
            json.string("code", code)
            if let parameter { json.string("parameter", parameter) }
            if let allowed {
                json.key("allowed")
                json.array(allowed) { $0.string($1) }
            }
            json.boolean("retryable", retryable)
            json.string("requestId", requestID)
        }
        return json.bytes
    }
}
