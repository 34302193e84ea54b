import Domain
import Testing

@testable import PresentationHTTP

@Suite("Route table")
struct RouteTests {
    @Test("every template matches its paths and returns the placeholder")
    func templates() throws {
        for route in Route.all + Route.page {
            let path = route.template.replacing("{market}", with: "BTC_KRW")
                .replacing("{asset}", with: "BTC").replacing("{number}", with: "3")
                .replacing("{id}", with: "7").replacing("{build}", with: "0a")
                .replacing("{file}", with: "page.js")
            let found = try #require(Route.find(path), "\(path)")
            #expect(found.route == route)
            let places = [
                "{market}": "BTC_KRW", "{asset}": "BTC", "{number}": "3", "{id}": "7",
                "{file}": "page.js",
            ]
            let place = places.first { route.template.contains($0.key) }?.value
            #expect(found.place == place)
        }
        let templates = (Route.all + Route.page).map(\.template)
        #expect(Set(templates).count == templates.count)
    }

    @Test(
        "other paths match no route",
        arguments: [
            "", "//", "/m/", "/m/BTC_KRW/x", "/web/page.js", "/web/0a/x/y", "/v1", "/v1/",
            "/v1/markets/", "/v1/markets//orderbook", "/v1//markets",
            "/v1/markets/BTC_KRW/", "/v1/markets/BTC_KRW/orderbook/", "/v1/markets/{market}/x",
            "/v1/me/", "/v1/me/favorites/", "/v1/me/holdings/a/b", "v1/markets",
            "/v1/../v1/markets", "/v1/markets/BTC_KRW/\u{301}x", "/m/BTC_KRW/\u{301}",
        ]
    )
    func unknown(path: String) {
        #expect(Route.find(path) == nil)
    }

    @Test("routes have the contract's methods, and HEAD wherever GET is")
    func methods() throws {
        let expected = [
            "/v1/markets": "GET, HEAD", "/v1/stream": "GET, HEAD", "/v1/me": "GET, HEAD, PATCH",
            "/v1/me/favorites": "GET, HEAD, PUT", "/v1/me/favorites/{market}": "PUT, DELETE",
            "/v1/me/settings": "GET, HEAD, PATCH", "/v1/me/holdings": "GET, HEAD",
            "/v1/me/holdings/{asset}": "PUT, DELETE", "/v1/me/cash": "GET, HEAD, PUT, DELETE",
            "/v1/me/tokens": "GET, HEAD, POST", "/v1/me/tokens/{number}": "DELETE",
            "/v1/me/alerts": "GET, HEAD, POST", "/v1/me/alerts/{id}": "PUT, DELETE",
            "/v1/me/alerts/log": "GET, HEAD, PATCH",
            "/v1/me/webhook": "GET, HEAD, PUT, DELETE",
            "/v1/me/portfolio": "GET, HEAD", "/v1/me/stream": "GET, HEAD",
        ]
        for (template, allow) in expected {
            let route = try #require(Route.all.first { $0.template == template })
            #expect(route.allow == allow, "\(template)")
        }
    }

    @Test("users' routes need a token, openapi.json never does")
    func access() {
        for route in Route.all {
            let expected: Route.Access =
                route.template.hasPrefix("/v1/me")
                ? .user : route.template == "/openapi.json" ? .anyone : .data
            #expect(route.access == expected, "\(route.template)")
        }
        for route in Route.page { #expect(route.access == .anyone, "\(route.template)") }
        #expect(Route.Method.allCases.filter { $0.scope == .read } == [.get])
    }

    @Test("no route repeats a parameter")
    func parameters() {
        for route in Route.all {
            #expect(Set(route.parameterNames).count == route.parameterNames.count)
        }
    }
}
