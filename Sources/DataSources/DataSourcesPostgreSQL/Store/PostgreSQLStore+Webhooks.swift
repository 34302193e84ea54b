public import DataSourceContracts

extension PostgreSQLStore: WebhookStoreSource {
    /// The users that one round trip reads.
    private static let deliveriesMax = 1_000

    /// Reads the webhook of a user.
    public func webhook(
        of user: Int64,
        deadLettersMax: Int
    ) async throws(StoreError) -> WebhookDTO? {
        let answers = try await pool.perform(
            [
                settle(user), Statements.readWebhook(.integer(user)),
                Statements.readDeadLetters(.integer(user), .integer(Int64(deadLettersMax))),
            ],
            as: .reading
        )
        try verifyRowSecurity(answers)
        return try WebhookDTO.read(answers[1], deadLetters: answers[2])
    }

    /// Sets address and secret of a user's webhook.
    ///
    /// - Throws: ``StoreError``: `refused` for a time outside the years 1 to 9999, `forbidden` if
    ///   the address accepts only standbys; else as the protocol says.
    public func setWebhook(_ new: NewWebhookDTO, of user: Int64) async throws(StoreError) {
        let wrote = try await changeWebhook(
            of: user,
            .init(at: new.createdAt, kind: "webhook.set", subject: nil),
            Statements.putWebhook(
                .integer(user),
                .text(new.url),
                .bytes(new.sealedSecret),
                .time(new.createdAt)
            )
        )
        guard wrote else { throw noUser(user) }
    }

    /// Removes a user's webhook.
    public func removeWebhook(of user: Int64, at time: Int64) async throws(StoreError) -> Bool {
        try await changeWebhook(
            of: user,
            .init(at: time, kind: "webhook.remove", subject: nil),
            Statements.removeWebhook(.integer(user))
        )
    }

    /// Performs a statement and appends to the journal; false if the statement changed no row.
    private func changeWebhook(
        of user: Int64,
        _ entry: NewJournalDTO,
        _ statement: PostgreSQLStatement
    ) async throws(StoreError) -> Bool {
        guard !isReadOnly else { throw Self.readOnlyAddress }
        try CanonicalValues.check(time: entry.at, "the time of a change")
        return try await pool.transaction { transaction async throws(StoreError) in
            let answers = try await transaction.perform([
                self.settle(user), Statements.lockUser(.integer(user)),
                Statements.lockWebhook(.integer(user)), statement,
            ])
            try self.verifyRowSecurity(answers)
            guard answers[3].changedRows > 0 else { return false }
            let none = PostgreSQLValue.integer(0)
            _ = try await transaction.perform([
                Statements.recordChange(
                    .integer(user),
                    .time(entry.at),
                    .text(entry.kind),
                    .text(ifAny: entry.subject),
                    none,
                    none,
                    none,
                    none,
                    none,
                    none
                )
            ])
            return true
        }
    }

    /// Reads the next deliveries, a thousand users at a time.
    public func webhookDeliveries(
        of users: [Int64]?,
        feed: String,
        at time: Int64
    ) async throws(StoreError) -> [WebhookDeliveryDTO] {
        try CanonicalValues.check(time: time, "the time of a delivery")
        var deliveries: [WebhookDeliveryDTO] = []
        var last: Int64 = 0
        while true {
            let answers = try await pool.perform(
                [
                    settle(.short),
                    Statements.readWebhookDeliveries(
                        .text(feed),
                        .time(time),
                        users.map(PostgreSQLValue.integers) ?? .null,
                        .integer(last),
                        .integer(Int64(Self.deliveriesMax))
                    ),
                ],
                as: .urgent
            )
            for row in answers[1] { deliveries.append(try WebhookDeliveryDTO(row)) }
            guard answers[1].count == Self.deliveriesMax, let end = deliveries.last else {
                return deliveries
            }
            last = end.user
        }
    }

    /// Records attempts in one transaction.
    public func recordWebhookAttempts(
        _ attempts: [WebhookAttemptDTO],
        feed: String
    ) async throws(StoreError) {
        for attempt in attempts {
            let failure = attempt.failure
            let times = [
                failure?.retryAt, failure?.backoffUntil, failure?.givesUpBefore, attempt.at,
            ]
            for time in times.compactMap(\.self) {
                try CanonicalValues.check(time: time, "the time of a delivery")
            }
        }
        let failures = attempts.map(\.failure)
        _ = try await pool.perform(
            [
                settle(.short),
                Statements.recordWebhookAttempts(
                    .text(feed),
                    .integers(attempts.map(\.user)),
                    .integers(attempts.map(\.number)),
                    .times(attempts.map(\.createdAt)),
                    .times(attempts.map(\.at)),
                    .texts(failures.map { $0?.reason }),
                    .integers(failures.map { $0?.attempts ?? 0 }),
                    .integers(failures.map { $0?.inRow ?? 0 }),
                    .times(failures.map { $0?.retryAt }),
                    .times(failures.map { $0?.backoffUntil }),
                    .times(failures.map { $0?.givesUpBefore })
                ),
            ],
            as: .writing
        )
    }
}

extension WebhookDTO {
    /// Reads the rows of ``Statements/readWebhook`` and ``Statements/readDeadLetters``.
    static func read(
        _ rows: PostgreSQLRows,
        deadLetters: PostgreSQLRows
    ) throws(StoreError) -> WebhookDTO? {
        guard let row = rows.first else { return nil }
        var webhook = WebhookDTO(url: try row.text(0), createdAt: try row.time(1))
        webhook.lastSuccessAt = try row.optionalTime(2)
        webhook.failedAt = try row.optionalTime(3)
        webhook.failure = try row.optionalText(4)
        webhook.droppedCount = try row.integer(5)
        webhook.pendingCount = try row.integer(6)
        for row in deadLetters {
            webhook.deadLetters.append(
                DeadLetter(
                    number: try row.integer(0),
                    attempts: try row.integer(1),
                    failedAt: try row.time(2),
                    failure: try row.text(3)
                )
            )
        }
        return webhook
    }
}

extension WebhookDeliveryDTO {
    /// Reads a row of ``Statements/readWebhookDeliveries``.
    fileprivate init(_ row: PostgreSQLRows.Row) throws(StoreError) {
        self.init(
            user: try row.integer(0),
            alert: try AlertLogDTO(row, from: 1),
            url: try row.text(11),
            createdAt: try row.time(12),
            sealedSecret: try row.bytes(13),
            attempts: try row.integer(14),
            failures: try row.optionalInteger(15),
            notBefore: try row.optionalTime(16)
        )
    }
}
