import DataSourceContracts
import Foundation
import TestSupport
import Testing

@testable import DataSourcesSQLite

@Suite("A damaged file is reported and never causes a crash")
struct SQLiteDamageTests {
    /// The bytes of a store with rows in every table.
    private static func sample(in folder: TemporaryFolder) async throws -> [UInt8] {
        let path = "\(folder.path)/sample.sqlite"
        let store = SQLiteStore(path: path) { 1 }
        for index in 0..<60 {
            let name = "M\(index)"
            _ = try await store.write(.addFavorite(name, limit: 99), user: 1, at: 1)
            try await store.saveCandles(
                StoredCandlesDTO(
                    series: CandleSeriesDTO(feed: "live", market: name, interval: "1m"),
                    rows: (0..<20).map { number in
                        StoredCandlesDTO.Row(
                            openTime: number * 60_000_000,
                            open: "1",
                            high: "1",
                            low: "1",
                            close: "1",
                            volume: "1",
                            fetchedAt: 1
                        )
                    },
                    spans: [.init(from: 0, to: 60_000_000)]
                )
            )
        }
        let names = (0..<60).map {
            StoredNamesDTO.Row(symbol: "S\($0)", korean: "이름", english: "name")
        }
        try await store.saveNames(StoredNamesDTO(rows: names, readAt: 1), feed: "live")
        _ = try await store.write(
            .putSettings(UserRecordSamples.settings, expecting: nil),
            user: 1,
            at: 1
        )
        await store.close()
        return Array(try Data(contentsOf: URL(filePath: path)))
    }

    /// Makes every call, and returns the codes of those that failed.
    private static func codes(of store: SQLiteStore) async -> [StoreError.Code] {
        let series = CandleSeriesDTO(feed: "live", market: "M7", interval: "1m")
        var codes: [StoreError.Code] = []
        for call in 0..<6 {
            let code = await StoreSubject.code { () throws(StoreError) in
                switch call {
                case 0: _ = try await store.record(of: 1)
                case 1: _ = try await store.journal(user: 1, newest: 99)
                case 2: _ = try await store.candles(of: series, newest: 99)
                case 3: _ = try await store.names(feed: "live")
                case 4: _ = try await store.write(.addFavorite("NEW", limit: 999), user: 1, at: 1)
                default:
                    let time: Int64 = 300_000_000
                    _ = try await store.removeCandles(intervals: ["1m"], openingBefore: time)
                }
            }
            if let code { codes.append(code) }
        }
        return codes
    }

    @Test("random flipped bytes and truncations are reported and cause no other error")
    func random() async throws {
        let folder = try TemporaryFolder()
        defer { folder.clear() }
        let sample = try await Self.sample(in: folder)
        var random = SeededGenerator(seed: 3)
        var reportedCount = 0
        for round in 0..<120 {
            var bytes = sample
            if round % 4 == 0 {
                bytes.removeLast(.random(in: 1..<bytes.count, using: &random))
            } else {
                for _ in 0..<Int.random(in: 1...200, using: &random) {
                    let place = Int.random(in: 0..<bytes.count, using: &random)
                    bytes[place] = .random(in: 0...255, using: &random)
                }
            }
            let path = "\(folder.path)/damaged-\(round).sqlite"
            try Data(bytes).write(to: URL(filePath: path))
            let store = SQLiteStore(path: path) { 1 }
            let problems: [String]
            do throws(StoreError) {
                problems = try await store.check().problems
            } catch {
                problems = [error.detail]
            }
            if !problems.isEmpty { reportedCount += 1 }
            let codes = await Self.codes(of: store)
            // A file unlike a store is none; any other error would be blamed on the disk.
            let expected: Set<StoreError.Code> = [.damaged, .incompatible, .unavailable]
            #expect(expected.isSuperset(of: codes), "round \(round): \(codes)")
            await store.close()
        }
        #expect(reportedCount > 90)
    }

    @Test(
        "a file that is not a database stays unchanged",
        arguments: [1, 99, 511, 512, 4_096, 100_000]
    )
    func garbage(count: Int) async throws {
        let folder = try TemporaryFolder()
        defer { folder.clear() }
        let path = "\(folder.path)/hoga.sqlite"
        let bytes = Data(repeating: UInt8(ascii: "z"), count: count)
        try bytes.write(to: URL(filePath: path))
        let store = SQLiteStore(path: path) { 1 }
        #expect(Set(await Self.codes(of: store)) == [.damaged])
        let code = await StoreSubject.code { () throws(StoreError) in try await store.check() }
        #expect(code == .damaged)
        #expect(try Data(contentsOf: URL(filePath: path)) == bytes)
        #expect(try folder.names == ["hoga.sqlite"])
    }

    @Test("a file truncated to half is found damaged and not copied")
    func half() async throws {
        let folder = try TemporaryFolder()
        defer { folder.clear() }
        let sample = try await Self.sample(in: folder)
        let path = "\(folder.path)/half.sqlite"
        try Data(sample.prefix(sample.count / 2)).write(to: URL(filePath: path))
        let store = SQLiteStore(path: path) { 1 }
        let check = try? await store.check()
        #expect(check?.isSound != true)
        let copy = "\(folder.path)/copy.sqlite"
        let code = await StoreSubject.code { () throws(StoreError) in
            try await store.backup(to: copy)
        }
        #expect(code == .damaged)
        #expect(try folder.names.filter { $0.hasPrefix("copy") } == [])
    }
}
