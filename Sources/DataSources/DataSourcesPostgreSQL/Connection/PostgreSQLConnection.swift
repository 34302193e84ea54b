import CPostgreSQL
import DataSourceContracts
import Glibc

/// Owns a nonblocking libpq connection.
///
/// Used by one thread at a time; it may move to another thread between calls.
@safe
final class PostgreSQLConnection {
    /// The state of an opening.
    enum Opening {
        /// Waits for the socket to become readable or writable.
        case waiting(forOutput: Bool)
        case open
        case failed(StoreError)
    }

    /// The next part of the response.
    enum Answer {
        /// Nothing yet: wait for the socket.
        case nothingYet
        case rows(PostgreSQLRows)
        case failure(StoreError.PostgreSQLErrorFields)
        /// The server waits for the data of a COPY.
        case copyReady
        /// The end of one statement's results.
        case statementEnd
        /// The sync at the end of a pipeline.
        case synced
    }

    // Finished in `deinit`; it never leaves this type.
    private let handle: OpaquePointer
    /// The location of the server, for errors.
    let location: String

    /// Starts to connect.
    ///
    /// Blocks during name lookup, unless the parameters have addresses.
    ///
    /// - Throws: ``StoreError`` with `unavailable`.
    init(_ parameters: [String: String], at location: String) throws(StoreError) {
        guard let made = unsafe Self.start(parameters) else {
            throw StoreError.away("out of memory for a connection", at: location)
        }
        unsafe handle = made
        self.location = location
        // Verbose messages are the only way to the SQLSTATE of a refused connection.
        unsafe PQsetErrorVerbosity(made, PQERRORS_VERBOSE)
        // Drops notices of the server: standard error belongs to the program.
        unsafe PQsetNoticeReceiver(made, { _, _ in }, nil)
        guard unsafe PQstatus(made) != CONNECTION_BAD else { throw refusal }
    }

    deinit { unsafe PQfinish(handle) }

    private static func start(_ parameters: [String: String]) -> OpaquePointer? {
        let texts = unsafe parameters.map { unsafe (strdup($0.key), strdup($0.value)) }
        defer {
            for unsafe(key, value) in unsafe texts {
                unsafe free(key)
                unsafe free(value)
            }
        }
        // Safe: libpq copies its arguments; the lists end with NULL.
        let keys = unsafe texts.map { unsafe UnsafePointer($0.0) } + [nil]
        let values = unsafe texts.map { unsafe UnsafePointer($0.1) } + [nil]
        return unsafe PQconnectStartParams(keys, values, 0)
    }

    /// Continues to connect without waiting.
    func continueOpening() -> Opening {
        switch unsafe PQconnectPoll(handle) {
        case PGRES_POLLING_OK: .open
        case PGRES_POLLING_READING: .waiting(forOutput: false)
        case PGRES_POLLING_WRITING: .waiting(forOutput: true)
        default: .failed(refusal)
        }
    }

    /// Prepares an open connection for batches.
    func prepareForBatches() throws(StoreError) {
        guard unsafe PQsetnonblocking(handle, 1) == 0, unsafe PQenterPipelineMode(handle) == 1
        else { throw broken }
    }

    // MARK: State

    /// The socket; it may change while connecting.
    var descriptor: Int32 { unsafe PQsocket(handle) }

    /// Whether a transaction is open, failed or not.
    var isInTransaction: Bool {
        switch unsafe PQtransactionStatus(handle) {
        case PQTRANS_IDLE: false
        default: true
        }
    }

    /// The error of a broken connection.
    var broken: StoreError { .away("the connection broke", at: location) }

    /// The error of a refused connection.
    private var refusal: StoreError {
        // The text names hosts, roles and databases; never a password.
        let text = unsafe String(cString: PQerrorMessage(handle))
        return StoreError(postgreSQL: StoreError.PostgreSQLErrorFields(refusal: text), at: location)
    }

    /// Makes a cancel request for this connection, to be sent on any thread.
    func makeCancellation() -> PostgreSQLCancellation? {
        guard let cancel = unsafe PQgetCancel(handle) else { return nil }
        return unsafe PostgreSQLCancellation(owning: cancel)
    }

