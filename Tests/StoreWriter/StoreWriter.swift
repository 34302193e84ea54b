import DataSources
import DataSourcesSQLite
import Glibc

/// Writes to an embedded store and says so, until a test kills it.
///
/// `StoreWriter PATH NAME`: for each call that returned, a line on standard output names what it
/// wrote; what a test has read of these lines must be in the file afterwards. A call that fails
/// ends the program with the error as its last line.
@main
struct StoreWriter {
    static func main() async {
        let words = CommandLine.arguments
        guard words.count == 3 else { exit(64) }
        let store = SQLiteStore(path: words[1]) { 1 }
        do throws(StoreError) {
            _ = try await store.personal(user: 1)
            say("ready")
        } catch {
            say("failed \(error)")
        }
    }

    /// Standard output is a pipe or a socket: one call, nothing kept back.
    static func say(_ line: String) {
        let bytes = Array((line + "\n").utf8)
        _ = unsafe write(STDOUT_FILENO, bytes, bytes.count)
    }
}
