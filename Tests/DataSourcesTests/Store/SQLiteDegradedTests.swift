import DataSourceContracts
import Foundation
import Glibc
import TestSupport
import Testing

@testable import DataSourcesSQLite

@Suite("A store that cannot be written can be read, copied and checked")
struct SQLiteDegradedTests {
    /// A file at the store's path that is not a store.
    enum Obstacle: CaseIterable {
        case folder
        case pipe
        case linkToPipe
        case device
        case socket

        func make(at path: String) throws {
            switch self {
            case .folder:
                try FileManager.default.createDirectory(
                    atPath: path,
                    withIntermediateDirectories: false
                )
            case .pipe: try node(S_IFIFO, at: path)
            case .linkToPipe:
                try node(S_IFIFO, at: path + "-pipe")
                try SQLiteDegradedTests.link(path, to: path + "-pipe")
            case .device: try SQLiteDegradedTests.link(path, to: "/dev/null")
            case .socket: try node(S_IFSOCK, at: path)
            }
        }

        private func node(_ kind: mode_t, at path: String) throws {
            // Safe: the path is only read.
            try #require(unsafe mknod(path, kind | 0o600, 0) == 0)
        }
    }

    private static func link(_ path: String, to target: String) throws {
        try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: target)
    }

    /// The errors of every call that reads the file.
    private static func failures(of store: SQLiteStore, copy: String) async -> [StoreError?] {
        var failures: [StoreError?] = []
        for call in 0..<6 {
            do throws(StoreError) {
                switch call {
                case 0: _ = try await store.record(of: 1)
                case 1: _ = try await store.check()
                case 2: _ = try await store.backup(to: copy)
                case 3: _ = try await store.migrations()
                case 4: _ = try await store.verifyMigrations()
                default: _ = try await store.migrate()
                }
                failures.append(nil)
            } catch {
                failures.append(error)
            }
        }
        return failures
    }

    @Test(
        "a path that is not a regular file is refused with its type",
        arguments: Obstacle.allCases
    )
    func obstacle(_ obstacle: Obstacle) async throws {
        let folder = try TemporaryFolder()
        defer { folder.clear() }
        let path = "\(folder.path)/hoga.sqlite"
        try obstacle.make(at: path)
        let store = SQLiteStore(path: path) { 1 }
        for failure in await Self.failures(of: store, copy: "\(folder.path)/copy") {
            #expect(failure?.code == .unavailable)
            #expect(failure?.detail.contains("not a regular file: choose another path") == true)
        }
    }

    @Test("a symbolic link to a store is that store")
    func link() async throws {
        let folder = try TemporaryFolder()
        defer { folder.clear() }
        let store = SQLiteStore(path: "\(folder.path)/hoga.sqlite") { 1 }
        _ = try await store.write(.putCash("7"), user: 1, at: 1)
        await store.close()
        try Self.link("\(folder.path)/link", to: store.path)
        let linked = SQLiteStore(path: "\(folder.path)/link") { 1 }
        #expect(try await linked.record(of: 1).cash == "7")
        #expect(try await linked.check().problems == [])
    }

    @Test("circular links, and a file in place of the folder, do not count as a missing store")
    func cannotBeLookedAt() async throws {
        let folder = try TemporaryFolder()
        defer { folder.clear() }
        try Self.link("\(folder.path)/circle", to: "\(folder.path)/circle")
        try StoreFile(path: "\(folder.path)/file").makeEmpty()
        for name in ["circle", "file/hoga.sqlite"] {
            let store = SQLiteStore(path: "\(folder.path)/\(name)") { 1 }
            for failure in await Self.failures(of: store, copy: "\(folder.path)/copy") {
                #expect(failure?.code == .unavailable)
                #expect(failure?.detail.contains("cannot be examined") == true)
            }
        }
    }

    /// The files of a read-only store.
    enum Remains: CaseIterable {
        /// One file in WAL mode, as the last program closed it.
        case closed
        /// The same, with an empty write-ahead log.
        case emptyChanges
        /// A single file, as a copy is.
        case copy
    }

    @Test(
        "everything is readable in a read-only folder",
        arguments: Remains.allCases,
        [0o444, 0o666]
    )
    func readOnlyFolder(remains: Remains, mode: Int) async throws {
        let folder = try TemporaryFolder()
        let target = try TemporaryFolder()
        defer {
            folder.clear()
            target.clear()
        }
        let files = FileManager.default
        let path = "\(folder.path)/hoga.sqlite"
        let made = SQLiteStore(path: path) { 1 }
        _ = try await made.write(.putCash("5"), user: 1, at: 1)
        await made.close()
        switch remains {
        case .closed: break
        case .emptyChanges:
            try StoreFile(path: path + "-wal").makeEmpty()
            try files.setAttributes([.posixPermissions: mode], ofItemAtPath: path + "-wal")
        case .copy:
            let copy = StoreFile(path: path + ".copy")
            _ = try await made.backup(to: copy.path)
            try copy.rename(to: StoreFile(path: path))
        }
        try files.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
        try files.setAttributes([.posixPermissions: 0o555], ofItemAtPath: folder.path)
        try files.setAttributes([.posixPermissions: 0o777], ofItemAtPath: target.path)
        let copy = "\(target.path)/copy"
        let lines = try await StoreWriterProcess.run(["forbidden", path, copy])
        try files.setAttributes([.posixPermissions: 0o700], ofItemAtPath: folder.path)
        #expect(
            lines == [
                "read 5", "refused readOnly", "read 5", "problems 0", "copied", "done 0",
            ]
        )
        #expect(try await SQLiteStore(path: copy, now: { 1 }).record(of: 1).cash == "5")
    }

    @Test(
        "while no file may grow everything is readable, and writable once files may grow",
        arguments: [false, true]
    )
    func starved(isCopy: Bool) async throws {
        let folder = try TemporaryFolder()
        defer { folder.clear() }
        let path = "\(folder.path)/hoga.sqlite"
        let made = SQLiteStore(path: path) { 1 }
        _ = try await made.write(.putCash("5"), user: 1, at: 1)
        await made.close()
        if isCopy {
            let copy = StoreFile(path: path + ".copy")
            _ = try await made.backup(to: copy.path)
            try copy.rename(to: StoreFile(path: path))
        }
        let lines = try await StoreWriterProcess.run(["starved", path])
        #expect(lines == ["read 5", "refused full", "problems 0", "read 2", "done 0"])
    }

    @Test("a file with a pending rollback journal is not read unrecovered")
    func hotJournal() async throws {
        let folder = try TemporaryFolder()
        defer { folder.clear() }
        let path = "\(folder.path)/hoga.sqlite"
        let made = SQLiteStore(path: path) { 1 }
        try await made.open()
        _ = try await made.backup(to: "\(folder.path)/copy")
        await made.close()
        try StoreFile(path: "\(folder.path)/copy").rename(to: StoreFile(path: path))
        var magic: [UInt8] = [0xd9, 0xd5, 0x05, 0xf9, 0x20, 0xa1, 0x63, 0xd7]
        magic += Array(repeating: 0, count: 504)
        try Data(magic).write(to: URL(filePath: path + "-journal"))
        let files = FileManager.default
        for name in [path, path + "-journal"] {
            try files.setAttributes([.posixPermissions: 0o444], ofItemAtPath: name)
        }
        try files.setAttributes([.posixPermissions: 0o555], ofItemAtPath: folder.path)
        let lines = try await StoreWriterProcess.run(["forbidden", path])
        try files.setAttributes([.posixPermissions: 0o700], ofItemAtPath: folder.path)
        #expect(lines.count == 1 && lines[0].hasPrefix("failed"), "\(lines)")
    }
}
