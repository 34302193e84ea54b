import DataSourceContracts
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import DataSourcesSQLite

@Suite("An unusable file is reported with the reason, and used once it works", .tags(.threads))
struct SQLiteOpeningTests {
    private static func code(
        _ body: () async throws(StoreError) -> some Any
    ) async -> StoreError.Code? {
        await StoreSubject.code(of: body)
    }

    private static func mode(of path: String) throws -> Int? {
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        return attributes[.posixPermissions] as? Int
    }

    /// The size of a page in the file.
    private static let pageBytes = 4_096

    @Test("folder and file are created for their owner only")
    func made() async throws {
        let folder = try TemporaryFolder()
        defer { folder.clear() }
        let store = SQLiteStore(path: "\(folder.path)/a b/%41?x=1#/hoga.sqlite") { 1 }
        _ = try await store.write(.putCash("1"), user: 1, at: 1)
        #expect(try Self.mode(of: "\(folder.path)/a b") == 0o700)
        #expect(try Self.mode(of: "\(folder.path)/a b/%41?x=1#") == 0o700)
        for suffix in ["", "-wal", "-shm"] {
            #expect(try Self.mode(of: store.path + suffix) == 0o600)
        }
        #expect(store.size.changes > 0)
        await store.close()
        #expect(store.size.changes == 0)
        #expect(store.size.total % Int64(Self.pageBytes) == 0)
    }

    @Test("a locked file is waited for, then reported, and tried again after a second")
    func lockedAtStart() async throws {
        let folder = try TemporaryFolder()
        defer { folder.clear() }
        let path = "\(folder.path)/hoga.sqlite"
        try await SQLiteStore(path: path, now: { 1 }).open()
        let time = Mutex<Int64>(5_000_000)
        var settings = SQLiteStoreSettings()
        settings.patience = .milliseconds(20)
        let store = SQLiteStore(path: path, settings: settings) { time.withLock { $0 } }
        var other: SQLiteConnection? = try SQLiteConnection(
            path: path,
            access: .readWrite,
            patience: .zero
        )
        try other?.execute("PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE")
        let read = { () async -> StoreError.Code? in
            await Self.code { () throws(StoreError) in try await store.record(of: 1) }
        }
        #expect(await read() == .busy)
        try other?.execute("COMMIT")
        other = nil
        // It would work now, but the next attempt is a second later.
        #expect(await read() == .busy)
        time.withLock { $0 += 999_999 }
        #expect(await read() == .busy)
        time.withLock { $0 += 1 }
        #expect(await read() == nil)
    }

    @Test("a clock that was set back does not keep the file closed")
    func clockSetBack() async throws {
        let folder = try TemporaryFolder()
        defer { folder.clear() }
        let time = Mutex<Int64>(5_000_000)
        let blocked = "\(folder.path)/a"
        try StoreFile(path: blocked).makeEmpty()
        let store = SQLiteStore(path: "\(blocked)/hoga.sqlite") { time.withLock { $0 } }
        let read = { () async -> StoreError.Code? in
            await Self.code { () throws(StoreError) in try await store.record(of: 1) }
        }
        #expect(await read() == .unavailable)
        StoreFile(path: blocked).remove()
        #expect(await read() == .unavailable)
        time.withLock { $0 = 1 }
        #expect(await read() == nil)
    }

    @Test("while another process writes for too long, reads succeed and writes are refused")
    func lockedWhileOpen() async throws {
        let folder = try TemporaryFolder()
        defer { folder.clear() }
        var settings = SQLiteStoreSettings()
        settings.patience = .milliseconds(20)
        let path = "\(folder.path)/hoga.sqlite"
        let store = SQLiteStore(path: path, settings: settings) { 1 }
        let before = try await store.write(.putCash("1"), user: 1, at: 1)
        let other = try SQLiteConnection(path: path, access: .readWrite, patience: .zero)
        try other.execute("BEGIN IMMEDIATE; UPDATE cash SET amount = '9'")
        let write = { () async -> StoreError.Code? in
            await Self.code { () throws(StoreError) in
                try await store.write(.putCash("2"), user: 1, at: 1)
            }
        }
        #expect(await write() == .busy)
        #expect(try await store.record(of: 1) == before)
        try other.execute("ROLLBACK")
        #expect(await write() == nil)
    }

