import Compression
import NetworkAddresses
import Testing

@testable import PresentationHTTP
@testable import WebPage

@Suite("The page in a browser", .tags(.threads))
struct PageTests {
    private static let page = WebPage()

    @Test(
        "each address of the page answers with the same document, which is revalidated",
        arguments: ["/", "/m/BTC_KRW", "/m/%3Cb%3E", "/deposits", "/portfolio", "/alerts", "/?q=1"]
    )
    func index(path: String) throws {
        let markets = try MarketServiceFixture()
        let answer = try markets.served.ask("GET", path)
        #expect(answer.status == 200)
        #expect(answer.fields["content-type"] == "text/html; charset=utf-8")
        #expect(answer.fields["cache-control"] == "no-cache")
        #expect(answer.body == Self.page.index.bytes)
        let tag = try #require(answer.fields["etag"])
        let again = try markets.served.ask("GET", path, fields: ["If-None-Match": tag])
        #expect(again.status == 304)
    }

    @Test("each file of the page is kept for ever by its address, plain or compressed")
    func files() throws {
        let markets = try MarketServiceFixture()
        for file in Self.page.files {
            let path = "/web/\(Self.page.build)/\(file.name)"
            let plain = try markets.served.ask("GET", path)
            #expect(plain.status == 200 && plain.body == file.bytes, "\(file.name)")
            #expect(plain.fields["content-type"] == file.mediaType)
            #expect(plain.fields["cache-control"] == "public, max-age=31536000, immutable")
            let packed = try markets.served.ask("GET", path, fields: ["Accept-Encoding": "gzip"])
            #expect(packed.fields["content-encoding"] == "gzip")
            #expect(Gzip.decompressed(packed.body, bytesMax: 1 << 20) == file.bytes)
            #expect(packed.fields["etag"] != plain.fields["etag"])
        }
    }

    @Test("all files of the page have less than 300 kB when compressed")
    func size() {
        let bytes = (Self.page.files + [Self.page.index]).map { Gzip.compressedDocument($0.bytes) }
        #expect(bytes.map(\.count).reduce(0, +) < 300_000)
    }

    @Test("the browser is told to load and run nothing else")
    func fields() throws {
        let markets = try MarketServiceFixture()
        for path in ["/", "/web/\(Self.page.build)/hoga.js"] {
            let answer = try markets.served.ask("GET", path)
            let policy = try #require(answer.fields["content-security-policy"])
            #expect(
                Set(policy.split(separator: "; ")) == [
                    "default-src 'none'", "script-src 'self'", "style-src 'self'",
                    "connect-src 'self'", "img-src 'self' data:", "base-uri 'none'",
                    "form-action 'none'", "frame-ancestors 'none'",
                    "require-trusted-types-for 'script'",
                ]
            )
            #expect(answer.fields["cross-origin-opener-policy"] == "same-origin")
            #expect(answer.fields["cross-origin-resource-policy"] == "same-origin")
            #expect(answer.fields["x-content-type-options"] == "nosniff")
            #expect(answer.fields["referrer-policy"] == "no-referrer")
            #expect(answer.fields["set-cookie"] == nil)
        }
    }

    @Test("a file of another build, and an unknown one, are not found")
    func unknown() throws {
        let markets = try MarketServiceFixture()
        for path in [
            "/web/0/hoga.js", "/web/\(Self.page.build)/x.js", "/web/hoga.js", "/index.html",
        ] {
            #expect(try markets.served.ask("GET", path).status == 404, "\(path)")
        }
        #expect(try markets.served.ask("POST", "/").status == 405)
    }

    @Test("the page needs no token where data need one, and can be taken away")
    func access() throws {
        var rules = ServiceConfiguration.sample
        rules.requiresToken = true
        let closed = try MarketServiceFixture(rules: rules)
        #expect(try closed.served.ask("GET", "/").status == 200)
        #expect(try closed.served.ask("GET", "/v1/markets").status != 200)
        rules.servesPage = false
        let without = try MarketServiceFixture(rules: rules)
        for path in ["/", "/portfolio", "/web/\(Self.page.build)/hoga.js"] {
            #expect(try without.served.ask("GET", path).status == 404, "\(path)")
        }
    }

    @Test("the build changes with any file's name or content, and stands in the document")
    func build() {
        func page(_ files: (String, String)...) -> WebPage {
            WebPage(files.map { (name: $0.0, bytes: Array($0.1.utf8)) })
        }
        let pages = [
            page(("index.html", "{build}"), ("a.js", "1")),
            page(("index.html", "{build}"), ("a.js", "2")),
            page(("index.html", "{build}"), ("b.js", "1")),
            page(("index.html", "{build} "), ("a.js", "1")),
        ]
        #expect(Set(pages.map(\.build)).count == pages.count)
        #expect(
            pages.allSatisfy { String(decoding: $0.index.bytes, as: UTF8.self).contains($0.build) }
        )
        let same = page(("a.js", "1"), ("index.html", "{build}"))
        #expect(same.build == pages[0].build && same.files.map(\.name) == ["a.js"])
    }

    @Test("the chart library has the version that is told")
    func chart() throws {
        let file = try #require(Self.page.files.first { $0.name == "lightweight-charts.js" })
        let head = String(decoding: file.bytes.prefix(300), as: UTF8.self)
        #expect(head.contains("Lightweight Charts™ v\(WebPage.chartVersion)\n"))
    }
}
