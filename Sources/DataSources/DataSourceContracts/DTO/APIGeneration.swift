/// A generation of the exchange's API; both are served by one REST host, each has its own stream.
public enum APIGeneration: String, Sendable, Hashable, CaseIterable {
    /// API 1.x: REST below `/public`, markets named `BTC_KRW`.
    case v1 = "1"
    /// API 2.x: REST below `/v1`, markets named `KRW-BTC`.
    case v2 = "2"
}
