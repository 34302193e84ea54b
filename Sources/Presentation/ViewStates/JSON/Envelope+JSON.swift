import Domain

extension SourceViewState {
    func write(to json: inout JSONWriter) {
        json.object { json in
            json.string("exchange", exchange)
            json.string("feed", feed.rawValue)
            json.string("api", api)
        }
    }
}

extension HealthViewState {
    func write(to json: inout JSONWriter) {
        json.object { json in
            json.string("phase", phase.rawValue)
            json.time("at", at)
            json.time("staleAfter", staleAfter)
            json.string("origin", origin?.rawValue)
            json.boolean("complete", complete)
            json.key("error")
            json.optional(error) { json, error in error.write(to: &json) }
        }
    }
}

extension ErrorViewState {
    func write(to json: inout JSONWriter) {
        json.object { json in
            json.string("code", code)
            json.string("message", message)
            json.boolean("retryable", retryable)
            json.time("nextRetryAt", nextRetryAt)
        }
    }
}
