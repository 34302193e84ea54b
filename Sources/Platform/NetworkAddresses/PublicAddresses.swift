/// Which addresses belong to the public internet: globally reachable and of a single host.
///
/// Source: IANA's registries of special-purpose addresses for IPv4 and IPv6.
public enum PublicAddresses: Sendable {
    /// Whether an address is public.
    ///
    /// An IPv4 address inside an IPv6 address decides where a translator sends the packets on
    /// (`64:ff9b::/96`, RFC 6052). Tunnels that hold one (6to4, Teredo) are never public.
    public static func contains(_ address: NetworkAddress) -> Bool {
        if !address.isIPv4, translated.contains(address) {
            return contains(NetworkAddress(ipv6: 0xffff << 32 | address.bits & 0xffff_ffff))
        }
        if address.isIPv4 { return !specialIPv4.contains { $0.contains(address) } }
        return unicast.contains(address) && !specialIPv6.contains { $0.contains(address) }
    }

    private static let translated = range("64:ff9b::/96")
    /// The only IPv6 addresses that are assigned to hosts of the internet.
    private static let unicast = range("2000::/3")

    private static let specialIPv4 = [
        "0.0.0.0/8",  // this network
        "10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16",  // private
        "100.64.0.0/10",  // shared by customers of a provider
        "127.0.0.0/8",  // loopback
        "169.254.0.0/16",  // link-local, among them the metadata services of clouds
        "192.0.0.0/24",  // protocol assignments
        "192.0.2.0/24", "198.51.100.0/24", "203.0.113.0/24",  // documentation
        "192.88.99.0/24",  // former 6to4 relays
        "198.18.0.0/15",  // benchmarks
        "224.0.0.0/4",  // multicast
        "240.0.0.0/4",  // reserved, and broadcast
    ].map(range)

    private static let specialIPv6 = [
        "2001::/23",  // protocol assignments, among them Teredo
        "2001:db8::/32", "3fff::/20",  // documentation
        "2002::/16",  // 6to4
    ].map(range)

    private static func range(_ text: String) -> AddressRange {
        guard let range = AddressRange(text) else {
            preconditionFailure("\(text) is no range of addresses.")
        }
        return range
    }
}