    // MARK: Sending

    /// Queues a statement of a pipeline.
    func queue(_ statement: EncodedStatement) throws(StoreError) {
        guard
            unsafe statement.withParameters({ count, types, values, lengths, formats in
                unsafe PQsendQueryParams(
                    handle,
                    UnsafeRawPointer(statement.sql.utf8Start).assumingMemoryBound(to: CChar.self),
                    count,
                    types,
                    values,
                    lengths,
                    formats,
                    1
                )
            }) == 1
        else { throw broken }
    }

    /// Queues the end of a pipeline.
    func queueSync() throws(StoreError) {
        guard unsafe PQpipelineSync(handle) == 1 else { throw broken }
    }

    /// Queues a script without parameters; leaves pipeline mode.
    func queue(script: String) throws(StoreError) {
        guard unsafe PQexitPipelineMode(handle) == 1, unsafe PQsendQuery(handle, script) == 1
        else { throw broken }
    }

    /// Returns to pipeline mode after a script.
    func endScript() throws(StoreError) {
        guard unsafe PQenterPipelineMode(handle) == 1 else { throw broken }
    }

    /// Ends a COPY that the server waits for without data.
    func refuseCopy() throws(StoreError) {
        guard unsafe PQputCopyEnd(handle, "there are no data") == 1 else { throw broken }
    }

    /// Sends queued output without waiting.
    ///
    /// - Returns: whether all was sent.
    func flush() throws(StoreError) -> Bool {
        switch unsafe PQflush(handle) {
        case 0: return true
        case 1: return false
        default: throw broken
        }
    }

    // MARK: Receiving

    /// Reads the bytes at hand.
    func receive() throws(StoreError) {
        guard unsafe PQconsumeInput(handle) == 1 else { throw broken }
    }

    /// The next complete part of the response.
    func nextResult() throws(StoreError) -> Answer {
        guard unsafe PQisBusy(handle) == 0 else { return .nothingYet }
        guard let result = unsafe PQgetResult(handle) else {
            guard unsafe PQstatus(handle) == CONNECTION_OK else { throw broken }
            return .statementEnd
        }
        defer { unsafe PQclear(result) }
        switch unsafe PQresultStatus(result) {
        case PGRES_TUPLES_OK, PGRES_COMMAND_OK, PGRES_EMPTY_QUERY:
            return unsafe .rows(PostgreSQLRows(copying: result))
        case PGRES_PIPELINE_SYNC: return .synced
        case PGRES_COPY_IN: return .copyReady
        case PGRES_FATAL_ERROR:
            // libpq's own error for a lost connection has no SQLSTATE.
            let words = unsafe StoreError.PostgreSQLErrorFields(copying: result)
            guard !words.state.isEmpty else { throw broken }
            return .failure(words)
        case PGRES_PIPELINE_ABORTED: return .failure(StoreError.PostgreSQLErrorFields())
        default: throw broken
        }
    }

    /// The channel and payload of the next notification.
    func nextNotification() -> (channel: String, payload: String)? {
        guard let notify = unsafe PQnotifies(handle) else { return nil }
        defer { unsafe PQfreemem(notify) }
        return unsafe (
            String(cString: notify.pointee.relname), String(cString: notify.pointee.extra)
        )
    }
}

/// One thread at a time: libpq has no locks of its own.
@available(*, unavailable)
extension PostgreSQLConnection: Sendable {}

/// A cancel request for one connection.
@safe
// PQcancel only reads its object, and any thread may call it: manual of PostgreSQL 15, 34.7.
final class PostgreSQLCancellation: @unchecked Sendable {
    // Freed in `deinit`.
    private let handle: OpaquePointer

    init(owning handle: OpaquePointer) { unsafe self.handle = handle }

    deinit { unsafe PQfreeCancel(handle) }

    /// Sends the request on a connection of its own; blocks until the server has received it.
    func send() {
        // libpq needs 256 bytes for an error text, which is unused: the cancelled connection shows
        // whether the request worked.
        var words = [CChar](repeating: 0, count: 256)
        _ = unsafe PQcancel(handle, &words, Int32(words.count))
    }
}

