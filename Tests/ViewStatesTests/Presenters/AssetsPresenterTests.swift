import Domain
import Foundation
import TestSupport
import Testing

@testable import ViewStates

@Suite("Deposits and withdrawals show known states, their age, and unknown ones")
struct AssetsPresenterTests {
    private let presenter = AssetsPresenter(names: .sample)

    @Test("the data of the contract's example gives the example's row")
    func example() throws {
        var sample = SampleBoard()
        sample.transfers(["BTC": (true, false)])
        let document = try JSONDecoder()
            .decode(AssetsDocument.self, from: Data(PackageResources.assets_json))
        let list = presenter.present(sample.snapshot(), query: AssetsQuery())
        #expect(list.rows == document.state.rows)
        #expect(list.query == document.state.query)
        #expect(list.counts == .init(all: 1, normal: 0, suspended: 1))
    }

    @Test(
        "every state has a text in both languages and is in the spoken text",
        arguments: [
            (true, .normal, "정상", "Normal", "입금 정상", "deposit normal"),
            (false, .suspended, "중단", "Suspended", "입금 중단", "deposit suspended"),
            (nil, nil, "-", "-", "입금 정보 없음", "deposit unknown"),
        ] as [(Bool?, TransferViewState?, String, String, String, String)]
    )
    func words(
        isOpen: Bool?,
        state: TransferViewState?,
        korean: String,
        english: String,
        spoken: String,
        spokenEnglish: String
    ) throws {
        var sample = SampleBoard()
        sample.transfers(["BBB": (isOpen, true)])
        let row = try #require(
            presenter.present(sample.snapshot(), query: AssetsQuery()).rows.first
        )
        #expect(row.deposit == state && row.depositText == korean)
        #expect(row.withdrawal == .normal && row.withdrawalText == "정상")
        // Two coins bear this name.
        #expect(row.spokenText == "같은이름 (BBB), \(spoken), 출금 정상")
        var query = AssetsQuery()
        query.language = .english
        let other = try #require(presenter.present(sample.snapshot(), query: query).rows.first)
        #expect(other.depositText == english)
        #expect(other.spokenText == "Other (BBB), \(spokenEnglish), withdrawal normal")
    }

    @Test("states say that they come from API 1.x where prices come from 2.x")
    func api() {
        var sample = SampleBoard()
        sample.apply(.feed(.reads(.v2)))
        #expect(health(&sample).api == nil, "nothing was read")
        sample.transfers(["BTC": (true, true)])
        #expect(health(&sample).api == "1")
        sample.apply(.feed(.reads(.v1)))
        #expect(health(&sample).api == nil, "source.api says it")
    }

    @Test("states are unknown once API 1.x is silent and REST fails")
    func silence() {
        var sample = SampleBoard()
        sample.transfers(["BTC": (true, true)])
        let failure = FeedFailure(code: .silent, detail: "", isRetryable: true)
        let leave = ExchangeAPIUse.Leave(failure: failure, at: sample.now)
        sample.apply(
            .feed(.uses([ExchangeAPIUse(api: .v1, leave: leave), ExchangeAPIUse(api: .v2)]))
        )
        func rows() -> [AssetsViewState.Row] {
            presenter.present(sample.snapshot(), query: AssetsQuery()).rows
        }
        #expect(rows().map(\.deposit) == [.normal])
        sample.applyReference(.assetStatesFailed(.sample, nextRetryAt: sample.now))
        #expect(rows().allSatisfy { $0.deposit == nil })
        #expect(health(&sample).phase == .failed)
    }

    @Test("a list loads, is ready, turns stale after two minutes and keeps its rows")
    func health() {
        var sample = SampleBoard()
        #expect(health(&sample).phase == .loading && !health(&sample).complete)
        sample.transfers(["BTC": (true, true)])
        let readAt = sample.now
        sample.wait(.seconds(119))
        var health = health(&sample)
        #expect(health.phase == .ready && health.at == readAt && health.origin == .rest)
        #expect(health.staleAfter == readAt.advanced(by: .seconds(120)) && health.complete)
        sample.applyReference(
            .assetStatesFailed(.sample, nextRetryAt: sample.now)
        )
        health = self.health(&sample)
        #expect(health.phase == .ready && health.error?.code == "timed_out")
        sample.wait(.seconds(1))
        health = self.health(&sample)
        #expect(health.phase == .stale && health.error?.nextRetryAt != nil)
        #expect(presenter.present(sample.snapshot(), query: AssetsQuery()).rows.count == 1)
        sample.transfers(["BTC": (true, true)])
        #expect(self.health(&sample).phase == .ready && self.health(&sample).error == nil)
    }

    @Test("a failed first request is a failure; an ended recording has none")
    func failed() {
        var sample = SampleBoard()
        sample.applyReference(.assetStatesFailed(.sample, nextRetryAt: sample.now))
        #expect(health(&sample).phase == .failed)
        sample.apply(.feed(.ended))
        #expect(health(&sample).phase == .ended && health(&sample).error == nil)
    }

    @Test("the query is echoed, a blank search as null, and the exchange's names are used")
    func query() {
        var sample = SampleBoard()
        sample.transfers(["BTC": (true, true), "ETH": (false, true)])
        let names = CoinNames(["ETH": .init(symbol: "ETH", korean: "새이름", english: "New")])
        sample.applyReference(.names(names))
        var query = AssetsQuery()
        query.filter = .suspended
        query.searchText = "새"
        query.sort = .withdrawal
        query.direction = .descending
        let list = presenter.present(sample.snapshot(), query: query)
        #expect(list.rows.map(\.name.ko) == ["새이름"])
        #expect(
            list.query
                == .init(state: "suspended", q: "새", sort: "withdrawal", sortDirection: "desc")
        )
        query.searchText = " "
        #expect(presenter.present(sample.snapshot(), query: query).query.q == nil)
    }

    private func health(_ sample: inout SampleBoard) -> HealthViewState {
        presenter.present(sample.snapshot(), query: AssetsQuery()).health
    }
}
