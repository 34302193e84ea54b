import DataSourceContracts

/// The content of one round trip.
enum OutgoingQuery: Sendable {
    /// Statements in one round trip.
    case batch([EncodedStatement])
    /// A text of any number of statements without parameters.
    case script(String)
}

/// One round trip of a connection: sends a query and collects its results.
struct RoundTrip {
    /// The state of a round trip.
    enum State {
        case inFlight
        case done([PostgreSQLRows])
        case refused(StoreError.PostgreSQLErrorFields)
    }

    private let outgoing: OutgoingQuery
    private var rows: [PostgreSQLRows] = []
    private var refusal: StoreError.PostgreSQLErrorFields?
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
        case .script(let text): try connection.queue(script: text)
        }
        hasOutput = try !connection.flush()
    }

    /// Continues without waiting.
    ///
    /// - Throws: ``StoreError`` when the connection is broken.
    mutating func advance(on connection: PostgreSQLConnection) throws(StoreError) -> State {
        if hasOutput { hasOutput = try !connection.flush() }
        while true {
            switch try connection.nextResult() {
            case .nothingYet: return .inFlight
            case .rows(let result): rows.append(result)
            case .failure(let fields): refusal = refusal ?? fields
            case .copyReady:
                // No statement is a COPY from standard input.
                try connection.refuseCopy()
                hasOutput = try !connection.flush()
            case .statementEnd:
                if case .batch = outgoing { continue }
                try connection.endScript()
                return result
            case .synced: return result
            }
        }
    }

    private var result: State { refusal.map(State.refused) ?? .done(rows) }
}
