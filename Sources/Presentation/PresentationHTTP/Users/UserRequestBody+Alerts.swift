import Domain
import JSON

extension UserRequestBody {
    /// `{"rule": text}`.
    func alertRule() throws(Problem) -> String {
        try check(known: ["rule"], needed: ["rule"])
        let allowed = ["a rule of at most \(AlertRequest.ruleLengthMax) characters"]
        guard case .string(let text) = self["rule"] else {
            throw Self.wrongKind("rule", self["rule"], allowed)
        }
        guard text.unicodeScalars.count <= AlertRequest.ruleLengthMax else {
            throw .invalidParameter("rule", "is too long", allowed: allowed)
        }
        return text
    }

    /// `{"seenThrough": id}`; 0 is before the first alert.
    func seenThrough() throws(Problem) -> Int64 {
        try check(known: ["seenThrough"], needed: ["seenThrough"])
        let allowed = ["the id of an alert, e.g. \"12\""]
        guard case .string(let text) = self["seenThrough"] else {
            throw Self.wrongKind("seenThrough", self["seenThrough"], allowed)
        }
        guard let number = text == "0" ? 0 : Int64(canonical: text) else {
            throw .invalidParameter("seenThrough", "is not the id of an alert", allowed: allowed)
        }
        return number
    }

    /// `{"url": text}`.
    func webhookURL() throws(Problem) -> String {
        try check(known: ["url"], needed: ["url"])
        guard case .string(let text) = self["url"] else {
            throw Self.wrongKind("url", self["url"], Self.webhookURLs)
        }
        guard text.utf8.count <= Webhook.urlBytesMax else {
            throw .invalidParameter("url", "is too long", allowed: Self.webhookURLs)
        }
        return text
    }

    /// What the address of a webhook may be.
    static let webhookURLs = [
        "an https URL of at most \(Webhook.urlBytesMax) bytes, e.g. https://example.com/alerts"
    ]
}