extension PostgreSQLRows {
    /// Copies a result with binary columns out of libpq's memory.
    init(copying result: OpaquePointer) {
        let columnCount = unsafe PQnfields(result)
        let rowCount = unsafe PQntuples(result)
        var bytes: [UInt8] = []
        var ends: [Int] = []
        ends.reserveCapacity(Int(columnCount) * Int(rowCount))
        for row in 0..<rowCount {
            for column in 0..<columnCount {
                if unsafe PQgetisnull(result, row, column) == 1 {
                    ends.append(~bytes.count)
                    continue
                }
                let length = unsafe Int(PQgetlength(result, row, column))
                let value = unsafe UnsafeRawBufferPointer(
                    start: PQgetvalue(result, row, column),
                    count: length
                )
                unsafe bytes.append(contentsOf: value)
                ends.append(bytes.count)
            }
        }
        let changed = unsafe Int(String(cString: PQcmdTuples(result)))
        self.init(
            types: (0..<columnCount).map { unsafe PQftype(result, $0) },
            rowCount: Int(rowCount),
            bytes: bytes,
            ends: ends,
            changedRows: changed ?? 0
        )
    }
}

extension StoreError.PostgreSQLErrorFields {
    /// Copies the error fields of a failed result.
    init(copying result: OpaquePointer) {
        func field(_ code: UnicodeScalar) -> String? {
            unsafe PQresultErrorField(result, Int32(code.value))
                .map { unsafe String(cString: $0) }
        }
        // The codes of the fields: manual of PostgreSQL 15, 55.8 "Error and Notice Message Fields".
        state = field("C") ?? ""
        sentence = field("M") ?? ""
        subjects = ["s", "t", "c", "d", "n"].compactMap { field($0) }
    }

    /// Parses the error of a refused connection.
    ///
    /// - Parameter text: libpq's verbose text, with the server's SQLSTATE after the severity.
    init(refusal text: String) {
        let lines = text.split(separator: "\n").map { $0.drop { $0 == " " || $0 == "\t" } }
        let isState = { (word: Substring) in
            word.utf8.count == 5
                && word.utf8.allSatisfy { (48...57).contains($0) || (65...90).contains($0) }
        }
        // The last line with a code is the last host's; hints and locations follow it.
        for line in lines.reversed() {
            let words = line.split(separator: ":").map { $0.drop { $0 == " " } }
            guard let place = words.lastIndex(where: isState) else { continue }
            state = String(words[place])
            sentence = words[(place + 1)...].joined(separator: ": ")
            return
        }
        sentence = lines.first.map(String.init) ?? "the server did not answer"
    }
}

extension EncodedStatement {
    /// Calls `body` with the parameters in libpq's form; the pointers are valid during the call.
    func withParameters<Value>(
        _ body: (
            _ count: Int32,
            _ types: UnsafePointer<UInt32>,
            _ values: UnsafePointer<UnsafePointer<CChar>?>,
            _ lengths: UnsafePointer<Int32>,
            _ formats: UnsafePointer<Int32>
        ) -> Value
    ) -> Value {
        // A parameter without bytes still needs an address: NULL would mean NULL.
        let storage = bytes + [0]
        let formats = [Int32](repeating: 1, count: max(1, ends.count))
        var start = 0
        let lengths = ends.map { entry in
            defer { start = entry.end }
            return Int32(clamping: entry.end - start)
        }
        return unsafe storage.withUnsafeBufferPointer { storage in
            var start = 0
            var values: [UnsafePointer<CChar>?] = unsafe []
            unsafe values.reserveCapacity(ends.count)
            for entry in ends {
                let place = unsafe storage.baseAddress.map { unsafe $0 + start }
                let value = unsafe UnsafeRawPointer(place)?.assumingMemoryBound(to: CChar.self)
                unsafe values.append(entry.isNull ? nil : value)
                start = entry.end
            }
            return unsafe body(Int32(clamping: ends.count), types, values, lengths, formats)
        }
    }
}
