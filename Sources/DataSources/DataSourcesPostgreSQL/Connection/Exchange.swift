import DataSourceContracts

/// What is sent on a connection at once.
enum OutgoingQuery: Sendable {
    /// Statements in one round trip.
    case batch([EncodedStatement])
    /// A text of any number of statements without parameters.
    case script(String)
    /// A COPY, and the data that it reads.
    case copy(String, [UInt8])
}

/// One round trip of a connection: sends, and gathers what comes back until that is all.
struct Exchange {
    /// How a round trip went.
    enum State {
        case underway
        case done([PostgreSQLRows])
        case refused(StoreError.PostgreSQLErrorFields)
    }

    /// How much of a COPY is handed to libpq at a time: it copies what it is given.
    private static let copyChunk = 256 * 1_024

    private let outgoing: OutgoingQuery
    private var rows: [PostgreSQLRows] = []
    private var refusal: StoreError.PostgreSQLErrorFields?
    /// Data of a COPY that libpq does not have yet; nil when it is not their turn.
    private var copied: ArraySlice<UInt8>?
    /// Whether libpq holds back what the socket does not take.
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

    /// Goes on as far as it goes without waiting.
    ///
    /// - Throws: ``StoreError`` when the connection is of no use any more.
    mutating func advance(on connection: PostgreSQLConnection) throws(StoreError) -> State {
        try sendOn(connection)
        // Until all was sent libpq says again and again that it is ready for data.
        while copied == nil {
            switch try connection.nextAnswer() {
            case .nothingYet: return .underway
            case .rows(let answer): rows.append(answer)
            case .failure(let words): refusal = refusal ?? words
            case .copyReady:
                guard case .copy(_, let bytes) = outgoing else {
                    // A script must not ask for data.
                    try connection.queueCopyEnd(because: "there are no data")
                    hasOutput = true
                    continue
                }
                copied = bytes[...]
                try sendOn(connection)
            case .statementEnd:
                if case .batch = outgoing { continue }
                try connection.endScript()
                return result
            case .synced: return result
            }
        }
        return .underway
    }

    private var result: State { refusal.map(State.refused) ?? .done(rows) }

    private mutating func sendOn(_ connection: PostgreSQLConnection) throws(StoreError) {
        while let rest = copied {
            hasOutput = try !connection.flush()
            // What the socket does not take waits here and not in libpq.
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
