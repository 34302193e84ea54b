import CPostgreSQL
import Glibc

/// A blocking libpq connection for the statements of tests.
///
/// libpq allows one thread at a time; callers hold the connection alone while they use it.
@safe
final class AdminConnection: @unchecked Sendable {
    // Finished in `deinit`; it never leaves this type.
    private let handle: OpaquePointer

    /// Connects, and waits until the server accepts.
    ///
    /// - Throws: ``ChildProcess/Failure`` with libpq's message.
    init(_ url: String) throws(ChildProcess.Failure) {
        guard let made = unsafe PQconnectdb(url) else {
            throw ChildProcess.Failure(text: "libpq has no memory for a connection")
        }
        unsafe handle = made
        unsafe PQsetErrorVerbosity(made, PQERRORS_VERBOSE)
        unsafe PQsetNoticeReceiver(made, { _, _ in }, nil)
        guard unsafe PQstatus(made) == CONNECTION_OK else { throw failure }
    }

    deinit { unsafe PQfinish(handle) }

    private var failure: ChildProcess.Failure {
        ChildProcess.Failure(text: unsafe String(cString: PQerrorMessage(handle)))
    }

    /// Runs statements, several of them in one transaction.
    ///
    /// - Returns: the rows as lines, with bars between columns; NULL is an empty text.
    /// - Throws: ``ChildProcess/Failure`` with PostgreSQL's message.
    func execute(_ statements: String) throws(ChildProcess.Failure) -> String {
        guard unsafe PQsendQuery(handle, statements) == 1 else { throw failure }
        var lines: [String] = []
        var error: ChildProcess.Failure?
        // Each result must be read before the next statement.
        while let result = unsafe PQgetResult(handle) {
            defer { unsafe PQclear(result) }
            switch unsafe PQresultStatus(result) {
            case PGRES_TUPLES_OK: unsafe lines += Self.lines(of: result)
            case PGRES_COMMAND_OK, PGRES_EMPTY_QUERY: break
            // libpq returns the same result again until the copy has ended.
            case PGRES_COPY_OUT: lines += copiedLines()
            case PGRES_COPY_IN: unsafe PQputCopyEnd(handle, "tests send no data")
            default:
                let text = unsafe String(cString: PQresultErrorMessage(result))
                error = error ?? ChildProcess.Failure(text: text)
            }
        }
        if let error { throw error }
        return lines.joined(separator: "\n")
    }

    private func copiedLines() -> [String] {
        var lines: [String] = []
        var row: UnsafeMutablePointer<CChar>?
        while unsafe PQgetCopyData(handle, &row, 0) > 0, let copied = unsafe row {
            unsafe lines.append(String(cString: copied))
            unsafe PQfreemem(copied)
        }
        return lines
    }

    private static func lines(of result: OpaquePointer) -> [String] {
        let columns = unsafe PQnfields(result)
        return unsafe (0..<PQntuples(result)).map { row in
            (0..<columns).map { column in
                unsafe String(cString: PQgetvalue(result, row, column))
            }.joined(separator: "|")
        }
    }
}
