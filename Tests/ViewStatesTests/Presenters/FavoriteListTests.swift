import Domain
import ViewStates
import TestSupport
import Testing

@Suite("A list of favorites has the user's order and every favorite")
struct FavoriteListTests {
    private let favorites: [MarketID] = ["XRP_KRW", "ETH_BTC", "GONE_KRW", "BTC_KRW"]

    @Test("favorites are in the user's order, each with its position")
    func order() {
        let list = present(Self.query, .live())
        #expect(list.rows.map(\.market) == favorites.map(\.name))
        #expect(list.rows.map(\.favorite?.position) == [1, 2, 3, 4])
        #expect(list.total == 4 && list.filtered == 4 && list.emptyReason == nil)
        #expect(list.query.tab == "favorites" && list.query.quote == nil)
        #expect(list.query.sort == nil && list.query.sortDirection == nil)
    }

    @Test("favorites can be sorted, searched and windowed, and keep their positions")
    func sorted() {
        var query = Self.query
        query.sort = .popularity
        var list = present(query, .live())
        #expect(list.rows.map(\.symbol) == ["BTC", "ETH", "XRP", "GONE"])
        #expect(list.rows.map(\.favorite?.position) == [4, 2, 1, 3])
        #expect(list.query.sort == "popularity" && list.query.sortDirection == "desc")
        query = Self.query
        query.searchText = "비트"
        list = present(query, .live())
        #expect(list.rows.map(\.symbol) == ["BTC"] && list.total == 4 && list.filtered == 1)
        query.searchText = "없는코인"
        #expect(present(query, .live()).emptyReason == .noMatch)
        query = Self.query
        query.offset = 1
        query.limit = 2
        #expect(present(query, .live()).rows.map(\.symbol) == ["ETH", "GONE"])
    }

    @Test("favorites can be filtered by quote currency and by name")
    func selected() {
        var query = Self.query
        query.quote = .btc
        #expect(present(query, .live()).rows.map(\.market) == ["ETH_BTC"])
        query.quote = nil
        query.markets = ["BTC_KRW", "ETH_KRW", "XRP_KRW"]
        #expect(present(query, .live()).rows.map(\.market) == ["XRP_KRW", "BTC_KRW"])
    }

    @Test("an unlisted favorite stays as suspended; before the first listing it is not suspended")
    func gone() throws {
        let row = try #require(present(Self.query, .live()).rows.first { $0.symbol == "GONE" })
        #expect(row.marks.state == .suspended && row.price == nil && !row.noTrade)
        #expect(row.spokenText == "GONE, 현재가 없음, 변동률 없음, 거래금액 없음, 거래중단")
        var sample = SampleBoard()
        #expect(present(Self.query, sample).rows.isEmpty)
        #expect(present(Self.query, sample).emptyReason == .loading)
        let close = StoredPrice(
            market: "GONE_KRW",
            price: "7",
            at: sample.now,
            tradeValue24h: nil
        )
        sample.applyReference(.closes([close], of: .live))
        let stored = present(Self.query, sample).rows
        // A favorite without stored data still has a row, so that it can be removed.
        #expect(stored.map(\.symbol) == ["XRP", "ETH", "GONE", "BTC"])
        #expect(stored.map(\.price) == [nil, nil, "7", nil])
        #expect(stored.allSatisfy { $0.marks.state == .trading })
        sample.list(.krw, [.sample("BTC_KRW", price: "1", tradeValue: nil, nil)])
        let listed = present(Self.query, sample).rows
        #expect(listed.map(\.symbol) == ["XRP", "GONE", "BTC"])
        #expect(listed.map(\.marks.state) == [.suspended, .suspended, .trading])
        #expect(listed[1].price == "7")
        // The public list leaves it out.
        let query = MarketListQuery()
        #expect(present(query, sample).rows.map(\.symbol) == ["BTC"])
    }

    @Test("other lists of the user mark favorite rows; public lists have no marks")
    func marked() {
        let query = MarketListQuery()
        let list = present(query, .live())
        #expect(list.rows.map(\.symbol) == ["BTC", "ETH", "XRP", "NEW"])
        #expect(
            list.rows.map(\.favorite) == [
                .init(position: 4), .init(position: nil), .init(position: 1),
                .init(position: nil),
            ]
        )
        var sample = SampleBoard.live()
        let snapshot = sample.snapshot()
        let rows = MarketListPresenter(names: .sample).present(
            snapshot,
            query: query,
            list: query.listMarkets(snapshot.board, names: .sample, now: snapshot.capturedAt),
            ranks: PopularityRanks(snapshot.board, names: .sample, now: snapshot.capturedAt)
        ).rows
        #expect(rows.allSatisfy { $0.favorite == nil } && rows.count == 4)
    }

    @Test("a list without favorites has that as its empty reason in any state of the feed")
    func none() {
        for sample in [SampleBoard.live(), SampleBoard()] {
            let list = present(Self.query, sample, favorites: [])
            #expect(list.rows.isEmpty && list.emptyReason == .noFavorites && list.total == 0)
        }
    }

    private static let query: MarketListQuery = {
        var query = MarketListQuery()
        query.tab = .favorites
        query.quote = nil
        query.sort = nil
        return query
    }()

    private func present(
        _ query: MarketListQuery,
        _ sample: SampleBoard,
        favorites: [MarketID]? = nil
    ) -> MarketListViewState {
        var sample = sample
        let snapshot = sample.snapshot()
        let favorites = favorites ?? self.favorites
        return MarketListPresenter(names: .sample).present(
            snapshot,
            query: query,
            list: query.listMarkets(favorites: favorites)(
                snapshot.board,
                names: .sample,
                now: snapshot.capturedAt
            ),
            ranks: PopularityRanks(snapshot.board, names: .sample, now: snapshot.capturedAt),
            favorites: favorites
        )
    }
}
