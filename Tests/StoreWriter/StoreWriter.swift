import DataSourceContracts
import DataSourcesSQLite
import Glibc

/// Writes to an embedded store in a process that a test can kill, and prints each write.
///
/// A write that was printed must be in the file afterwards. A failed call ends the program with the
/// error as its last line.
///
/// - `StoreWriter write PATH NAME` writes until it is killed, a line for each call that returned.
/// - `StoreWriter share PATH NAME SECONDS` writes for a time and prints the number of calls.
/// - `StoreWriter fill PATH NAME BYTES` writes until a file of it would be longer than that, then
///   lets files grow again and goes on.
/// - `StoreWriter starved PATH` reads and writes where no file may grow, then where files may.
/// - `StoreWriter forbidden PATH [COPY]` reads and writes as a user who may only read; it looks
///   through the store and copies it, too, where a copy is named.
@main
struct StoreWriter {
    static func main() async {
        let words = CommandLine.arguments
        guard words.count >= 3 else { exit(64) }
        let store = SQLiteStore(path: words[2], now: microseconds)
        var shift = WriterRun(store: store, name: words.count > 3 ? words[3] : "")
        let number = words.count > 4 ? Int64(words[4]) ?? 0 : 0
        do throws(StoreError) {
            switch words[1] {
            case "write": try await shift.write { true }
            case "share":
                let end = microseconds() + number * 1_000_000
                shift.isQuiet = true
                try await shift.write { microseconds() < end }
            case "fill": try await fill(&shift, bytesMax: number)
            case "starved": try await starved(store)
            case "forbidden": try await forbidden(store, copy: words.count > 3 ? words[3] : nil)
            case _: exit(64)
            }
            say("done \(shift.calls)")
        } catch {
            say("failed \(error)")
        }
    }

    /// Writes until files may not grow any more, and again when they may.
    private static func fill(
        _ shift: inout WriterRun,
        bytesMax: Int64
    ) async throws(StoreError) {
        // SIGXFSZ would end a program that exceeds the limit; ignored, the write fails instead.
        signal(SIGXFSZ, SIG_IGN)
        limitFiles(to: rlim_t(bytesMax))
        do throws(StoreError) {
            try await shift.write { true }
        } catch {
            say("refused \(error.code)")
            limitFiles(to: 1)
            do throws(StoreError) {
                try await shift.store.checkWriting(of: 1)
            } catch {
                say("checked \(error.code)")
            }
        }
        limitFiles(to: rlim_t.max)
        var rounds = 20
        try await shift.write {
            rounds -= 1
            return rounds >= 0
        }
    }

    /// Prints the results of reads, checks and writes while no file may grow.
    private static func starved(_ store: SQLiteStore) async throws(StoreError) {
        signal(SIGXFSZ, SIG_IGN)
        limitFiles(to: 0)
        say("read \(try await store.record(of: 1).cash ?? "nothing")")
        do throws(StoreError) {
            try await store.putCash("1")
        } catch {
            say("refused \(error.code)")
        }
        say("problems \(try await store.check().problems.count)")
        limitFiles(to: rlim_t.max)
        try await store.putCash("2")
        say("read \(try await store.record(of: 1).cash ?? "nothing")")
    }

    private static func limitFiles(to bytes: rlim_t) {
        var limit = rlimit(rlim_cur: bytes, rlim_max: rlim_t.max)
        // Safe: the call reads the structure.
        let status = unsafe setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
        precondition(status == 0, "Files cannot be limited.")
    }

    /// Prints the results of reads and writes without permission.
    private static func forbidden(
        _ store: SQLiteStore,
        copy: String?
    ) async throws(StoreError) {
        // The user `nobody`, if the test runs as root.
        let nobody: uid_t = 65_534
        if geteuid() == 0 {
            precondition(setgid(nobody) == 0 && setuid(nobody) == 0, "Rights cannot be given up.")
        }
        let record = try await store.record(of: 1)
        say("read \(record.cash ?? "nothing")")
        do throws(StoreError) {
            try await store.putCash("1")
        } catch {
            say("refused \(error.code)")
        }
        say("read \(try await store.record(of: 1).cash ?? "nothing")")
        guard let copy else { return }
        say("problems \(try await store.check().problems.count)")
        _ = try await store.backup(to: copy)
        say("copied")
    }

    private static func microseconds() -> Int64 {
        var time = timespec()
        // Safe: the call fills the structure it is given.
        unsafe clock_gettime(CLOCK_REALTIME, &time)
        return Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1_000
    }
}

/// Standard output is a socket or a pipe: one call writes the whole line.
func say(_ line: String) {
    let bytes = Array((line + "\n").utf8)
    // Safe: pointer and count are the array's.
    _ = unsafe write(STDOUT_FILENO, bytes, bytes.count)
}

extension SQLiteStore {
    /// Sets the cash of the one user.
    fileprivate func putCash(_ amount: String) throws(StoreError) {
        let entry = NewJournalDTO(at: 1, kind: "cash.put", subject: nil)
        _ = try update(1, entry: entry) { record throws(StoreError) in
            var record = record
            record.cash = amount
            return record
        }
    }
}
