import DataSourceContracts

/// The content of one round trip.
enum OutgoingQuery: Sendable {
    /// Statements in one round trip.
    case batch([EncodedStatement])
    /// A text of any number of statements without parameters.
    case script(String)
    /// A COPY and its data.
    case copy(String, [UInt8])
}

/// One round trip of a connection: sends a query and collects its results.
struct RoundTrip {
    /// The state of a round trip.
    enum State {
        case inFlight
        case done([PostgreSQLRows])
        case refused(StoreError.PostgreSQLErrorFields)
    }

    /// The bytes of a COPY that libpq gets at a time, because it copies them.
    private static let copyChunk = 256 * 1_024

    private let outgoing: OutgoingQuery
    private var rows: [PostgreSQLRows] = []
    private var refusal: StoreError.PostgreSQLErrorFields?
    /// COPY data that libpq does not have yet; nil outside the data phase.
    private var copied: ArraySlice<UInt8>?
    /// Whether libpq holds output that the socket did not accept.
    private(set) var hasOutput = true

    /// Starts to send.
    init(_ outgoing: OutgoingQuery, on connection: PostgreSQLConnection) throws(StoreError) {
        self.outgoing = outgoing
        switch outgoing {
        case .batch(let statements):
            rows.reserveCapacity(statements.count)
            for statement in statements { try connection.queue(statement) }
            try connection.queueSync()
        case .script(let text), .copy(let text, _): try connection.queue(script: text)
        }
        hasOutput = try !connection.flush()
    }

    /// Continues without waiting.
    ///
    /// - Throws: ``StoreError`` when the connection is broken.
    mutating func advance(on connection: PostgreSQLConnection) throws(StoreError) -> State {
        try sendRest(connection)
        // libpq repeats that it is ready for data until all data was sent.
        while copied == nil {
            switch try connection.nextResult() {
            case .nothingYet: return .inFlight
            case .rows(let result): rows.append(result)
            case .failure(let fields): refusal = refusal ?? fields
            case .copyReady:
                guard case .copy(_, let bytes) = outgoing else {
                    // A script must not contain a COPY.
                    try connection.queueCopyEnd(because: "there are no data")
                    hasOutput = true
                    continue
                }
                copied = bytes[...]
                try sendRest(connection)
            case .statementEnd:
                if case .batch = outgoing { continue }
                try connection.endScript()
                return result
            case .synced: return result
            }
        }
        return .inFlight
    }

    private var result: State { refusal.map(State.refused) ?? .done(rows) }

    private mutating func sendRest(_ connection: PostgreSQLConnection) throws(StoreError) {
        while let rest = copied {
            hasOutput = try !connection.flush()
            // Data that the socket does not accept waits here, not in libpq.
            if hasOutput { return }
            guard !rest.isEmpty else {
                try connection.queueCopyEnd()
                hasOutput = true
                copied = nil
                break
            }
            try connection.queue(copied: rest.prefix(Self.copyChunk))
            copied = rest.dropFirst(Self.copyChunk)
        }
        if hasOutput { hasOutput = try !connection.flush() }
    }
}
