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
        let harness = ReferenceFeedHarness()
        try await harness.drive {
            harness.tasks.advance(by: .seconds(600))
            #expect(harness.assetTimes.isEmpty)
            let first = harness.interests.enter()
            let second = harness.interests.enter()
            harness.tasks.advance(by: .seconds(150))
            let start = Duration.seconds(600)
            #expect(harness.assetTimes == [start, start + .seconds(60), start + .seconds(120)])
            #expect(harness.reference.assets[bitcoin]?.isDepositOpen == true)
            #expect(harness.reference.assets.readAt == .noon(720))
            first?.release()
            harness.tasks.advance(by: .seconds(40))
            #expect(harness.assetTimes.count == 4)
            second?.release()
            harness.tasks.advance(by: .seconds(600))
            #expect(harness.assetTimes.count == 4)
        }
    }

    @Test("a new interest within the minute waits for its end, a later one does not")
    func comingBack() async throws {
        let harness = ReferenceFeedHarness()
        try await harness.drive {
            harness.interests.enter()?.release()
            harness.tasks.settle()
            let first = harness.interests.enter()
            harness.tasks.advance(by: .seconds(10))
            first?.release()
            harness.tasks.advance(by: .seconds(20))
            let second = harness.interests.enter()
            harness.tasks.advance(by: .seconds(29))
            #expect(harness.assetTimes == [.zero])
            harness.tasks.advance(by: .seconds(1))
            #expect(harness.assetTimes == [.zero, .seconds(60)])
            second?.release()
            harness.tasks.advance(by: .seconds(61))
            let third = harness.interests.enter()
            harness.tasks.settle()
            #expect(harness.assetTimes == [.zero, .seconds(60), .seconds(121)])
            third?.release()
        }
    }

    @Test("a short interest counts until it expires")
    func glance() async throws {
        let harness = ReferenceFeedHarness()
        try await harness.drive {
            harness.interests.touch(now: harness.now)
            harness.tasks.advance(by: .seconds(59))
            #expect(harness.assetTimes == [.zero])
            harness.tasks.advance(by: .seconds(2))
            harness.interests.expire(now: harness.now)
            harness.tasks.advance(by: .seconds(300))
            #expect(harness.assetTimes == [.zero, .seconds(60)])
        }
    }

    @Test("a failure is reported with the next attempt, and the last states stay")
    func failures() async throws {
        let harness = ReferenceFeedHarness()
        let lease = harness.interests.enter()
        try await harness.drive {
            harness.assets.fail(Self.failure)
            harness.tasks.advance(by: .seconds(60))
            let states = harness.reference.assets
            #expect(states[bitcoin]?.isDepositOpen == true && states.readAt == .noon())
            #expect(states.failure?.code == .httpStatus)
            #expect(states.nextRetryAt == harness.now.advanced(by: .milliseconds(250)))
            #expect(states.staleAt == .noon(120))
            harness.put(deposit: false)
            harness.tasks.advance(by: .milliseconds(250))
            #expect(harness.reference.assets[bitcoin]?.isDepositOpen == false)
            #expect(harness.reference.assets.failure == nil)
            #expect(harness.reference.assets.nextRetryAt == nil)
            harness.tasks.advance(by: .seconds(60))
            #expect(harness.assetTimes.count == 4)
        }
        lease?.release()
    }

    @Test("states of an exchange that serves them no more are unknown, and asked for again")
    func gone() async throws {
        let harness = ReferenceFeedHarness()
        let lease = harness.interests.enter()
        try await harness.drive {
            harness.assets.fail(DataSourceError(.httpStatus(404), "HTTP status 404"))
            harness.tasks.advance(by: .seconds(60))
            #expect(harness.reference.assets[bitcoin] == nil)
            #expect(harness.reference.assets.readAt == nil)
            #expect(harness.reference.assets.failure?.code == .httpStatus)
            harness.put(deposit: false)
            harness.tasks.advance(by: .milliseconds(250))
            #expect(harness.reference.assets[bitcoin]?.isDepositOpen == false)
        }
        lease?.release()
    }

    @Test("a renewed interest does not shorten the wait after a failure")
    func noStorm() async throws {
        let harness = ReferenceFeedHarness()
        harness.assets.fail(DataSourceError(.rateLimited(retryAfter: .seconds(30)), "slow down"))
        try await harness.drive {
            for _ in 0..<20 {
                let lease = harness.interests.enter()
                harness.feed.reload()
                harness.tasks.advance(by: .seconds(1))
                lease?.release()
            }
            #expect(harness.assetTimes == [.zero])
            let states = harness.reference.assets
            #expect(states.failure?.code == .rateLimited)
            #expect(states.nextRetryAt == .noon(30))
        }
    }

    @Test("a reload reads at once, and each interest is served once")
    func reload() async throws {
        let harness = ReferenceFeedHarness()
        let lease = harness.interests.enter()
        try await harness.drive {
            harness.tasks.advance(by: .seconds(7))
            harness.assets.hold()
            harness.feed.reload()
            harness.tasks.settle()
            harness.put(deposit: false)
            let second = harness.interests.enter()
            harness.tasks.settle()
            #expect(harness.assetTimes == [.zero, .seconds(7)])
            harness.assets.letGo()
            harness.tasks.advance(by: .seconds(59))
            #expect(harness.assetTimes.count == 2)
            harness.tasks.advance(by: .seconds(1))
            #expect(harness.assetTimes.last == .seconds(67))
            #expect(harness.reference.assets[bitcoin]?.isDepositOpen == false)
            second?.release()
        }
        lease?.release()
    }

    @Test("a response without a coin is an error, and invalid codes are counted")
    func unreadable() async throws {
        let harness = ReferenceFeedHarness()
        let lease = harness.interests.enter()
        try await harness.drive {
            let odd = AssetStatusDTO(asset: "b t c", isDepositOpen: true, isWithdrawalOpen: true)
            let good = AssetStatusDTO(asset: "XRP", isDepositOpen: nil, isWithdrawalOpen: false)
            harness.assets.put(AssetStatusesDTO(assets: [odd, good], skippedCount: 2))
            harness.tasks.advance(by: .seconds(60))
            #expect(harness.board.feed.entriesSkipped == 3)
            #expect(harness.reference.assets[bitcoin] == nil)
            #expect(harness.reference.assets[Asset(of: "XRP_KRW")]?.isDepositOpen == nil)
            harness.assets.put(AssetStatusesDTO(assets: [], skippedCount: 9))
            harness.tasks.advance(by: .seconds(60))
            #expect(harness.reference.assets.failure?.code == .malformed)
            #expect(harness.reference.assets[Asset(of: "XRP_KRW")]?.isWithdrawalOpen == false)
        }
        lease?.release()
    }

    @Test("states are read again when the source turns out to be another kind")
    func otherKind() async throws {
        let harness = ReferenceFeedHarness()
        let lease = harness.interests.enter()
        try await harness.drive {
            harness.tasks.advance(by: .seconds(10))
            harness.put(deposit: false)
            harness.identify(.simulated)
            #expect(harness.assetTimes == [.zero, .seconds(10)])
            #expect(harness.reference.assets[bitcoin]?.isDepositOpen == false)
        }
        lease?.release()
    }
}