    @Test("with a limit all calls together wait no longer, and each tries once")
    func limitedWaiting() async throws {
        let folder = try TemporaryFolder()
        defer { folder.clear() }
        var settings = SQLiteStoreSettings()
        settings.patience = .seconds(3_600)
        let path = "\(folder.path)/hoga.sqlite"
        let store = SQLiteStore(path: path, settings: settings) { 1 }
        try await store.open()
        let other = try SQLiteConnection(path: path, access: .readWrite, patience: .zero)
        try other.execute("BEGIN IMMEDIATE")
        let write = { () async -> StoreError.Code? in
            await Self.code { () throws(StoreError) in
                try await store.write(.putCash("2"), user: 1, at: 1)
            }
        }
        // One call waits already, practically without a limit.
        async let waiting = write()
        store.limitWaiting(to: .milliseconds(20))
        #expect(await waiting == .busy)
        for _ in 0..<3 { #expect(await write() == .busy) }
        store.limitWaiting(to: .seconds(3_600))
        #expect(await write() == .busy, "what is left never grows")
        try other.execute("ROLLBACK")
        #expect(await write() == nil)
    }

    @Test("the check for writing neither waits nor changes anything")
    func checkWriting() async throws {
        let folder = try TemporaryFolder()
        defer { folder.clear() }
        var settings = SQLiteStoreSettings()
        settings.patience = .seconds(3_600)
        let path = "\(folder.path)/hoga.sqlite"
        let store = SQLiteStore(path: path, settings: settings) { 1 }
        let record = try await store.write(.putCash("1"), user: 1, at: 1)
        let check = { () async -> StoreError.Code? in
            await Self.code { () throws(StoreError) in try await store.checkWriting(of: 1) }
        }
        #expect(await check() == nil)
        let other = try SQLiteConnection(path: path, access: .readWrite, patience: .zero)
        try other.execute("BEGIN IMMEDIATE")
        #expect(await check() == .busy)
        try other.execute("ROLLBACK")
        #expect(await check() == nil)
        #expect(try await store.record(of: 1) == record)
        #expect(try await store.changeCount(of: 1) == 1)
        #expect(try await store.journal(user: 1, newest: 9).count == 1)
    }

    @Test("a full disk refuses what does not fit and keeps acknowledged changes")
    func full() async throws {
        let folder = try TemporaryFolder()
        defer { folder.clear() }
        let path = "\(folder.path)/hoga.sqlite"
        var settings = SQLiteStoreSettings()
        settings.pagesMax = 60
        let store = SQLiteStore(path: path, settings: settings) { 1 }
        var acknowledged = 0
        var refusal: StoreError.Code?
        while refusal == nil {
            let text = String(repeating: "x", count: 3_000) + "\(acknowledged)"
            refusal = await Self.code { () throws(StoreError) in
                try await store.write(.addFavorite(text, limit: 1_000), user: 1, at: 1)
            }
            if refusal == nil { acknowledged += 1 }
        }
        #expect(refusal == .full)
        #expect(acknowledged > 5)
        #expect(try await store.record(of: 1).favorites.count == acknowledged)
        #expect(try await store.changeCount(of: 1) == Int64(acknowledged))
        // A change that frees space is accepted.
        _ = try await store.write(.replaceFavorites([], expecting: nil), user: 1, at: 1)
        _ = try await store.write(.putCash("1"), user: 1, at: 1)
    }

    @Test("a disk that is full at start is tried again", arguments: [1, 3, 10])
    func fullAtStart(pages: Int64) async throws {
        let folder = try TemporaryFolder()
        defer { folder.clear() }
        let path = "\(folder.path)/hoga.sqlite"
        var settings = SQLiteStoreSettings()
        settings.pagesMax = pages
        let store = SQLiteStore(path: path, settings: settings) { 1 }
        let code = await Self.code { () throws(StoreError) in try await store.record(of: 1) }
        #expect(code == .full)
        #expect(try await SQLiteStore(path: path, now: { 1 }).record(of: 1).name == "local")
    }

    @Test("a process that may not grow files reports it, and recovers when it may")
    func fullForProcess() async throws {
        let folder = try TemporaryFolder()
        defer { folder.clear() }
        let path = "\(folder.path)/hoga.sqlite"
        let lines = try await StoreWriterProcess.run(["fill", path, "F", "400000"])
        let refusal = try #require(lines.firstIndex(of: "refused full"))
        #expect(refusal > 3)
        #expect(lines.contains("checked full"))
        #expect(lines.last?.hasPrefix("done") == true, "\(lines.last ?? "")")
        let last = try #require(lines.last { $0.hasPrefix("candle ") })
        let count = try #require(Int(last.dropFirst(7)))
        let store = SQLiteStore(path: path) { 1 }
        let series = CandleSeriesDTO(feed: "live", market: "F", interval: "1m")
        #expect(try await store.candles(of: series, newest: .max).rows.count == count + 1)
        #expect(try await store.check().problems == [])
    }

    @Test(
        "a file without write permission is read",
        arguments: [(0o444, 0o555), (0o444, 0o777), (0o666, 0o555)]
    )
    func readOnly(file: Int, folder folderMode: Int) async throws {
        let folder = try TemporaryFolder()
        defer { folder.clear() }
        let path = "\(folder.path)/hoga.sqlite"
        let store = SQLiteStore(path: path) { 1 }
        _ = try await store.write(.putCash("5"), user: 1, at: 1)
        await store.close()
        let files = FileManager.default
        try files.setAttributes([.posixPermissions: file], ofItemAtPath: path)
        try files.setAttributes([.posixPermissions: folderMode], ofItemAtPath: folder.path)
        let lines = try await StoreWriterProcess.run(["forbidden", path])
        #expect(lines == ["read 5", "refused readOnly", "read 5", "done 0"])
        try files.setAttributes([.posixPermissions: 0o700], ofItemAtPath: folder.path)
    }

    @Test("a file without read permission is unavailable")
    func unreadable() async throws {
        let folder = try TemporaryFolder()
        defer { folder.clear() }
        let path = "\(folder.path)/hoga.sqlite"
        try await SQLiteStore(path: path, now: { 1 }).open()
        let files = FileManager.default
        for (file, folderMode) in [(0o000, 0o777), (0o666, 0o000)] {
            try files.setAttributes([.posixPermissions: file], ofItemAtPath: path)
            try files.setAttributes([.posixPermissions: folderMode], ofItemAtPath: folder.path)
            let lines = try await StoreWriterProcess.run(["forbidden", path])
            #expect(lines.count == 1 && lines[0].hasPrefix("failed unavailable"), "\(lines)")
            try files.setAttributes([.posixPermissions: 0o700], ofItemAtPath: folder.path)
        }
    }

    @Test("a removed file is reported, not recreated; a different file is refused")
    func replaced() async throws {
        let folder = try TemporaryFolder()
        defer { folder.clear() }
        let path = "\(folder.path)/hoga.sqlite"
        let store = SQLiteStore(path: path) { 1 }
        _ = try await store.write(.putCash("1"), user: 1, at: 1)
        let other = SQLiteStore(path: path + ".other") { 1 }
        _ = try await other.write(.putCash("2"), user: 1, at: 1)
        await other.close()
        for suffix in ["", "-wal", "-shm"] { StoreFile(path: path + suffix).remove() }
        for isEmpty in [false, true] {
            if isEmpty { try StoreFile(path: path).make() }
            let reading = await failure { _ = try await store.record(of: 1) }
            #expect(reading?.code == .unavailable)
            #expect(reading?.detail.contains("was removed") == true)
            let writing = await failure {
                _ = try await store.write(.putCash("3"), user: 1, at: 1)
            }
            #expect(writing?.code == .unavailable)
            #expect(StoreFile(path: path).byteCount == 0)
        }
        try StoreFile(path: other.path).rename(to: StoreFile(path: path))
        for _ in 0..<2 {
            let reading = await failure { _ = try await store.record(of: 1) }
            #expect(reading?.code == .unavailable)
            #expect(reading?.detail.contains("another file replaced the open store") == true)
        }
        await store.close()
        #expect(
            try await store.record(of: 1).cash == "2",
            "a closed store opens the file at the path"
        )
        for suffix in ["", "-wal", "-shm"] { StoreFile(path: path + suffix).remove() }
        await store.close()
        #expect(try await store.record(of: 1).cash == nil, "a closed store creates a new file")
    }

