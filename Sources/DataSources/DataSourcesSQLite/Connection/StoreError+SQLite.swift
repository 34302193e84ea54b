import CSQLite
import DataSourceContracts
import Glibc

extension StoreError {
    /// Maps a result code of SQLite to a store error.
    ///
    /// - Parameters:
    ///   - code: an extended result code. Source: https://sqlite.org/rescode.html
    ///   - systemNumber: the underlying `errno`; 0 if there is none.
    ///   - location: the path of the file.
    ///   - words: SQLite's message, which has names of tables and columns but no values.
    init(sqlite code: Int32, systemNumber: Int32, at location: String, words: String) {
        let kind = Self.kind(ofResult: code, systemNumber: systemNumber)
        self.init(kind, "\(location): \(words) (SQLite \(code)): \(Self.remedy(for: kind))")
    }

    private static func kind(ofResult code: Int32, systemNumber: Int32) -> Code {
        // The low byte is the primary code, the rest its extension.
        switch code & 0xff {
        case SQLITE_FULL: .full
        case SQLITE_READONLY, SQLITE_PERM: .readOnly
        case SQLITE_CORRUPT, SQLITE_NOTADB: .damaged
        // PROTOCOL: other processes opened and closed the file during all of SQLite's attempts.
        case SQLITE_BUSY, SQLITE_LOCKED, SQLITE_PROTOCOL: .busy
        case SQLITE_CANTOPEN, SQLITE_IOERR: kind(ofSystemNumber: systemNumber)
        // A missing table or column, or a violated constraint: the schema differs from this
        // program's.
        case SQLITE_ERROR, SQLITE_CONSTRAINT, SQLITE_MISMATCH: .incompatible
        default: .unavailable
        }
    }

    /// Maps the `errno` of a failed system call.
    static func kind(ofSystemNumber number: Int32) -> Code {
        switch number {
        case ENOSPC, EDQUOT, EFBIG: .full
        case EROFS: .readOnly
        default: .unavailable
        }
    }

    /// The remedy for a kind of error.
    static func remedy(for code: Code) -> String {
        switch code {
        case .unavailable: "check that the folder and the file exist and can be read"
        case .busy: "another program has locked it; it works again when the lock is released"
        case .full: "free space on its disk"
        case .readOnly: "allow writing to the file and its folder"
        case .damaged: "move it away and restore a backup"
        case .incompatible: "use a compatible version of hoga, see 'hoga migrate status'"
        case .conflict, .tooMany: "read it again"
        case .notFound: "check the name or number"
        case .refused, .unauthorized, .forbidden, .fenced: "nothing was changed"
        }
    }
}
