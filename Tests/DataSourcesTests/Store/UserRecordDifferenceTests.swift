import DataSourceContracts
import Testing

@Suite("The difference of two records of a user")
struct UserRecordDifferenceTests {
    private static func favorites(_ old: String, _ new: String) -> UserRecordDifference {
        var (before, after) = (UserRecordDTO(name: "kim"), UserRecordDTO(name: "kim"))
        before.favorites = old.map { String($0) }
        after.favorites = new.map { String($0) }
        return UserRecordDifference(from: before, to: after)
    }

    @Test(
        "favorites differ by the smallest edit",
        arguments: [
            ("", "AB", .append(["A", "B"])), ("AB", "ABC", .append(["C"])),
            ("ABC", "BC", .remove("A")),
            ("ABC", "AC", .remove("B")), ("ABC", "AB", .remove("C")), ("A", "", .remove("A")),
            ("ABC", "ACB", .replace(["A", "C", "B"])), ("ABC", "C", .replace(["C"])),
            ("ABC", "DBC", .replace(["D", "B", "C"])), ("AB", "", .replace([])),
        ] as [(String, String, UserRecordDifference.Favorites)]
    )
    func edits(old: String, new: String, edit: UserRecordDifference.Favorites) {
        let difference = Self.favorites(old, new)
        #expect(difference.favorites == edit)
        #expect(difference.increments.favorites == 1)
        #expect(!difference.isEmpty)
    }

    @Test("equal records have an empty difference, whatever their names and revisions are")
    func empty() {
        var record = UserRecordDTO(name: "kim")
        record.favorites = ["A", "B"]
        record.settings = UserRecordSamples.settings
        record.holdings = [.init(asset: "A", quantity: "1", averagePrice: nil)]
        record.cash = "5"
        var other = record
        other.name = "lee"
        other.revisions.cash = 7
        #expect(UserRecordDifference(from: record, to: other).isEmpty)
    }

    @Test("removed cash differs from unchanged cash")
    func removedCash() {
        var (old, new) = (UserRecordDTO(name: "kim"), UserRecordDTO(name: "kim"))
        old.cash = "5"
        let removed = UserRecordDifference(from: old, to: new)
        #expect(removed.cash == .some(nil) && removed.increments.cash == 1)
        new.cash = "5"
        #expect(UserRecordDifference(from: old, to: new).cash == nil)
    }

    @Test("two spellings of one letter differ in every part")
    func spellings() {
        func record(_ text: String) -> UserRecordDTO {
            var record = UserRecordDTO(name: "kim")
            record.displayName = text
            record.favorites = [text]
            record.settings = UserRecordSamples.settings
            record.settings?.theme = text
            record.holdings = [.init(asset: text, quantity: "1", averagePrice: nil)]
            record.cash = text
            return record
        }
        let difference = UserRecordDifference(from: record("e\u{301}"), to: record("\u{e9}"))
        #expect(difference.displayName != nil)
        #expect(difference.favorites == .replace(["\u{e9}"]))
        #expect(difference.settings != nil)
        #expect(difference.removedAssets.count == 1 && difference.holdings.count == 1)
        #expect(difference.cash != nil)
    }

    @Test("layouts differ by their bytes, and from none")
    func layouts() {
        let texts = [nil, "", "chart", "e\u{301}", "\u{e9}"]
        for (oldIndex, old) in texts.enumerated() {
            for (newIndex, new) in texts.enumerated() {
                let records = [old, new].map { layout in
                    var record = UserRecordDTO(name: "kim")
                    record.settings = UserRecordSamples.settings
                    record.settings?.marketLayout = layout
                    return record
                }
                let difference = UserRecordDifference(from: records[0], to: records[1])
                #expect(difference.isEmpty == (oldIndex == newIndex))
                #expect(difference.increments.settings == (oldIndex == newIndex ? 0 : 1))
            }
        }
    }

    @Test("holdings are written only where they differ")
    func holdings() {
        var (old, new) = (UserRecordDTO(name: "kim"), UserRecordDTO(name: "kim"))
        old.holdings = ["A", "B", "C"].map { .init(asset: $0, quantity: "1", averagePrice: nil) }
        new.holdings = old.holdings.reversed()
        #expect(UserRecordDifference(from: old, to: new).isEmpty)
        let changed = UserRecordDTO.Holding(asset: "B", quantity: "1", averagePrice: "2")
        let added = UserRecordDTO.Holding(asset: "D", quantity: "4", averagePrice: nil)
        new.holdings = [old.holdings[2], changed, added]
        let difference = UserRecordDifference(from: old, to: new)
        #expect(difference.holdings == [changed, added])
        #expect(difference.removedAssets == ["A"])
    }
}
