import Concurrency
import DataSourceContracts
import Domain
import Synchronization

extension CandleWriter {
    /// Writes minutes as they close, and builds longer candles.
    func runWriting() async {
        var rollUpAt: Duration = .zero
        var prepareAt: Duration = .zero
        while !Task.isCancelled {
            // Partitions first: without them nothing can be written.
            if election.lease != nil, parts.stopwatch.elapsed >= prepareAt {
                let isPrepared = await prepare()
                prepareAt =
                    parts.stopwatch.elapsed
                    + (isPrepared ? Self.prepareInterval : Self.prepareRetryInterval)
            }
            if let feed = election.feed, await writeAll(feed) {
                if state.withLock({ $0.needsRollUp }), parts.stopwatch.elapsed >= rollUpAt {
                    let isDone = await rollUp(feed)
                    rollUpAt =
                        parts.stopwatch.elapsed
                        + (isDone ? Self.rollUpInterval : Self.rollUpRetryInterval)
                }
            }
            await isChanged.wait(within: Self.writeInterval, clock: parts.clock)
        }
    }

    /// Writes everything unwritten, oldest first.
    ///
    /// - Returns: false if this process does not lead, or the store failed.
    func writeAll(_ feed: String) async -> Bool {
        while let lease = election.lease {
            let batch = state.withLock { state in
                state.beginTerm(lease.epoch)
                return state.builder.dequeueUnwritten(rowsMax: Self.batchRowsMax)
            }
            guard let batch else { return true }
            do throws(StoreError) {
                let dto = MinuteCandleBatchMapping.dto(batch, feed: feed)
                try await parts.store.fenced(by: lease).saveMinutes(dto)
                state.withLock { state in
                    state.needsRollUp = true
                    guard let end = batch.covered.last?.upperBound else { return }
                    state.writtenUntil = state.writtenUntil.map { max($0, end) } ?? end
                }
                election.note(nil, of: .write)
            } catch {
                returned(batch, of: feed, error, lease)
                return false
            }
        }
        return false
    }

    /// Requeues an unwritten batch unless writing it can never succeed.
    private func returned(
        _ batch: MinuteCandleBatch,
        of feed: String,
        _ error: StoreError,
        _ lease: LeaseDTO
    ) {
        // The builder may belong to another feed by now.
        guard feed == election.feed else { return }
        switch error.code {
        case .refused, .conflict, .tooMany, .notFound:
            state.withLock { $0.droppedRows += batch.rows.count }
        case .unavailable, .busy, .full, .readOnly, .damaged, .incompatible, .unauthorized,
            .forbidden, .fenced:
            let isLedByAnother = election.isLedByAnother
            state.withLock { state in
                state.changeBuilder(isLedByAnother: isLedByAnother) { $0.requeue(batch) }
            }
        }
        election.noteRefusal(error, lease, of: .write)
    }

    /// - Returns: false if the store failed.
    private func rollUp(_ feed: String) async -> Bool {
        let until = state.withLock { state in
            state.needsRollUp = false
            return state.writtenUntil
        }
        guard let lease = election.lease, let until else { return true }
        do throws(StoreError) {
            _ = try await parts.store.fenced(by: lease)
                .rollUp(feed: feed, until: until.microseconds)
            election.note(nil, of: .rollUp)
            return true
        } catch {
            state.withLock { $0.needsRollUp = true }
            election.noteRefusal(error, lease, of: .rollUp)
            return false
        }
    }

    private func prepare() async -> Bool {
        guard let lease = election.lease else { return false }
        do throws(StoreError) {
            try await parts.store.fenced(by: lease).prepare(at: parts.now().microseconds)
            election.note(nil, of: .prepare)
            return true
        } catch {
            election.noteRefusal(error, lease, of: .prepare)
            return false
        }
    }
}
