/// Where the exchange answers, when nothing else is configured.
///
/// Source: <https://apidocs.bithumb.com>, API v1.2.0, seen 2026-11.
public enum BithumbAddresses: Sendable {
    /// The base of all REST addresses.
    public static let rest = "https://api.bithumb.com"
    /// The public WebSocket of API 1.x.
    public static let streamV1 = "wss://pubwss.bithumb.com/pub/ws"
}
