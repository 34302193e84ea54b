import JSON

/// The examples of the description: whole documents, embedded in the program.
enum OpenAPIExamples {
    /// The example of a route's response; nil without one.
    static func example(_ target: Route.Target, _ method: Route.Method) -> JSONValue? {
        switch target {
        case .marketList: .encoded(PackageResources.market_list_json)
        case .detail(let kind): detail(kind)
        case .assets: .encoded(PackageResources.assets_json)
        case .snapshot: .encoded(PackageResources.snapshot_json)
        // The response's description has one: a media type example cannot hold events.
        case .stream, .personal(.stream): nil
        case .about: .encoded(PackageResources.about_json)
        case .openAPI, .page: nil
        case .personal(.tokens) where method == .post: .encoded(PackageResources.token_json)
        case .personal(.webhook): .encoded(Array((method == .put ? newWebhook : webhook).utf8))
        case .personal(.alerts) where method == .post, .personal(.alert):
            .encoded(PackageResources.alert_json)
        case .personal(let resource): personal(resource)
        }
    }

    private static func detail(_ kind: DetailDocumentKind) -> JSONValue {
        switch kind {
        case .marketDetail: .encoded(PackageResources.market_detail_json)
        case .orderBook: .encoded(PackageResources.order_book_json)
        case .trades: .encoded(PackageResources.trades_json)
        case .candles: .encoded(PackageResources.candles_json)
        }
    }

    private static func personal(_ resource: PersonalResource) -> JSONValue? {
        switch resource {
        case .me: .encoded(PackageResources.me_json)
        case .markets: .encoded(PackageResources.personal_market_list_json)
        case .favorites: .encoded(PackageResources.favorites_json)
        case .settings: .encoded(PackageResources.settings_json)
        case .holdings: .encoded(PackageResources.holdings_json)
        case .cash: .encoded(PackageResources.cash_json)
        case .portfolio: .encoded(PackageResources.portfolio_json)
        case .alerts: .encoded(PackageResources.alerts_json)
        case .alertLog: .encoded(PackageResources.alert_log_json)
        case .tokens: .encoded(PackageResources.tokens_json)
        case .favorite, .holding, .alert, .webhook, .token, .stream: nil
        }
    }

    private static let webhook = #"""
        {
          "schema": "webhook",
          "version": 1,
          "revision": "u4-5b1f0c9a7d3e2486-0",
          "state": {
            "url": "https://example.com/alerts", "createdAt": "2026-11-20T21:00:00.000000+09:00",
            "lastSuccessAt": "2026-11-21T08:15:42.100000+09:00",
            "lastFailure": {"at": "2026-11-21T08:15:36.400000+09:00",
              "reason": "the receiver answered with status 503"},
            "pending": 1, "dropped": 0,
            "deadLetters": [
              {"id": "12", "at": "2026-11-21T07:58:03.200000+09:00", "attempts": 31,
                "reason": "no whole answer within 10 s"}
            ]
          }
        }
        """#

    private static let newWebhook = #"""
        {
          "schema": "new-webhook",
          "version": 1,
          "revision": "u4-81d7e20c6f5a94b3-0",
          "state": {
            "url": "https://example.com/alerts", "createdAt": "2026-11-20T21:00:00.000000+09:00",
            "lastSuccessAt": null, "lastFailure": null, "pending": 0, "dropped": 0,
            "deadLetters": [], "secret": "whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYX"
          }
        }
        """#

    /// Example events of a list's stream, as Markdown.
    static let events = """


        ```
        retry: 2731

        event: patch
        id: k3v9x2-1843
        data: {"asOf":"2026-11-20T21:03:11.200000+09:00","patches":[{"path":"rows",\
        "upsert":[],"remove":["OLD_KRW"],"insert":"last","order":null}]}

        event: bookmark
        id: k3v9x2-1907
        data: {}
        ```
        """
}
