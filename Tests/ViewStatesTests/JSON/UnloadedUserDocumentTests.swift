import Domain
import UseCases
import ViewStates
import TestSupport
import Testing

@Suite("Documents of unloaded user data have no amounts and no rows")
struct UnloadedUserDocumentTests {
    private static let away = StoreFailure(.unavailable, "away")
    private static let revoked = StoreFailure(.unauthorized, "revoked")
    private static let noToken = StoreFailure(.noToken, "no token")

    private func text(
        _ query: UserDocumentQuery,
        _ status: StoreStatus
    ) -> String {
        var sample = SampleBoard()
        sample.list(.krw, [.sample("BTC_KRW", price: "100", tradeValue: "1", "-1.34")])
        sample.list(.btc, [])
        sample.apply(.feed(.live))
        let user = UserState(
            user: .tokenOwner,
            record: UserRecord(name: "local"),
            status: status,
            sequence: 1
        )
        let producers = UserDocumentProducers(
            personal: UserStatePublisher(user),
            lists: MarketListPresenter(names: .sample),
            latest: SnapshotPublisher(sample.snapshot()),
            scopes: [.read],
            epoch: "e"
        )
        return String(decoding: producers.bytes(query).bytes, as: UTF8.self)
    }

    @Test(
        "an unloaded portfolio has the store's state and error, and no amounts",
        arguments: [
            (StoreStatus.opening, "\"phase\":\"loading\"", "\"error\":null"),
            (.waiting(away), "\"phase\":\"failed\"", "\"code\":\"unavailable\""),
            (.waiting(revoked), "\"phase\":\"failed\"", "\"code\":\"unauthorized\""),
            (.waiting(noToken), "\"phase\":\"failed\"", "\"code\":\"no_token\""),
            (.failing(revoked), "\"phase\":\"failed\"", "\"code\":\"unauthorized\""),
        ]
    )
    func portfolio(status: StoreStatus, phase: String, error: String) {
        let text = text(.portfolio(.korean), status)
        #expect(text.contains(phase) && text.contains(error))
        #expect(text.contains(#""complete":false"#))
        let cash = #""cash":{"amount":null,"amountText":null,"sharePercent":null}"#
        #expect(text.contains(cash + #","rows":[]"#))
        #expect(text.contains(#""totals":{"value":null,"valueText":null,"cost":null"#))
    }

    @Test("a loaded portfolio without holdings has a total of zero and is ready")
    func read() {
        let text = text(.portfolio(.korean), .ready)
        let cash = #""cash":{"amount":null,"amountText":null,"sharePercent":null}"#
        #expect(text.contains(#""phase":"ready""#) && text.contains(cash))
        #expect(text.contains(#""totals":{"value":"0","valueText":"0","cost":null"#))
    }

    @Test(
        "an unloaded list of favorites is loading or failed; only a loaded one has no favorites",
        arguments: [
            (StoreStatus.opening, "\"phase\":\"loading\"", "\"emptyReason\":\"loading\""),
            (.waiting(away), "\"phase\":\"failed\"", "\"emptyReason\":\"error\""),
            (.ready, "\"phase\":\"ready\"", "\"emptyReason\":\"noFavorites\""),
        ]
    )
    func favoritesList(status: StoreStatus, phase: String, reason: String) {
        var query = MarketListQuery()
        query.tab = .favorites
        let text = text(.marketList(query), status)
        #expect(text.contains(phase) && text.contains(reason))
    }

    @Test("unloaded stored documents are null and have the revision `unread`")
    func stored() {
        for query in [UserDocumentQuery.favorites, .holdings] {
            let unread = text(query, .waiting(Self.away))
            #expect(unread.contains(#""revision":"u0-unread","state":{"rows":null}"#))
            #expect(text(query, .ready).contains(#""revision":"u0-0","state":{"rows":[]}"#))
        }
        #expect(text(.cash, .opening).contains(#""revision":"u0-unread","state":{"amount":null}"#))
    }
}