    @Test("a restored store works again, and one replaced while open is refused")
    func swapped() async throws {
        let folder = try TemporaryFolder()
        defer { folder.clear() }
        let path = "\(folder.path)/hoga.sqlite"
        let (file, away, other) = (
            StoreFile(path: path), StoreFile(path: path + ".away"), StoreFile(path: path + ".other")
        )
        let store = SQLiteStore(path: path) { 1 }
        _ = try await store.write(.putCash("1"), user: 1, at: 1)
        let second = SQLiteStore(path: other.path) { 1 }
        _ = try await second.write(.putCash("2"), user: 1, at: 1)
        await second.close()
        try file.rename(to: away)
        try other.rename(to: file)
        let writing = await failure { _ = try await store.write(.putCash("3"), user: 1, at: 1) }
        #expect(writing?.detail.contains("another file replaced the open store") == true)
        try file.rename(to: other)
        try away.rename(to: file)
        #expect(try await store.record(of: 1).cash == "1")
        _ = try await store.write(.putCash("4"), user: 1, at: 1)
        #expect(try await store.record(of: 1).cash == "4")
    }

    private func failure(_ call: () async throws -> Void) async -> StoreError? {
        do {
            try await call()
            return nil
        } catch {
            return error as? StoreError
        }
    }
}
