import DataSourceContracts
import Domain
import TestSupport
import Testing
import UseCases

@testable import Repositories

@Suite("Asset states are read each minute while there is an interest")
struct LiveReferenceFeedAssetsTests {
    private static let failure = DataSourceError(.httpStatus(503), "HTTP status 503")

    private var bitcoin: Asset { Asset(of: "BTC_KRW") }

    @Test("without an interest nothing is read; several share one request")
    func interest() async throws {
        let bench = ReferenceFeedHarness()
        try await bench.drive {
            bench.tasks.advance(by: .seconds(600))
            #expect(bench.assetTimes.isEmpty)
            let first = bench.interests.enter()
            let second = bench.interests.enter()
            bench.tasks.advance(by: .seconds(150))
            let start = Duration.seconds(600)
            #expect(bench.assetTimes == [start, start + .seconds(60), start + .seconds(120)])
            #expect(bench.reference.assets[bitcoin]?.isDepositOpen == true)
            #expect(bench.reference.assets.readAt == .noon(720))
            first?.release()
            bench.tasks.advance(by: .seconds(40))
            #expect(bench.assetTimes.count == 4)
            second?.release()
            bench.tasks.advance(by: .seconds(600))
            #expect(bench.assetTimes.count == 4)
        }
    }

    @Test("a new interest within the minute waits for its end, a later one does not")
    func comingBack() async throws {
        let bench = ReferenceFeedHarness()
        try await bench.drive {
            bench.interests.enter()?.release()
            bench.tasks.settle()
            let first = bench.interests.enter()
            bench.tasks.advance(by: .seconds(10))
            first?.release()
            bench.tasks.advance(by: .seconds(20))
            let second = bench.interests.enter()
            bench.tasks.advance(by: .seconds(29))
            #expect(bench.assetTimes == [.zero])
            bench.tasks.advance(by: .seconds(1))
            #expect(bench.assetTimes == [.zero, .seconds(60)])
            second?.release()
            bench.tasks.advance(by: .seconds(61))
            let third = bench.interests.enter()
            bench.tasks.settle()
            #expect(bench.assetTimes == [.zero, .seconds(60), .seconds(121)])
            third?.release()
        }
    }

    @Test("a short interest counts until it expires")
    func glance() async throws {
        let bench = ReferenceFeedHarness()
        try await bench.drive {
            bench.interests.touch(now: bench.now)
            bench.tasks.advance(by: .seconds(59))
            #expect(bench.assetTimes == [.zero])
            bench.tasks.advance(by: .seconds(2))
            bench.interests.expire(now: bench.now)
            bench.tasks.advance(by: .seconds(300))
            #expect(bench.assetTimes == [.zero, .seconds(60)])
        }
    }

    @Test("a failure is reported with the next attempt, and the last states stay")
    func failures() async throws {
        let bench = ReferenceFeedHarness()
        let lease = bench.interests.enter()
        try await bench.drive {
            bench.assets.fail(Self.failure)
            bench.tasks.advance(by: .seconds(60))
            let states = bench.reference.assets
            #expect(states[bitcoin]?.isDepositOpen == true && states.readAt == .noon())
            #expect(states.failure?.code == .httpStatus)
            #expect(states.nextRetryAt == bench.now.advanced(by: .milliseconds(250)))
            #expect(states.staleAt == .noon(120))
            bench.put(deposit: false)
            bench.tasks.advance(by: .milliseconds(250))
            #expect(bench.reference.assets[bitcoin]?.isDepositOpen == false)
            #expect(bench.reference.assets.failure == nil)
            #expect(bench.reference.assets.nextRetryAt == nil)
            bench.tasks.advance(by: .seconds(60))
            #expect(bench.assetTimes.count == 4)
        }
        lease?.release()
    }

    @Test("a renewed interest does not shorten the wait after a failure")
    func noStorm() async throws {
        let bench = ReferenceFeedHarness()
        bench.assets.fail(DataSourceError(.rateLimited(retryAfter: .seconds(30)), "slow down"))
        try await bench.drive {
            for _ in 0..<20 {
                let lease = bench.interests.enter()
                bench.feed.reload()
                bench.tasks.advance(by: .seconds(1))
                lease?.release()
            }
            #expect(bench.assetTimes == [.zero])
            let states = bench.reference.assets
            #expect(states.failure?.code == .rateLimited)
            #expect(states.nextRetryAt == .noon(30))
        }
    }

    @Test("a reload reads at once, and each interest is served once")
    func reload() async throws {
        let bench = ReferenceFeedHarness()
        let lease = bench.interests.enter()
        try await bench.drive {
            bench.tasks.advance(by: .seconds(7))
            bench.assets.hold()
            bench.feed.reload()
            bench.tasks.settle()
            bench.put(deposit: false)
            let second = bench.interests.enter()
            bench.tasks.settle()
            #expect(bench.assetTimes == [.zero, .seconds(7)])
            bench.assets.letGo()
            bench.tasks.advance(by: .seconds(59))
            #expect(bench.assetTimes.count == 2)
            bench.tasks.advance(by: .seconds(1))
            #expect(bench.assetTimes.last == .seconds(67))
            #expect(bench.reference.assets[bitcoin]?.isDepositOpen == false)
            second?.release()
        }
        lease?.release()
    }

    @Test("a response without a coin is an error, and invalid codes are counted")
    func unreadable() async throws {
        let bench = ReferenceFeedHarness()
        let lease = bench.interests.enter()
        try await bench.drive {
            let odd = AssetStatusDTO(asset: "b t c", isDepositOpen: true, isWithdrawalOpen: true)
            let good = AssetStatusDTO(asset: "XRP", isDepositOpen: nil, isWithdrawalOpen: false)
            bench.assets.put(AssetStatusesDTO(assets: [odd, good], skippedCount: 2))
            bench.tasks.advance(by: .seconds(60))
            #expect(bench.board.feed.entriesSkipped == 3)
            #expect(bench.reference.assets[bitcoin] == nil)
            #expect(bench.reference.assets[Asset(of: "XRP_KRW")]?.isDepositOpen == nil)
            bench.assets.put(AssetStatusesDTO(assets: [], skippedCount: 9))
            bench.tasks.advance(by: .seconds(60))
            #expect(bench.reference.assets.failure?.code == .malformed)
            #expect(bench.reference.assets[Asset(of: "XRP_KRW")]?.isWithdrawalOpen == false)
        }
        lease?.release()
    }

    @Test("states are read again when the source turns out to be another kind")
    func otherKind() async throws {
        let bench = ReferenceFeedHarness()
        let lease = bench.interests.enter()
        try await bench.drive {
            bench.tasks.advance(by: .seconds(10))
            bench.put(deposit: false)
            bench.identify(.simulated)
            #expect(bench.assetTimes == [.zero, .seconds(10)])
            #expect(bench.reference.assets[bitcoin]?.isDepositOpen == false)
        }
        lease?.release()
    }
}
