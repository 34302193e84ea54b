import DataSourceContracts
import TestSupport
import Testing

@Suite("Every store answers as a naive model of user records does", .tags(.manyCases))
struct UserRecordPropertyTests {
    @Test(
        "random changes give the same records, revisions and journal",
        arguments: StoreSubject.allCases,
        Cases.seeds(6, of: 12)
    )
    func randomChanges(subject: StoreSubject, seed: UInt64) async throws {
        var random = SeededGenerator(seed: seed)
        try await StoreStand.with(subject) { stand async throws in
            let store = stand.store
            var model = UserRecordModel()
            for step in 0..<150 as Range<Int64> {
                let write = Self.write(for: model.record, using: &random)
                let refusal = model.write(write)
                do throws(StoreError) {
                    let answer = try await store.write(write, user: 1, at: step)
                    #expect(refusal == nil, "step \(step): \(write)")
                    #expect(answer == model.record, "step \(step): \(write)")
                } catch {
                    #expect(error.code == refusal, "step \(step): \(write): \(error)")
                }
            }
            #expect(try await store.record(of: 1) == model.record)
            #expect(try await store.changeCount(of: 1) == Int64(model.kinds.count))
            let rows = try await store.journal(user: 1, newest: 1_000)
            #expect(rows.map(\.kind) == model.kinds.reversed())
        }
    }

    /// A change that often concerns a present row.
    private static func write(
        for record: UserRecordDTO,
        using random: inout SeededGenerator
    ) -> TestChange {
        let names = ["A", "B", "C", "D", "E", "F", "G"]
        let name = names.randomElement(using: &random) ?? ""
        let amount = ["1", "2", "0.5"].randomElement(using: &random) ?? ""
        switch Int.random(in: 0..<16, using: &random) {
        case 0, 1, 2: return .addFavorite(name, limit: 5)
        case 3: return .removeFavorite(name)
        case 4, 5: return .moveFavorite(name, to: .random(in: -1...7, using: &random))
        case 6:
            let markets = Array(names.shuffled(using: &random).prefix(4))
            let expected = expectation(record.revisions.favorites, using: &random)
            return .replaceFavorites(markets, expecting: expected)
        case 7:
            var settings = UserRecordSamples.settings
            settings.depth = .random(in: 1...3, using: &random)
            let expected = expectation(record.revisions.settings, using: &random)
            return .putSettings(settings, expecting: expected)
        case 8, 9:
            let price = Bool.random(using: &random) ? amount : nil
            let holding = UserRecordDTO.Holding(asset: name, quantity: amount, averagePrice: price)
            return .putHolding(holding, limit: 4)
        case 10: return .removeHolding(name)
        case 11, 12:
            return .putAlertRule(
                AlertRuleDTO(
                    number: .random(in: 1...4, using: &random),
                    text: "\(name)_KRW > \(amount)",
                    feed: "live",
                    books: Bool.random(using: &random) ? "\(name)_KRW" : nil,
                    createdAt: .random(in: 1...2, using: &random)
                )
            )
        case 13: return .removeAlertRule(.random(in: 1...4, using: &random))
        case 14: return .seeAlerts(.random(in: 0...2, using: &random))
        default:
            return [.putCash(amount), .putCash(nil), .putDisplayName(amount)]
                .randomElement(using: &random) ?? .putCash(nil)
        }
    }

    private static func expectation(
        _ present: Int64,
        using random: inout SeededGenerator
    ) -> Int64? {
        [nil, present, present, present - 1].randomElement(using: &random) ?? nil
    }
}
