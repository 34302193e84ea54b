import CPostgreSQL
import DataSourceContracts

extension PostgreSQLRows {
    /// Copies a result out of libpq's memory; all its columns are in the binary form.
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
    /// Copies what a failed result says.
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

    /// Reads why a connection was not opened.
    ///
    /// - Parameter text: libpq's words in its verbose form: the server's have their SQLSTATE after
    ///   the severity.
    init(refusal text: String) {
        let lines = text.split(separator: "\n").map { $0.drop { $0 == " " || $0 == "\t" } }
        let isState = { (word: Substring) in
            word.utf8.count == 5
                && word.utf8.allSatisfy { (48...57).contains($0) || (65...90).contains($0) }
        }
        // The last host's answer is the last line with a code; hints and places come after it.
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
    /// Calls with the parameters as libpq wants them; the pointers hold during the call.
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
