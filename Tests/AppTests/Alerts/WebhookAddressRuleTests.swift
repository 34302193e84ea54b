import Domain
import NetworkAddresses
import Testing

@testable import App

@Suite("The address of a webhook is https on the public internet")
struct WebhookAddressRuleTests {
    private static func refusal(
        _ url: String,
        allowing ranges: [String] = []
    ) -> WebhookAddressRefusal? {
        let rule = WebhookAddressRule(allowed: ranges.compactMap { AddressRange($0) })
        do throws(WebhookAddressRefusal) {
            try rule.check(url)
            return nil
        } catch {
            return error
        }
    }

    @Test(
        "public hosts and addresses are accepted",
        arguments: [
            "https://example.org", "https://example.org/", "HTTPS://Example.org:8443/a?b=c%20d",
            "https://example.org./hook", "https://a-b.example.org/a@b", "https://8.8.8.8/a",
            "https://134744072/", "https://0x8080808/", "https://[2606:4700:4700::1111]:443/x",
            "https://xn--o39aom.example/?q=@", "https://localhost.example.org/",
            "https://[64:ff9b::808:808]/",
        ]
    )
    func accepted(url: String) { #expect(Self.refusal(url) == nil) }

    /// Loopback, private and link-local addresses in every notation that libcurl reads.
    private static let privateHosts: [(String, String)] = [
        ("127.0.0.1", "127.0.0.1"), ("127.1", "127.0.0.1"), ("127.0.1", "127.0.0.1"),
        ("0x7f000001", "127.0.0.1"), ("0x7F.0.0.1", "127.0.0.1"), ("0x7f.1", "127.0.0.1"),
        ("2130706433", "127.0.0.1"), ("017700000001", "127.0.0.1"),
        ("0177.0.0.1", "127.0.0.1"), ("0177.0x0.1", "127.0.0.1"),
        ("127.0.0.1.", "127.0.0.1"), ("0x7f000001.", "127.0.0.1"), ("2130706433.", "127.0.0.1"),
        ("0", "0.0.0.0"), ("0.0.0.0", "0.0.0.0"), ("127.255.255.254", "127.255.255.254"),
        ("10.0.0.1", "10.0.0.1"), ("10.1", "10.0.0.1"), ("0xa000001", "10.0.0.1"),
        ("012.0.0.1", "10.0.0.1"), ("172.16.0.1", "172.16.0.1"),
        ("192.168.1.1", "192.168.1.1"), ("3232235777", "192.168.1.1"),
        ("100.64.0.1", "100.64.0.1"), ("169.254.169.254", "169.254.169.254"),
        ("0xa9fea9fe", "169.254.169.254"), ("255.255.255.255", "255.255.255.255"),
        ("[::1]", "0:0:0:0:0:0:0:1"), ("[0:0:0:0:0:0:0:1]", "0:0:0:0:0:0:0:1"),
        ("[::]", "0:0:0:0:0:0:0:0"), ("[::ffff:127.0.0.1]", "127.0.0.1"),
        ("[::ffff:7f00:1]", "127.0.0.1"), ("[::ffff:a00:1]", "10.0.0.1"),
        ("[::127.0.0.1]", "0:0:0:0:0:0:7f00:1"), ("[fe80::1]", "fe80:0:0:0:0:0:0:1"),
        ("[fd00::1]", "fd00:0:0:0:0:0:0:1"), ("[fec0::1]", "fec0:0:0:0:0:0:0:1"),
        ("[64:ff9b::7f00:1]", "64:ff9b:0:0:0:0:7f00:1"),
        ("[2002:7f00:1::]", "2002:7f00:1:0:0:0:0:0"), ("[ff02::1]", "ff02:0:0:0:0:0:0:1"),
        ("localhost", "localhost"), ("LocalHost", "localhost"), ("localhost.", "localhost"),
        ("a.localhost", "a.localhost"), ("a.LOCALHOST.", "a.localhost"),
    ]

    @Test("private addresses are refused in every notation", arguments: privateHosts)
    func notations(host: String, shown: String) {
        for url in ["https://\(host)", "https://\(host):8443/a?b", "https://\(host)/a@8.8.8.8"] {
            #expect(Self.refusal(url) == .notPublic(shown), "\(url)")
        }
    }

    @Test("an address in a listed range is accepted, and no other one", arguments: privateHosts)
    func listed(host: String, shown: String) throws {
        let range = NetworkAddress(shown) == nil ? "127.0.0.0/8" : shown
        #expect(Self.refusal("https://\(host)/", allowing: ["192.0.2.0/24", range]) == nil)
        let others = ["192.0.2.0/24", "2001:db8::/32"]
        #expect(Self.refusal("https://\(host)/", allowing: others) == .notPublic(shown))
    }

    @Test(
        "other addresses are refused with what is wrong and what to do",
        arguments: [
            ("", .notHTTPS), ("example.org", .notHTTPS), ("http://example.org", .notHTTPS),
            ("//example.org", .notHTTPS), ("ftp://example.org", .notHTTPS),
            ("https:/example.org", .notHTTPS), ("https:example.org", .notHTTPS),
            ("https://", .noHost), ("https:///a", .noHost), ("https://?a", .noHost),
            ("https://:443/", .noHost), ("https://a:port/", .noHost),
            ("https://a:70000/", .noHost), ("https://[::1", .noHost),
            ("https://[fe80::1%25eth0]/", .noHost), ("https://[::1%251]/", .noHost),
            ("https://%31%32%37.0.0.1/", .noHost), ("https://a%2eb/", .noHost),
            ("https://exa<mple.org/", .noHost), ("https://127.0.0.1../", .noHost),
            ("https://kim:pw@example.org/", .credentials),
            ("https://kim@example.org/", .credentials), ("https://@example.org/", .credentials),
            ("https://8.8.8.8@127.0.0.1/", .credentials),
            (#"https://127.0.0.1\@8.8.8.8/"#, .credentials),
            (#"https://8.8.8.8\@127.0.0.1/"#, .credentials),
            ("https://example.org/#a", .fragment), ("https://example.org#", .fragment),
            ("https://example.org#@127.0.0.1/", .fragment),
            ("https://example.org/ a", .notPrintable), (" https://example.org/", .notPrintable),
            ("https://example.org/\r\nHost: a", .notPrintable),
            ("https://example.org/\u{0}", .notPrintable),
            ("https://한글.example/", .notPrintable), ("https://１２７.0.0.1/", .notPrintable),
        ] as [(String, WebhookAddressRefusal)]
    )
    func refused(url: String, expected: WebhookAddressRefusal) {
        #expect(Self.refusal(url) == expected)
        #expect(expected.description == "\(expected.reason); \(expected.remedy)")
        #expect(expected.description.allSatisfy { !$0.isNewline })
    }

    @Test("an address has at most 2,000 bytes")
    func length() {
        let start = "https://example.org/"
        let rest = String(repeating: "a", count: Webhook.urlBytesMax - start.utf8.count)
        #expect(Self.refusal(start + rest) == nil)
        #expect(Self.refusal(start + rest + "a") == .tooLong)
    }
}
