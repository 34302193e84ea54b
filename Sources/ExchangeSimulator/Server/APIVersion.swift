/// The versions of the exchange's API, each with REST calls and a stream of its own.
public enum APIVersion: String, Sendable, Hashable, Codable, CaseIterable {
    /// API 1.x: `/public/…` and the stream at `/pub/ws`.
    case v1 = "1.x"
    /// API 2.x: `/v1/…` and the stream at `/websocket/v1`.
    case v2 = "2.x"

    /// The path of the stream.
    var streamPath: String {
        switch self {
        case .v1: "/pub/ws"
        case .v2: "/websocket/v1"
        }
    }

    /// The version whose REST calls have this path; nil for the simulator's own paths.
    static func ofREST(path: String) -> APIVersion? {
        if path.hasPrefix("/public/") { return .v1 }
        return path.hasPrefix("/v1/") ? .v2 : nil
    }
}
